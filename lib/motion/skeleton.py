"""What a drawing of the arm needs: the joints as a chain of points, two fingers, the cup's axis."""

from __future__ import annotations

import numpy as np

from lib.motion.grasp import tool_frames
from lib.motion.minimum_jerk import Values
from lib.robot import Robot, link_frames, shape_of

CHAIN = 7
"""Points of the chain: the base, then the joints from the shoulder on, then where the gripper begins."""


def skeleton(
    robot: Robot,
    joints_deg: Values,
    gripper_value: Values,
    cup_m: Values,
    cup_up: Values,
    cup_height_m: float,
) -> Values:
    """Return the points [m] (n, 13, 3) of n frames in the twin's axes.

    The first seven are the chain from the base on; then root and tip of the left finger, of the right
    finger; then the middle of the cup's bottom and of its top. ``joints_deg`` is (n, 6),
    ``gripper_value`` (n,), ``cup_m`` and ``cup_up`` (n, 3).
    """
    gripper = shape_of(robot).gripper
    assert gripper is not None, "what was played has a gripper"
    _, origins_m = link_frames(robot, joints_deg)
    axes, tips_m = tool_frames(robot, joints_deg)
    across, forward = axes @ gripper.across, axes[:, :, 2]
    closed_m, open_m = gripper.stroke_m
    half_m = (closed_m + (open_m - closed_m) * gripper_value / 100.0) / 2.0 + gripper.finger_radius_m
    begins_m, ends_m = gripper.finger_span_m
    points = np.zeros((len(joints_deg), 13, 3))
    points[:, 1:6] = origins_m[:, 1:] @ robot.twin_axes.T
    points[:, 6] = tips_m + forward * (begins_m - robot.tip_m[2])
    for finger, side in ((7, -1.0), (9, 1.0)):
        middle_m = tips_m + side * across * half_m[:, None]
        points[:, finger] = middle_m + forward * (begins_m - robot.tip_m[2])
        points[:, finger + 1] = middle_m + forward * (ends_m - robot.tip_m[2])
    points[:, 11] = cup_m
    points[:, 12] = cup_m + cup_up * cup_height_m
    return points
