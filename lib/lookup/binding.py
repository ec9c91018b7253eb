"""What keeps an answer from being nearer: the step that moved the nearest row farthest away."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lib.lookup.filter_pass import Stage, filter_pass
from lib.lookup.request import Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Column, Table

ABSENCE_OF_POINTS = "absence_of_points"
SCORE_WEIGHTS = "score_weights"

# Steps that lose less than this are not what keeps the answer away.
_NOTHING_LOST_M = 1e-6
_FIRST_WINDOW_M = 0.002


def with_binding_filters(
    table: Table, requests: Sequence[Request], results: Sequence[LookupResult]
) -> list[LookupResult]:
    """Fill in, for each answered request, the step that cost it the most distance.

    ``absence_of_points`` where the whole table has nothing nearer, a filter's name, or
    ``score_weights`` where a nearer candidate lost by its score; None where nothing is lost.
    """
    shared: dict[tuple[object, ...], list[tuple[str, _Nearest]]] = {}
    everything = _Nearest(table, np.arange(len(table)))
    filled = []
    for request, result in zip(requests, results, strict=True):
        key = (request.bounds, request.without)
        if key not in shared:
            stages = filter_pass(table, request.filters)
            shared[key] = [(ABSENCE_OF_POINTS, everything), *_nearest_after(stages, table)]
        filled.append(replace(result, binding_filter=_binding(shared[key], request, result)))
    return filled


def _nearest_after(stages: Sequence[Stage], table: Table) -> list[tuple[str, _Nearest]]:
    return [(stage.filter.name, _Nearest(table, stage.rows)) for stage in stages]


def _binding(steps: list[tuple[str, _Nearest]], request: Request, result: LookupResult) -> str | None:
    losses: list[tuple[float, str]] = []
    so_far_m = 0.0
    for name, nearest in steps:
        distance_m = nearest.distance_m(request.x_m, request.z_m)
        losses.append((distance_m - so_far_m, name))
        if math.isinf(distance_m):
            break
        so_far_m = distance_m
    selected_m = result.beyond_guard[1] if result.beyond_guard else result.xz_distance_m
    if selected_m is not None:
        losses.append((selected_m - so_far_m, SCORE_WEIGHTS))
    loss_m, name = max(losses, key=lambda loss: loss[0])
    return name if loss_m > _NOTHING_LOST_M else None


class _Nearest:
    """Distance to the nearest of some rows: rows sorted by x, searched in a window that widens."""

    def __init__(self, table: Table, rows: NDArray[np.intp]) -> None:
        x_m = table.column(Column.EE_X)[rows]
        order = np.argsort(x_m)
        self._x_m = x_m[order]
        self._z_m = table.column(Column.EE_Z)[rows[order]]

    def distance_m(self, x_m: float, z_m: float) -> float:
        """Return the distance of the nearest row [m], infinite where there is none."""
        window_m = _FIRST_WINDOW_M
        while True:
            start = int(np.searchsorted(self._x_m, x_m - window_m, side="left"))
            stop = int(np.searchsorted(self._x_m, x_m + window_m, side="right"))
            near_m = math.inf
            if stop > start:
                dx, dz = self._x_m[start:stop] - x_m, self._z_m[start:stop] - z_m
                near_m = float(np.sqrt((dx * dx + dz * dz).min()))
            if near_m <= window_m or (start == 0 and stop == len(self._x_m)):
                return near_m
            window_m *= 4.0
