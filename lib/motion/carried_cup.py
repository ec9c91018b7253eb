"""Whether the cup, carried as a plan commands, stays out of what it starts on and is put on."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.cell import Layout
from lib.motion.commanded import commanded_cup
from lib.motion.minimum_jerk import Values
from lib.motion.plan import Plan
from lib.robot import Robot
from lib.settings_cell import Cell as CellSettings

# A cup that stands on its support touches it.
TOUCHING_M = 0.0005
_AROUND = 16
_RING_EVERY_M = 0.01


@dataclass(frozen=True)
class CupHit:
    """The deepest place the carried cup would be driven to."""

    obstacle: str
    depth_m: float
    state: str
    """What the arm would be at."""


def cup_start_m(layout: Layout) -> Values:
    """Return where the cup's foot stands before the grasp [m], of shape (3,)."""
    low_m, high_m = np.array(layout.support.low_m), np.array(layout.support.high_m)
    return np.array([(low_m[0] + high_m[0]) / 2, high_m[1], (low_m[2] + high_m[2]) / 2])


def carried_cup_hit(
    plan: Plan, robot: Robot, cell: CellSettings, layout: Layout, floor_m: float
) -> CupHit | None:
    """Return what the carried cup would be driven into, None where it stays clear."""
    cup = commanded_cup(plan, robot, cup_start_m(layout), floor_m)
    carried = slice(plan.grasp_frame + 1, plan.release_frame + 1)
    skin_m = _skin(cell.cup_radius_m, cell.cup_height_m)
    points_m = cup.free_m[carried, None, :] + np.einsum("nij,pj->npi", cup.axes[carried], skin_m)
    worst = CupHit(
        "table", float(-points_m[..., 1].min()), _state(plan, points_m[..., 1].min(axis=1).argmin())
    )
    for box in (layout.support, layout.stand):
        low_m, high_m = np.array(box.low_m), np.array(box.high_m)
        depth_m = np.minimum(points_m - low_m, high_m - points_m).min(axis=2).max(axis=1)
        if depth_m.max() > worst.depth_m:
            worst = CupHit(box.name, float(depth_m.max()), _state(plan, depth_m.argmax()))
    return worst if worst.depth_m > TOUCHING_M else None


def _state(plan: Plan, carried_frame: np.intp) -> str:
    return str(plan.states[plan.grasp_frame + 1 + int(carried_frame)])


def _skin(radius_m: float, height_m: float) -> Values:
    """Return points on a cup that stands at the origin, rings from foot to rim, of shape (p, 3)."""
    angles = np.arange(_AROUND) * 2.0 * np.pi / _AROUND
    heights_m = np.linspace(0.0, height_m, 1 + max(1, round(height_m / _RING_EVERY_M)))
    rings = [
        np.column_stack([radius_m * np.cos(angles), np.full(_AROUND, y), radius_m * np.sin(angles)])
        for y in heights_m
    ]
    return np.vstack([*rings, [[0.0, 0.0, 0.0]]])
