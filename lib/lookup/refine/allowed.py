"""Where a refined pose may be: inside the same filters as the row it starts from, and the robot's limits."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import Column
from lib.lookup.condition import Between, Condition
from lib.lookup.filters import Filter
from lib.lookup.request import Request
from lib.lookup.result import LookupResult

Array = NDArray[np.float64]
JOINTS = 6
JOINT_LIMITS = "joint_limits"

# A pose this near to a bound stands at it [deg].
_AT_BOUND_DEG = 1e-3


@dataclass(frozen=True, eq=False)
class Allowed:
    """The filters in force as ranges of joints and of the tip's height."""

    filters: tuple[Filter, ...]
    """Those that did not step aside for the selected row."""
    low_deg: Array
    """Lowest value of each joint, of shape (6,)."""
    high_deg: Array
    """Highest value of each joint, of shape (6,)."""
    low_by: tuple[str, ...]
    """Whose bound each lowest value is."""
    high_by: tuple[str, ...]
    heights_m: tuple[float, float]
    """Lowest and highest tool tip [m]."""

    @classmethod
    def of(cls, request: Request, result: LookupResult, ranges_deg: Array) -> Allowed:
        """Gather the request's filters, without the height target where it stepped aside.

        ``ranges_deg`` (6, 2) is how far each joint may go whatever the filters say.
        """
        aside = {"ee_y_target"} if "ee_y_tol_empty" in result.method else set()
        return cls.of_filters([f for f in request.filters if f.name not in aside], ranges_deg)

    @classmethod
    def of_filters(cls, filters: Sequence[Filter], ranges_deg: Array) -> Allowed:
        """Gather filters, all of them in force."""
        low, high = ranges_deg[:, 0].copy(), ranges_deg[:, 1].copy()
        low_by, high_by = [JOINT_LIMITS] * JOINTS, [JOINT_LIMITS] * JOINTS
        bottom_m, top_m = -np.inf, np.inf
        for step in filters:
            for condition in step.conditions:
                lowest, highest = _range(condition)
                if condition.column == Column.EE_Y:
                    bottom_m, top_m = max(bottom_m, lowest), min(top_m, highest)
                elif condition.column >= Column.J0:
                    k = condition.column - Column.J0
                    if lowest > low[k]:
                        low[k], low_by[k] = lowest, step.name
                    if highest < high[k]:
                        high[k], high_by[k] = highest, step.name
        return cls(tuple(filters), low, high, tuple(low_by), tuple(high_by), (bottom_m, top_m))

    @property
    def is_empty(self) -> bool:
        """Whether the bounds exclude each other."""
        return bool((self.low_deg > self.high_deg).any()) or self.heights_m[0] > self.heights_m[1]

    def height_m(self, wanted_m: float, margin_m: float) -> float:
        """Return the height inside the bounds by a margin that is nearest to the wanted one [m]."""
        bottom_m, top_m = self.heights_m
        if top_m - bottom_m < 2 * margin_m:
            return 0.5 * (bottom_m + top_m)
        return float(np.clip(wanted_m, bottom_m + margin_m, top_m - margin_m))

    def rounded(self, joints_deg: Array, decimals: int) -> Array:
        """Round a pose (6,) to the twin's decimals without leaving the bounds."""
        unit = 10.0**decimals
        nearest = np.rint(joints_deg * unit) / unit
        inside = np.where(nearest < self.low_deg, np.ceil(self.low_deg * unit - 1e-6) / unit, nearest)
        return np.where(inside > self.high_deg, np.floor(self.high_deg * unit + 1e-6) / unit, inside)

    def broken_by(self, point: Array) -> str | None:
        """Name the first filter that a predicted row (9,) does not meet; None where it meets all."""
        for step in self.filters:
            if not all(condition.holds(point[condition.column]) for condition in step.conditions):
                return step.name
        return None

    def held_by(self, joints_deg: Array, height_m: float, margin_m: float) -> tuple[str, ...]:
        """Name the filters and limits at whose bound a pose stands."""
        names = []
        for k in range(JOINTS):
            if self.high_deg[k] - self.low_deg[k] <= 2 * _AT_BOUND_DEG:
                continue  # it never could move
            if joints_deg[k] - self.low_deg[k] <= _AT_BOUND_DEG:
                names.append(self.low_by[k])
            elif self.high_deg[k] - joints_deg[k] <= _AT_BOUND_DEG:
                names.append(self.high_by[k])
        bottom_m, top_m = self.heights_m
        for step in self.filters:
            for condition in step.conditions:
                if condition.column == Column.EE_Y:
                    lowest, highest = _range(condition)
                    at_bottom = lowest == bottom_m and height_m - bottom_m <= 2 * margin_m + 1e-6
                    at_top = highest == top_m and top_m - height_m <= 2 * margin_m + 1e-6
                    if at_bottom or at_top:
                        names.append(step.name)
        return tuple(dict.fromkeys(names))


def _range(condition: Condition) -> tuple[float, float]:
    if isinstance(condition, Between):
        return condition.low, condition.high
    return condition.centre - condition.tolerance, condition.centre + condition.tolerance
