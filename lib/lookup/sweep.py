"""The same question over a grid of bounds and targets: what the lookup would answer, all at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields, replace
from itertools import product
from typing import Any

from lib.errors import BadInput, one_of
from lib.lookup.batch import lookup_many
from lib.lookup.request import PlaceRequest, Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Table
from lib.settings import PickLookup, PlaceLookup

LARGEST_GRID = 100_000
_AT_ONCE = 1_000
_DECIMALS = 12
_SAME_STEP = 1e-9

_TARGET = {"x": "x_m", "z": "z_m"}
_ALIASES = {"ee_y": "ee_y_target"}
_UNITS = ("_m_per_deg", "_deg", "_m")

# Bounds that protect hardware: a sweep may narrow them, never widen.
_NARROWS_UPWARDS = {"ee_y_floor": True, "j4_safe_low": True, "j4_safe_high": False}


@dataclass(frozen=True)
class Axis:
    """One thing that varies."""

    name: str
    """Short name of a bound (``j0_tol``, ``w_j1``, ``ee_y_band_low``), or ``x`` or ``z``."""
    values: tuple[float, ...]
    """In metres, degrees or metres per degree, as the bound."""


@dataclass(frozen=True)
class SweepPoint:
    """One node of the grid with its answer."""

    varied: tuple[tuple[str, float], ...]
    request: Request
    result: LookupResult

    def as_json(self) -> dict[str, object]:
        """Return the node as `nightpick lookup sweep --json` lists it."""
        return {"vary": dict(self.varied), **self.result.as_json()}


def sweep(
    table: Table,
    request: Request,
    axes: Sequence[Axis],
    progress: Callable[[int, int], None] = lambda done, nodes: None,
) -> list[SweepPoint]:
    """Answer the request at every node of the axes' grid, the first axis outermost.

    ``progress`` is told the nodes done and in all. Raises BadInput for an axis given twice, a bound the
    mode has not, one that would widen a protecting filter, or a grid of more than LARGEST_GRID nodes.
    """
    _check(request, axes)
    nodes = [
        tuple(zip((a.name for a in axes), values, strict=True))
        for values in product(*(a.values for a in axes))
    ]
    requests = [_with(request, node) for node in nodes]
    answers: list[LookupResult] = []
    for done in range(0, len(requests), _AT_ONCE):
        progress(done, len(requests))
        answers += lookup_many(table, requests[done : done + _AT_ONCE])
    return [SweepPoint(*found) for found in zip(nodes, requests, answers, strict=True)]


def read_axis(text: str) -> Axis:
    """Read ``name=3,5,8`` or ``name=0.180:0.200:0.005`` (from, to and step, both ends included).

    Raises BadInput saying what was found and what was expected.
    """
    name, given, values = text.partition("=")
    name = name.strip().replace("-", "_")
    if not given or not name:
        raise BadInput(f'--vary "{text}"; expected name=values, like j0_tol=3,5,8 or z=0.180:0.200:0.005')
    found = tuple(value for part in values.split(",") for value in _values(part.strip(), text))
    return Axis(_ALIASES.get(name, name), found)


def bound_names(request: Request) -> tuple[str, ...]:
    """Return the short names of all that a request can vary."""
    return (*_TARGET, *_places(request.bounds))


def _values(part: str, text: str) -> list[float]:
    try:
        numbers = [float(number) for number in part.split(":")]
    except ValueError:
        numbers = []
    if not numbers or not all(map(math.isfinite, numbers)):
        raise BadInput(f'--vary "{text}": "{part}" is no number; expected 3,5,8 or from:to:step')
    if len(numbers) == 1:
        return numbers
    if len(numbers) != 3:
        raise BadInput(f'--vary "{text}": "{part}" has {len(numbers)} parts; expected from:to:step')
    low, high, step = numbers
    if step <= 0 or high < low:
        raise BadInput(
            f'--vary "{text}": "{part}" never gets there; expected from <= to and a step above zero'
        )
    count = math.floor((high - low) / step + _SAME_STEP) + 1
    if count > LARGEST_GRID:
        raise BadInput(f'--vary "{text}": {count:,} values; expected at most {LARGEST_GRID:,}')
    # Rounded, so that 0.180 + 3 * 0.005 is the 0.195 that was meant.
    return [round(low + k * step, _DECIMALS) for k in range(count)]


def _check(request: Request, axes: Sequence[Axis]) -> None:
    known = bound_names(request)
    names = [axis.name for axis in axes]
    for axis in axes:
        if axis.name not in known:
            raise BadInput(f'no bound "{axis.name}" in {request.mode.upper()}; expected {one_of(known)}')
        if names.count(axis.name) > 1:
            raise BadInput(f"{axis.name} varies twice; name all its values in one --vary")
        _check_protection(request, axis)
    size = math.prod(len(axis.values) for axis in axes)
    if size > LARGEST_GRID:
        raise BadInput(f"the grid has {size:,} nodes; expected at most {LARGEST_GRID:,}: take a wider step")


def _check_protection(request: Request, axis: Axis) -> None:
    if axis.name not in _NARROWS_UPWARDS:
        return
    field, place = _places(request.bounds)[axis.name]
    bound = getattr(request.bounds, field)
    limit = bound if place is None else bound[place]
    upwards = _NARROWS_UPWARDS[axis.name]
    wider = [value for value in axis.values if (value < limit if upwards else value > limit)]
    if wider:
        raise BadInput(
            f"{axis.name} = {wider[0]:g} would widen a filter that protects hardware; "
            f"expected {'at least' if upwards else 'at most'} {limit:g}, the settings' bound"
        )


def _with(request: Request, node: Sequence[tuple[str, float]]) -> Request:
    places = _places(request.bounds)
    targets: dict[str, Any] = {_TARGET[name]: value for name, value in node if name in _TARGET}
    changes: dict[str, Any] = {}
    for name, value in node:
        if name in _TARGET:
            continue
        field, place = places[name]
        if place is None:
            changes[field] = value
        else:
            pair = list(changes.get(field, getattr(request.bounds, field)))
            pair[place] = value
            changes[field] = tuple(pair)
    if isinstance(request, PlaceRequest):
        return replace(request, bounds=replace(request.bounds, **changes), **targets)
    return replace(request, bounds=replace(request.bounds, **changes), **targets)


def _places(bounds: PlaceLookup | PickLookup) -> dict[str, tuple[str, int | None]]:
    """Name each number of the bounds: its field and, of a range, which end."""
    places: dict[str, tuple[str, int | None]] = {}
    for f in fields(bounds):
        if f.name == "ref_joints":
            continue
        short = next(f.name.removesuffix(unit) for unit in _UNITS if f.name.endswith(unit))
        if f.name in ("ee_y_band_m", "j4_safe_deg"):
            places |= {f"{short}_low": (f.name, 0), f"{short}_high": (f.name, 1)}
        else:
            places[short] = (f.name, None)
    return places
