"""The thing that an arm's servos move: what a controller can do to it and read from it."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

FloatArray = NDArray[np.float64]


class Body(Protocol):
    """An arm's joints and gripper behind six position servos; time passes only in ``drive``."""

    def drive(self, setpoint_deg: ArrayLike, gripper_value: float, duration_s: float) -> None:
        """Let ``duration_s`` of simulated time pass while the servos follow.

        The set point (6,) moves evenly from where it was and arrives at ``setpoint_deg`` at the end
        of the duration; the gripper closes (0) or opens (100) towards its value at its own speed.
        """

    def encoders_deg(self) -> FloatArray:
        """Return what the encoders read [deg], of shape (6,)."""

    def gripper_value(self) -> float:
        """Return how far the gripper is open, 0 to 100; a held object keeps it from 0."""

    def set_power(self, on: bool) -> None:
        """Switch the servos on, holding where the joints are, or off: released joints sag."""

    def pose_by_hand(self, joints_deg: ArrayLike) -> None:
        """Move the released arm as a person would, and hold it so until the power is on again.

        ``joints_deg`` (6,) is what the encoders shall read.
        """


class KinematicBody:
    """The ideal body: joints are where they are driven, without weight, play or contact."""

    def __init__(self, joints_deg: ArrayLike = (0.0,) * 6, gripper_value: float = 100.0) -> None:
        self.object_value: float | None = None
        """Gripper value at which an object between the fingers stops them; None: nothing there."""
        self._joints_deg = _six(joints_deg)
        self._gripper_value = float(gripper_value)
        self._powered = True

    def drive(self, setpoint_deg: ArrayLike, gripper_value: float, duration_s: float) -> None:
        """Take the set point at once; the duration changes nothing."""
        if not self._powered:
            return
        self._joints_deg = _six(setpoint_deg)
        wanted = min(max(float(gripper_value), 0.0), 100.0)
        if self.object_value is not None and self._gripper_value >= self.object_value:
            wanted = max(wanted, self.object_value)
        self._gripper_value = wanted

    def encoders_deg(self) -> FloatArray:
        """Return the joints [deg], of shape (6,)."""
        return self._joints_deg.copy()

    def gripper_value(self) -> float:
        """Return how far the gripper is open, 0 to 100."""
        return self._gripper_value

    def set_power(self, on: bool) -> None:
        """Switch the servos; released joints stay where they are, for they have no weight."""
        self._powered = on

    def pose_by_hand(self, joints_deg: ArrayLike) -> None:
        """Pose the released arm; raises RuntimeError while the servos hold it."""
        if self._powered:
            raise RuntimeError("the servos hold the arm; expected set_power(False) first")
        self._joints_deg = _six(joints_deg)


def _six(joints_deg: ArrayLike) -> FloatArray:
    joints = np.array(joints_deg, dtype=np.float64)
    if joints.shape != (6,) or not np.isfinite(joints).all():
        raise ValueError(f"joints have shape {joints.shape}; expected six finite angles")
    return joints
