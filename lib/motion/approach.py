"""Where an approach brings the tool: poses found by the robot's reach, seen from grasp and place.

The fingers straddle the cup, so the tool enters from the front or from above and keeps its direction;
one that comes from the side swings round to the front first. It leaves the place the same way.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np

from lib.motion.grasp import tool_frames
from lib.motion.minimum_jerk import Values
from lib.motion.plan import Waypoints
from lib.motion.reach import reach
from lib.robot import Robot
from lib.settings_motion import Approach, Sequence
from lib.settings_reading import Joints


@dataclass(frozen=True)
class Unreachable(Exception):
    """A waypoint the robot cannot hold the tool at within its joint limits."""

    where: str
    numbers: Mapping[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        """Say how far the nearest pose stays away."""
        return (
            f"{self.where}: the nearest pose within the joint limits is "
            f"{self.numbers['place_error_m'] * 1e3:.1f} mm and {self.numbers['turn_error_deg']:.1f} deg away"
        )


def approached(robot: Robot, sequence: Sequence, approach: Approach) -> tuple[Sequence, Waypoints]:
    """Return the sequence with its carrying poses raised, and the waypoints before cup and after place.

    Raises Unreachable naming the first waypoint out of reach.
    """
    carried = replace(
        sequence,
        lift_deg=_raised(robot, sequence.lift_deg, approach.carry_m, "lifted"),
        above_place_deg=_raised(robot, sequence.above_place_deg, approach.carry_m, "above the place"),
    )
    before_cup = _on_the_way(robot, sequence.home_deg, sequence.to_cup_deg, approach, "before the cup")
    after_place = _on_the_way(robot, sequence.home_deg, sequence.lowered_deg, approach, "after the place")
    return carried, Waypoints(before_cup, after_place[::-1])


def _raised(robot: Robot, pose_deg: Joints, up_m: float, where: str) -> Joints:
    if up_m == 0.0:
        return pose_deg
    joints = [float(joint) for joint in _moved(robot, np.array(pose_deg), np.array([0.0, up_m, 0.0]), where)]
    return (joints[0], joints[1], joints[2], joints[3], joints[4], joints[5])


def _on_the_way(robot: Robot, home_deg: Joints, pose_deg: Joints, approach: Approach, where: str) -> Values:
    """Return the waypoints (w, 6) from home to a pose: aside first where the approach is from the side."""
    pose = np.array(pose_deg)
    axes, tips_m = tool_frames(robot, np.array([home_deg, pose_deg]))
    right, forward = _level(axes[1][:, 0]), _level(axes[1][:, 2])
    towards_home = right * np.sign(right @ (tips_m[0] - tips_m[1]))
    entry_m = np.array([0.0, approach.up_m, 0.0]) - approach.back_m * forward
    shifts_m = [entry_m] if entry_m.any() else []
    if approach.side_m:
        shifts_m.insert(0, entry_m + approach.side_m * towards_home)
    poses = [_moved(robot, pose, shift_m, f"waypoint {where}") for shift_m in shifts_m]
    return np.array(poses).reshape(-1, 6)


def _moved(robot: Robot, pose_deg: Values, shift_m: Values, where: str) -> Values:
    axes, tips_m = tool_frames(robot, pose_deg[None])
    found = reach(robot, pose_deg, tips_m[0] + shift_m, axes[0])
    if not found.ok:
        raise Unreachable(
            where, {"place_error_m": found.place_error_m, "turn_error_deg": found.turn_error_deg}
        )
    return found.joints_deg


def _level(direction: Values) -> Values:
    """Return the unit vector (3,) along a direction in the table's plane."""
    flat = direction * np.array([1.0, 0.0, 1.0])
    return flat / np.linalg.norm(flat)
