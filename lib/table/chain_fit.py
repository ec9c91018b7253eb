"""The constant tip vector that explains a table: found robustly, kept as sums, extended row by row.

Each measured point x at joints q implies a tip vector in the flange, y = R(q)^T (A^-1 x - p(q)) with
the chain's rotation R and place p and the twin's axes A. For a rigid tool all y are one vector, so
the least-squares tip is their mean and the residual of a row is |y - tip|: the chain's rotation
keeps lengths. Sums of y and |y|^2 are enough to go on from a parent version without its rows.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.robot import Robot, tips_in_flange

Array = NDArray[np.float64]
AXIS_NAMES = ("x", "y", "z")

# Rows whose differences are taken at once, to bound memory.
_AT_ONCE = 262_144


@dataclass(frozen=True)
class ChainFit:
    """How well the robot's chain and one tip vector explain a set of measured rows."""

    rows: int
    """Rows the tip was fitted to; suspects are left out."""
    tip_m: tuple[float, float, float]
    """Tool tip in the last link [m]."""
    sum_squares_m2: float
    """Sum of squared distances of those rows to the tip [m^2]."""
    worst_m: float
    """Largest distance of any row, suspects included [m]."""
    axes: str
    """The twin's axes in the vendor's, such as ``-y z x``."""

    @property
    def rms_m(self) -> float:
        """Root mean square distance of the fitted rows [m]."""
        return math.sqrt(self.sum_squares_m2 / self.rows) if self.rows else math.nan


def implied_tips(robot: Robot, points: Array) -> Array:
    """Return the tip vector (n, 3) [m] each of the table's rows (n, 9) implies."""
    return tips_in_flange(robot, points[:, 3:9], points[:, 0:3])


def fit_tips(robot: Robot, tips_m: Array, suspect_distance_m: float) -> ChainFit:
    """Fit one tip to implied tips (n, 3): the mean of those within ``suspect_distance_m`` of it.

    Starts at the median, which half of the rows being wrong does not move, and repeats until the
    set of rows stays the same. Without any row the fit has no rows and a NaN tip.
    """
    if not len(tips_m):
        return ChainFit(0, (math.nan,) * 3, 0.0, 0.0, axes_name(robot.twin_axes))
    centre = np.median(tips_m, axis=0)
    near = np.zeros(len(tips_m), dtype=bool)
    for _ in range(20):
        distances_m = _distances(tips_m, centre)
        now = distances_m <= suspect_distance_m
        if not now.any() or np.array_equal(now, near):
            break
        near, centre = now, tips_m[now].mean(axis=0)
    distances_m = _distances(tips_m, centre)
    return ChainFit(
        rows=int(near.sum()),
        tip_m=(float(centre[0]), float(centre[1]), float(centre[2])),
        sum_squares_m2=float((distances_m[near] ** 2).sum()),
        worst_m=float(distances_m.max()),
        axes=axes_name(robot.twin_axes),
    )


def extend_fit(parent: ChainFit, tips_m: Array, suspect_distance_m: float) -> ChainFit:
    """Return the fit of the parent's rows and these (n, 3) together, from the parent's sums alone.

    Means and squares are pooled as in Chan, Golub and LeVeque, "Updating formulae and a pairwise
    algorithm for computing sample variances" (1979).
    """
    distances_m = _distances(tips_m, np.array(parent.tip_m))
    near = tips_m[distances_m <= suspect_distance_m]
    worst_m = max(parent.worst_m, float(distances_m.max(initial=0.0)))
    if not len(near):
        return replace(parent, worst_m=worst_m)
    rows = parent.rows + len(near)
    step = near.mean(axis=0) - parent.tip_m
    tip = np.array(parent.tip_m) + step * (len(near) / rows)
    squares = parent.sum_squares_m2 + float(((near - near.mean(axis=0)) ** 2).sum())
    squares += float((step**2).sum()) * parent.rows * len(near) / rows
    return replace(
        parent,
        rows=rows,
        tip_m=(float(tip[0]), float(tip[1]), float(tip[2])),
        sum_squares_m2=squares,
        worst_m=worst_m,
    )


def distances_to(fit: ChainFit, tips_m: Array) -> Array:
    """Return how far each implied tip (n, 3) is from the fitted one [m]."""
    return _distances(tips_m, np.array(fit.tip_m))


def axes_name(axes: Array) -> str:
    """Write twin axes as ``-y z x``: what each twin axis is in the vendor's frame."""
    names = []
    for row in axes:
        k = int(np.argmax(np.abs(row)))
        names.append(("-" if row[k] < 0 else "") + AXIS_NAMES[k])
    return " ".join(names)


def _distances(tips_m: Array, centre: Array) -> Array:
    distances_m = np.empty(len(tips_m))
    for start in range(0, len(tips_m), _AT_ONCE):
        some = slice(start, start + _AT_ONCE)
        distances_m[some] = np.sqrt(((tips_m[some] - centre) ** 2).sum(axis=1))
    return distances_m
