"""The rows that lie off the chain, and how far off they are once a supposed mistake is undone."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.robot import Robot, tip_points, tips_in_flange

Array = NDArray[np.float64]

# Enough rows to tell causes apart, far from enough to wait for.
SAMPLE_ROWS = 2_000


@dataclass(frozen=True, eq=False)
class Suspects:
    """Rows of a scan that do not fit, and what they should fit.

    - ``points``: the scan's rows, of shape (n, 9) [m, deg]; ``places``: those of its rows that are off, of
      shape (k,), ascending;
    - ``tip_m``: the tool tip in the last link [m] of the rows that do fit, None where nothing is known to
      fit: then a tip is found with every cause;
    - ``limit_m``: how far off a row may lie [m].
    """

    robot: Robot
    points: Array
    places: NDArray[np.int64]
    tip_m: Array | None
    limit_m: float

    @property
    def sample(self) -> NDArray[np.int64]:
        """At most 2,000 of the places, evenly."""
        return self.places[:: max(1, -(-len(self.places) // SAMPLE_ROWS))]

    @property
    def tips_m(self) -> Array:
        """The tips of the sample [m], of shape (m, 3)."""
        return self.points[self.sample, 0:3]

    @property
    def joints_deg(self) -> Array:
        """The joints of the sample [deg], of shape (m, 6)."""
        return self.points[self.sample, 3:9]

    def off_m(self, joints_deg: Array, tips_m: Array) -> Array:
        """Return how far (m,) [m] rows lie off: from the known tip, or from one that suits most of them."""
        implied_m = tips_in_flange(self.robot, joints_deg, tips_m)
        centre = np.median(implied_m, axis=0) if self.tip_m is None else self.tip_m
        return lengths(implied_m - centre)

    def expected_m(self, joints_deg: Array) -> Array:
        """Return where the known tip would be at the joints (m, 6): (m, 3) [m] in the twin's axes."""
        assert self.tip_m is not None
        return tip_points(replace(self.robot, tip_m=self.tip_m), joints_deg)


@dataclass(frozen=True)
class Explanation:
    """A cause, and how far off the suspects lie when it is undone."""

    name: str
    """A few words that are the same every time."""
    said: str
    """What it was, with its numbers."""
    off_m: Array
    """How far the sample's rows are off [m], of shape (m,)."""

    @property
    def left_m(self) -> float:
        """How far off the sample's middle row is [m]."""
        return float(np.median(self.off_m)) if len(self.off_m) else float("inf")


def lengths(vectors_m: Array) -> Array:
    """Return the lengths (m,) of vectors (m, 3)."""
    return np.sqrt((vectors_m**2).sum(axis=1))


def in_mm(vector_m: Array) -> str:
    """Write a vector [m] in millimetres: ``(5.0, 0.0, -1.2)``."""
    return "(" + ", ".join(f"{round(1e3 * float(value), 1) + 0.0:.1f}" for value in vector_m) + ")"
