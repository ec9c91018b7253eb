"""Where a plan wants the cup: carried in the tool's frame from the grasp to the place, never in the floor."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.motion.grasp import Grasp, above_floor, tool_frames, upright, yaw_deg
from lib.motion.minimum_jerk import Values
from lib.motion.plan import Plan
from lib.motion.states import HOLDING, State
from lib.robot import Robot


@dataclass(frozen=True, eq=False)
class CommandedCup:
    """The cup at every frame of a plan, in the twin's axes."""

    axes: Values
    """The cup's axes as columns, of shape (n, 3, 3)."""
    free_m: Values
    """Its foot before the floor's clamp [m], of shape (n, 3)."""
    foot_m: Values
    """Its foot [m], of shape (n, 3): never below the floor, and upright on it once let go."""


def commanded_cup(plan: Plan, robot: Robot, start_m: Values, floor_m: float) -> CommandedCup:
    """Return where the cup goes that stands upright at ``start_m`` (3,) before the grasp."""
    tool_axes, tips_m = tool_frames(robot, plan.targets_deg)
    states = [State(name) for name in plan.states]
    carried = np.array([state in HOLDING for state in states])
    grasped = int(np.flatnonzero([state is State.GRABBING for state in states])[-1])
    grasp = Grasp.recorded(tool_axes[grasped], tips_m[grasped], np.eye(3), start_m)
    axes, free_m = grasp.cup_poses(tool_axes, tips_m)
    foot_m = above_floor(free_m, floor_m)
    last = int(np.flatnonzero(carried)[-1])
    stands = slice(0, grasped + 1)
    axes[stands], free_m[stands], foot_m[stands] = np.eye(3), start_m, start_m
    put_down_m = np.array([foot_m[last, 0], floor_m, foot_m[last, 2]])
    let_go = slice(last + 1, None)
    axes[let_go], free_m[let_go], foot_m[let_go] = (
        upright(yaw_deg(axes[last : last + 1])[0]),
        put_down_m,
        put_down_m,
    )
    return CommandedCup(axes, free_m, foot_m)
