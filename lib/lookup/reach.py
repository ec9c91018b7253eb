"""Where the table reaches: the lookup asked over a grid of targets, and what binds where it does not."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.batch import lookup_many
from lib.lookup.binding import ABSENCE_OF_POINTS, with_binding_filters
from lib.lookup.request import PickRequest, PlaceRequest, Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Table
from lib.settings import PickLookup, PlaceLookup

# What was read for one target serves the next, so they are explained many at once.
_AT_ONCE = 500

Values = NDArray[np.float64]


@dataclass(frozen=True)
class Area:
    """A rectangle of targets in the twin's x and z."""

    x_m: tuple[float, float]
    z_m: tuple[float, float]

    def axes(self, step_m: float) -> tuple[Values, Values]:
        """Return x (c,) and z (r,) of a grid over the area [m], both edges included."""
        xs, zs = (
            np.linspace(low, high, max(round((high - low) / step_m), 1) + 1)
            for low, high in (self.x_m, self.z_m)
        )
        return xs, zs


@dataclass(frozen=True, eq=False)
class Reach:
    """What the lookup answers over a grid."""

    xs_m: Values
    """x of the columns [m], of shape (c,)."""
    zs_m: Values
    """z of the rows [m], of shape (r,)."""
    distance_m: Values
    """xz distance of the selected row [m], of shape (r, c); NaN where there is none to send the arm to."""
    bound_by: NDArray[np.str_]
    """What binds there: a filter, ``score_weights`` or ``absence_of_points``, of shape (r, c); empty
    where the target is reached."""
    table_version: int | None

    @property
    def reached(self) -> NDArray[np.bool_]:
        """Where there is a row to send the arm to, of shape (r, c)."""
        return np.isfinite(self.distance_m)

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick table map --json` prints of it."""
        return {
            "table_version": self.table_version,
            "targets": self.reached.size,
            "reached": int(self.reached.sum()),
            "bound_by": dict(Counter(name for name in self.bound_by.ravel().tolist() if name).most_common()),
            "x_m": self.xs_m.tolist(),
            "z_m": self.zs_m.tolist(),
            "xz_distance_m": self.distance_m.tolist(),
            "binding_filter": [[name or None for name in row] for row in self.bound_by.tolist()],
        }


def reach(
    table: Table,
    bounds: PlaceLookup | PickLookup,
    area: Area,
    step_m: float,
    progress: Callable[[int, int], None] = lambda done, rows: None,
) -> Reach:
    """Look every grid point of an area up, PLACE or PICK by the bounds.

    ``progress`` is told how many of the targets out of reach are explained, and how many there are.
    Raises BadInput for bounds that make no sense.
    """
    xs_m, zs_m = area.axes(step_m)
    requests = _requests(bounds, xs_m, zs_m)
    results = lookup_many(table, requests)
    distance_m = np.array([_sendable_distance_m(result) for result in results])
    missed = np.flatnonzero(np.isnan(distance_m))
    bound_by = np.full(len(requests), "", dtype="U24")
    for done in range(0, len(missed), _AT_ONCE):
        progress(done, len(missed))
        some = missed[done : done + _AT_ONCE].tolist()
        asked = with_binding_filters(table, [requests[k] for k in some], [results[k] for k in some])
        bound_by[some] = [_binding(result) for result in asked]
    shape = (len(zs_m), len(xs_m))
    return Reach(xs_m, zs_m, distance_m.reshape(shape), bound_by.reshape(shape), table.version)


def distances(table: Table, bounds: PlaceLookup | PickLookup, area: Area, step_m: float) -> Values:
    """Look every grid point up; return the xz distances [m] as ``Reach.distance_m`` holds them."""
    xs_m, zs_m = area.axes(step_m)
    results = lookup_many(table, _requests(bounds, xs_m, zs_m))
    return np.array([_sendable_distance_m(r) for r in results]).reshape(len(zs_m), len(xs_m))


def _sendable_distance_m(result: LookupResult) -> float:
    return math.nan if result.xz_distance_m is None or not result.sendable else result.xz_distance_m


def _binding(result: LookupResult) -> str:
    if result.found:
        return "j4_safe"  # there is a row, but none that is safe
    return result.binding_filter or ABSENCE_OF_POINTS


def _requests(bounds: PlaceLookup | PickLookup, xs_m: Values, zs_m: Values) -> list[Request]:
    targets = [(x_m, z_m) for z_m in zs_m.tolist() for x_m in xs_m.tolist()]
    if isinstance(bounds, PlaceLookup):
        return [PlaceRequest(x_m, z_m, bounds) for x_m, z_m in targets]
    return [PickRequest(x_m, z_m, bounds) for x_m, z_m in targets]
