"""Many guesses at once, each pulled to the nearest joint values that explain the corners.

The loss is Geman and McClure's, d^2 / (1 + d^2 / s^2) with d a corner's error in pixels: beyond a
few s a corner hardly pulls at all. Its scale s shrinks from what a coarse guess leaves to what
a good one does (graduated non-convexity), each step a damped Gauss-Newton step with the weights
1 / (1 + d^2 / s^2)^2.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.homing.lens import Array
from lib.homing.pixel_ba.reprojection import CameraPoses, joint_slopes, reproject, slopes
from lib.homing.pixel_ba.sightings import Sightings
from lib.robot import Tree

_DAMPING = 1e-4
_LONGEST_STEP = 0.5
"""Of any variable [rad or m] in one step: beyond it the slopes say nothing."""


@dataclass(frozen=True, eq=False)
class Problem:
    """What joint values are held against."""

    tree: Tree
    sightings: Sightings
    poses: CameraPoses

    def seeing(self, chosen: NDArray[np.bool_]) -> Problem:
        """Return the problem with only the chosen views."""
        return Problem(self.tree, self.sightings.rows(chosen), self.poses)


def costs(problem: Problem, values: Array, scale_px: float) -> Array:
    """Return the loss [px^2] of each guess: values (b, variables) to (b,)."""
    residuals = reproject(problem.tree, problem.sightings, problem.poses, values).residuals_px
    squared = (residuals * residuals).sum(axis=-1)
    return np.asarray((squared / (1.0 + squared / scale_px**2))[:, problem.sightings.trusted].sum(axis=-1))


def descend(problem: Problem, values: Array, free: Sequence[int], scales_px: Sequence[float]) -> Array:
    """Return the guesses (b, variables) after one step a scale over the ``free`` variables."""
    values = values.copy()
    for scale_px in scales_px:
        normal, pull = normal_equations(problem, values, free, scale_px)
        diagonal = np.einsum("bkk->bk", normal)
        diagonal += _DAMPING * diagonal + 1e-9
        step = np.linalg.solve(normal, -pull[..., None])[..., 0]
        longest = np.abs(step).max(axis=1, keepdims=True, initial=_LONGEST_STEP)
        values[:, list(free)] += step * (_LONGEST_STEP / longest)
    return values


def normal_equations(
    problem: Problem, values: Array, free: Sequence[int], scale_px: float
) -> tuple[Array, Array]:
    """Return J^T W J (b, f, f) and J^T W r (b, f) of the weighted corners over the free variables."""
    tree, sightings = problem.tree, problem.sightings
    at = reproject(tree, sightings, problem.poses, values)
    in_root, _ = slopes(sightings, problem.poses, at)
    j = joint_slopes(tree, sightings, at, in_root, free)
    squared = (at.residuals_px * at.residuals_px).sum(axis=-1)
    weights = sightings.trusted / (1.0 + squared / scale_px**2) ** 2
    batch = len(values)
    weighted = (j * weights[..., None, None]).reshape(batch, -1, len(free)).swapaxes(1, 2)
    return weighted @ j.reshape(batch, -1, len(free)), (weighted @ at.residuals_px.reshape(batch, -1, 1))[
        ..., 0
    ]
