"""Asking: one target, many targets, or one with its explanation; all through the same filter pass."""

from __future__ import annotations

from collections.abc import Hashable, Sequence
from dataclasses import fields, replace
from typing import Any, TypeVar

from lib.errors import BadInput, one_of
from lib.lookup.filter_pass import filter_pass
from lib.lookup.funnel import FunnelEntry, funnel_of
from lib.lookup.request import PickRequest, PlaceRequest, Request
from lib.lookup.result import LookupResult
from lib.lookup.selection import candidates, select_each
from lib.lookup.table import Table
from lib.settings import PickLookup, PlaceLookup

Bounds = TypeVar("Bounds", PlaceLookup, PickLookup)

# From so many targets on, a kind of question is prepared for; of so many others, none is.
_MANY_ALIKE = 8
_MANY_APART = 100
_MOST_TOGETHER = 20_000  # to bound memory


def place(
    table: Table, x_m: float, z_m: float, bounds: PlaceLookup | None = None, **changes: Any
) -> LookupResult:
    """Look a PLACE target up [m]; ``changes`` are bounds by name, like ``j0_tol_deg=5.0``,
    of the settings' defaults unless ``bounds`` are given.

    Raises BadInput for a target or bound that makes no sense.
    """
    return lookup(table, PlaceRequest(x_m, z_m, _changed(bounds or PlaceLookup(), changes)))


def pick(
    table: Table, x_m: float, z_m: float, bounds: PickLookup | None = None, **changes: Any
) -> LookupResult:
    """Look a PICK target up [m]; ``changes`` are bounds by name, like ``ref_tol_deg=10.0``,
    of the settings' defaults unless ``bounds`` are given.

    Raises BadInput for a target or bound that makes no sense.
    """
    return lookup(table, PickRequest(x_m, z_m, _changed(bounds or PickLookup(), changes)))


def lookup(table: Table, request: Request) -> LookupResult:
    """Answer one request."""
    return candidates(table, request).select(request)


def lookup_many(table: Table, requests: Sequence[Request]) -> list[LookupResult]:
    """Answer many requests, in their order.

    Those that differ only in the target share what was read; many that have little in common are
    searched for side by side.
    """
    alike: dict[Hashable, list[int]] = {}
    for k, request in enumerate(requests):
        alike.setdefault(request.kind, []).append(k)
    apart = [k for same in alike.values() if len(same) < _MANY_ALIKE for k in same]
    results: dict[int, LookupResult] = {}
    for start in range(0, len(apart), _MOST_TOGETHER):
        lot = apart[start : start + _MOST_TOGETHER]
        if len(lot) >= _MANY_APART:
            found = select_each(table, [requests[k] for k in lot])
            results.update(zip(lot, found or (), strict=False))
    for same in alike.values():
        left = [k for k in same if k not in results]
        if left:
            shared = candidates(table, requests[left[0]])
            results.update((k, shared.select(requests[k])) for k in left)
    return [results[k] for k in range(len(requests))]


def funnel(table: Table, request: Request) -> tuple[FunnelEntry, ...]:
    """Return how many rows each filter left and how near the nearest of them is."""
    return funnel_of(filter_pass(table, request.filters), table, request)


def explain(table: Table, request: Request) -> tuple[LookupResult, tuple[FunnelEntry, ...]]:
    """Answer one request with the funnel of its filters."""
    return lookup(table, request), funnel(table, request)


def _changed(bounds: Bounds, changes: dict[str, Any]) -> Bounds:
    names = [f.name for f in fields(bounds)]
    unknown = next((name for name in changes if name not in names), None)
    if unknown is not None:
        raise BadInput(f'no bound "{unknown}"; expected {one_of(names)}')
    hashable: dict[str, Any] = {k: tuple(v) if isinstance(v, list) else v for k, v in changes.items()}
    return replace(bounds, **hashable)
