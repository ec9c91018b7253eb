"""Closing a residual in x and z from a pose: where the joints may go, at which height."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import Column
from lib.lookup.refine.allowed import Allowed
from lib.lookup.refine.known_chain import KnownChain
from lib.lookup.refine.refinement import Nearest
from lib.lookup.refine.smallest_step import Tips, smallest_step
from lib.lookup.table import Table

Array = NDArray[np.float64]

# A pose that leaves more than this does not close the residual: filters keep the target out of reach.
CLOSED_M = 1e-3
_AT_THE_PLACE_M = 2e-6
_DECIMALS = 4  # what the twin writes of an angle

# Where x and z cannot be met, the height must not pay for it: it is what clears the box.
_HEIGHT_FIRST = np.array([1.0, 300.0, 1.0])
_HEIGHT_LAST = np.array([1.0, 0.03, 1.0])


@dataclass(frozen=True, eq=False)
class Closing:
    """Where a step starts, where it may go, what it aims at."""

    allowed: Allowed
    start_deg: Array
    """Pose to start from, of shape (6,)."""
    height_m: float
    """Tip height to keep where x and z can be met at it [m]."""
    target_m: tuple[float, float]
    """x and z to meet [m]."""

    def pose(self, tips: Tips, margin_m: float, low_deg: Array, high_deg: Array) -> Array:
        """Return the pose (6,) in a box that meets x and z at the wanted height, else at another allowed one.

        Where none does it is the nearest. Heights keep ``margin_m`` from the bounds; angles are rounded.
        """
        x_m, z_m = self.target_m
        start = np.clip(self.start_deg, low_deg, high_deg)

        def reach(at_m: float, weights: Array) -> Array:
            return smallest_step(tips, start, np.array([x_m, at_m, z_m]), weights, low_deg, high_deg)

        height_m = self.allowed.height_m(self.height_m, margin_m)
        found = reach(height_m, _HEIGHT_FIRST)
        if self.off_m(tips, found) > _AT_THE_PLACE_M:
            free = reach(height_m, _HEIGHT_LAST)
            reached_m = self.allowed.height_m(float(tips(free[None])[0, 1]), margin_m)
            found = min((found, reach(reached_m, _HEIGHT_FIRST)), key=lambda pose: self.off_m(tips, pose))
        return self.allowed.rounded(found, _DECIMALS)

    def off_m(self, tips: Tips, pose: Array) -> float:
        """Return how far the tip of a pose is from the target in the x-z plane [m]."""
        tip = tips(pose[None])[0]
        return float(np.hypot(tip[0] - self.target_m[0], tip[2] - self.target_m[1]))

    def nearest(self, tips: Tips, pose: Array, margin_m: float) -> Nearest:
        """Describe a pose that does not close the residual, with what holds it."""
        height_m = float(tips(pose[None])[0, 1])
        return Nearest(
            tuple(pose.tolist()), self.off_m(tips, pose), self.allowed.held_by(pose, height_m, margin_m)
        )


def joint_ranges(table: Table, chain: KnownChain) -> Array:
    """Return how far each joint may go (6, 2): its limits; a joint that no row ever varied stays."""
    ranges = np.full((6, 2), [-np.inf, np.inf]) if chain.robot is None else chain.robot.limits_deg.copy()
    zones = table.blocks.zones
    low, high = zones.lows.min(axis=1)[Column.J0 :], zones.highs.max(axis=1)[Column.J0 :]
    alike = low == high
    ranges[alike] = low[alike, None]
    return ranges
