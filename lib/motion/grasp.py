"""The grasp: where the cup is in the tool's own frame, kept while the tool turns and tilts.

An offset kept in the room's axes would leave the cup behind as soon as j0 turns; kept in the tool's
axes it goes along: recorded once as R^T (cup - tip), it is put back as tip + R offset each frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lib.motion.minimum_jerk import Values
from lib.robot import Robot, flange_poses


def tool_frames(robot: Robot, joints_deg: ArrayLike) -> tuple[Values, Values]:
    """Return the tool's axes as columns (n, 3, 3) and its tip [m] (n, 3), both in the twin's axes.

    ``joints_deg`` has shape (n, 6). The twin's axes are left-handed, so these matrices mirror.
    """
    rotations, flanges_m = flange_poses(robot, joints_deg)
    tips_m = flanges_m + rotations @ robot.tip_m
    return robot.twin_axes @ rotations, tips_m @ robot.twin_axes.T


@dataclass(frozen=True, eq=False)
class Grasp:
    """The cup as the tool sees it."""

    offset_m: Values
    """From the tip to the cup's foot, in the tool's axes [m], of shape (3,)."""
    axes: Values
    """The cup's axes as columns, in the tool's axes, of shape (3, 3)."""

    @classmethod
    def recorded(cls, tool_axes: Values, tip_m: Values, cup_axes: Values, cup_m: Values) -> Grasp:
        """Record the grasp from tool and cup in the twin's axes: axes (3, 3), places [m] (3,)."""
        return cls(tool_axes.T @ (cup_m - tip_m), tool_axes.T @ cup_axes)

    def cup_poses(self, tool_axes: Values, tips_m: Values) -> tuple[Values, Values]:
        """Return the cup's axes (n, 3, 3) and foot [m] (n, 3) in the twin's axes, before the floor's clamp.

        ``tool_axes`` (n, 3, 3) and ``tips_m`` (n, 3) [m] are the tool's, frame by frame.
        """
        return tool_axes @ self.axes, tips_m + tool_axes @ self.offset_m


def above_floor(cups_m: Values, floor_m: float) -> Values:
    """Return the cup's places [m] (n, 3) with none below the floor [m]: a cup never sinks into the stand."""
    lifted = cups_m.copy()
    lifted[:, 1] = np.maximum(lifted[:, 1], floor_m)
    return lifted


def yaw_deg(cup_axes: Values) -> Values:
    """Return the cup's turn about the upright [deg] (n,) from its axes (n, 3, 3).

    As Unity counts it: 0 looks along z, 90 along x; of shape (n,).
    """
    return np.degrees(np.arctan2(cup_axes[:, 0, 2], cup_axes[:, 2, 2]))


def upright(turn_deg: float) -> Values:
    """Return the axes (3, 3) of a cup that stands upright, turned by so much [deg] about the upright."""
    cosine, sine = np.cos(np.radians(turn_deg)), np.sin(np.radians(turn_deg))
    return np.array([[cosine, 0.0, sine], [0.0, 1.0, 0.0], [-sine, 0.0, cosine]])
