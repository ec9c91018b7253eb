"""What keeps an answer from being nearer: the step that moved the nearest row farthest away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

from lib.lookup.condition import Condition
from lib.lookup.family import Family
from lib.lookup.filters import Filter
from lib.lookup.nearest import Best
from lib.lookup.request import Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Table

ABSENCE_OF_POINTS = "absence_of_points"
SCORE_WEIGHTS = "score_weights"

# Steps that lose less than this are not what keeps the answer away.
_NOTHING_LOST_M = 1e-6


def with_binding_filters(
    table: Table, requests: Sequence[Request], results: Sequence[LookupResult]
) -> list[LookupResult]:
    """Fill in, for each answered request, the step that cost it the most distance.

    ``absence_of_points`` where the whole table has nothing nearer, a filter's name, or
    ``score_weights`` where a nearer candidate lost by its score; None where nothing is lost.
    """
    nearest = _Nearest(table)
    return [
        replace(result, binding_filter=_binding(nearest, request, result))
        for request, result in zip(requests, results, strict=True)
    ]


def _binding(nearest: _Nearest, request: Request, result: LookupResult) -> str | None:
    met: tuple[Filter, ...] = ()
    best = nearest.best(request, met)
    losses = [(_distance_m(best), ABSENCE_OF_POINTS)]
    for step in request.filters:
        if best is None:
            break
        so_far_m = _distance_m(best)
        if not nearest.meets(best, step):
            beyond = nearest.best(request, (*met, step))
            if beyond is None and step.steps_aside:
                continue
            best = beyond
        met = (*met, step)
        losses.append((_distance_m(best) - so_far_m, step.name))
    selected_m = result.beyond_guard[1] if result.beyond_guard else result.xz_distance_m
    if selected_m is not None:
        losses.append((selected_m - _distance_m(best), SCORE_WEIGHTS))
    loss_m, name = max(losses, key=lambda loss: loss[0])
    return name if loss_m > _NOTHING_LOST_M else None


def _distance_m(best: Best | None) -> float:
    return math.inf if best is None else math.sqrt(best.key)


class _Nearest:
    """The nearest row that meets some filters; what was read for one request serves the next."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._families: dict[tuple[Filter, ...], Family] = {}

    def best(self, request: Request, filters: tuple[Filter, ...]) -> Best | None:
        """Return the row nearest to the target, None where none meets the filters."""
        if filters not in self._families:
            conditions: list[Condition] = [c for f in filters for c in f.conditions]
            self._families[filters] = Family(self._table, conditions)
        return self._families[filters].best(request.x_m, request.z_m)

    def meets(self, best: Best, step: Filter) -> bool:
        """Tell whether a row meets one more filter; then no other is nearer."""
        row = self._table.blocks.columns[:, best.position]
        return all(condition.holds(row[condition.column]) for condition in step.conditions)
