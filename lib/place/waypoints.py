"""Poses on the way: above a pose that was looked up, by the smallest step of the joints."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lib.lookup.refine import smallest_step
from lib.place.aiming import INSIDE_DEG, Pose
from lib.place.memory import Vector
from lib.robot import Robot, flange_poses, shape_of, tip_points

Array = NDArray[np.float64]

_ALL_ALIKE = np.ones(3)
_UP = np.array([0.0, 1.0, 0.0])
_TOOL_M = 0.1
_DIFFERENCE_DEG, _SETTLED_DEG = 1e-3, 1e-5
_LEVEL_STEPS, _LARGEST_STEP_DEG, _LEVEL_M = 25, 10.0, 5e-4
# What is this far from where it should be is no waypoint: the arm does not reach there.
_REACHED_M = 0.002


class Waypoints:
    """One robot's, inside its limits and the safe range of j4."""

    def __init__(
        self, robot: Robot, safe_deg: tuple[float, float], largest_step_m: float, start_deg: Pose
    ) -> None:
        """Take the robot; lowering goes down by ``largest_step_m`` at most from one pose to the next.

        ``start_deg`` is a pose like those in which things are gripped: solving begins there.
        """
        self._robot = robot
        self._low, self._high = robot.limits_deg.T.copy()
        self._low[4] = max(self._low[4], safe_deg[0] + INSIDE_DEG)
        self._high[4] = min(self._high[4], safe_deg[1] - INSIDE_DEG)
        self._largest_step_m, self._start = largest_step_m, np.array(start_deg)
        gripper = shape_of(robot).gripper
        self._across = np.array([1.0, 0.0, 0.0]) if gripper is None else gripper.across

    def tips(self, poses_deg: Array) -> Array:
        """Return the tool tips [m] (n, 3) that the robot's chain gives, in the twin's axes."""
        return tip_points(self._robot, poses_deg)

    def above(self, pose_deg: Pose, heights_m: list[float]) -> list[Pose] | None:
        """Return poses with the tip straight above a pose's by each height, the lowest first.

        None where one of them cannot be reached.
        """
        start = np.array(pose_deg)
        foot = self.tips(start[None])[0]
        low, high = self._low.copy(), self._high.copy()
        low[5] = high[5] = start[5]  # the last joint turns the tool, and what it holds, about itself
        found: list[Pose] = []
        for height_m in heights_m:
            wanted = foot + height_m * _UP
            start = smallest_step(self.tips, start, wanted, _ALL_ALIKE, low, high)
            if np.linalg.norm(self.tips(start[None])[0] - wanted) > _REACHED_M:
                return None
            found.append(rounded(start))
        return found

    def level(self, tip_m: Vector, pitch_deg: float) -> Pose | None:
        """Return the pose with the tip at a place, the tool rising by a pitch and not rolled to a side.

        The last joint stays at what makes the fingers open sideways. None where the arm cannot do that.
        """
        pose = self._start.copy()
        pose[0] = -np.degrees(np.arctan2(tip_m[0], tip_m[2]))
        shifts = np.vstack([np.zeros(6), _DIFFERENCE_DEG * np.eye(6)[:5]])
        for _ in range(_LEVEL_STEPS):
            missed = self._not_level(pose + shifts, tip_m, pitch_deg)
            jacobian = (missed[1:] - missed[0]).T / _DIFFERENCE_DEG
            step = np.linalg.lstsq(jacobian, -missed[0], rcond=1e-4)[0]
            pose[:5] += step * min(1.0, _LARGEST_STEP_DEG / max(float(np.abs(step).max()), 1e-9))
            if np.abs(step).max() < _SETTLED_DEG:
                break
        inside = (pose >= self._low).all() and (pose <= self._high).all()
        reached = np.abs(self._not_level(pose[None], tip_m, pitch_deg)).max() < _LEVEL_M
        return rounded(pose) if inside and reached else None

    def _not_level(self, poses_deg: Array, tip_m: Vector, pitch_deg: float) -> Array:
        """Return how far tips, pitch and roll of poses (n, 6) are from those wanted, of shape (n, 5).

        Directions count as the place of a point on the tool a tenth of a metre away [m].
        """
        turns, _ = flange_poses(self._robot, poses_deg)
        rises = turns[:, 2, 2] - np.sin(np.radians(pitch_deg))
        rolls = (turns @ self._across)[:, 2]
        off_m = self.tips(poses_deg) - tip_m
        return np.column_stack([off_m, _TOOL_M * rises, _TOOL_M * rolls])

    def ladder(self, pose_deg: Pose, height_m: float) -> list[Pose] | None:
        """Return poses above a pose up to a height, so near to each other that the clamp holds."""
        steps = math.ceil(height_m / self._largest_step_m - 1e-9)
        return self.above(pose_deg, [height_m * (k + 1) / steps for k in range(steps)])

    def down(self, start_deg: Pose, target_deg: Pose) -> list[Pose]:
        """Return poses from one to another, the last one being it, that go down by the clamp at most."""
        heights = self.tips(np.array([start_deg, target_deg]))[:, 1]
        steps = max(1, math.ceil((heights[0] - heights[1]) / self._largest_step_m - 1e-9))
        start, target = np.array(start_deg), np.array(target_deg)
        return [rounded(start + (target - start) * (k + 1) / steps) for k in range(steps)]


def rounded(pose_deg: Array) -> Pose:
    """Return a pose as plain numbers in whole hundredths of a degree, as the arm takes them."""
    j0, j1, j2, j3, j4, j5 = (round(float(joint), 2) for joint in pose_deg)
    return j0, j1, j2, j3, j4, j5
