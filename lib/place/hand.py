"""The arm's motions of one run: every one through the gate, with the lookup it leads to, and observed."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from lib.arm import Arm
from lib.lookup import LookupResult
from lib.place.aiming import Pose
from lib.place.book import Book
from lib.place.manner import Manner
from lib.place.memory import Vector
from lib.place.waypoints import Waypoints
from lib.settings import Settings

OPEN, CLOSED = 100, 0
HOME: Pose = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
_AT_HOME_DEG = 2.0


class Hand:
    """One arm in one run."""

    def __init__(
        self, settings: Settings, arm: Arm, waypoints: Waypoints, book: Book, manner: Manner
    ) -> None:
        self.arm, self.waypoints = arm, waypoints
        self._book, self._manner, self._slow = book, manner, settings.place.approach_speed
        self.reported_deg: Pose | None = None
        """Where the arm says that it is, true joints, after the latest motion [deg]."""

    @property
    def reported_m(self) -> Vector | None:
        """The tip of where the arm says that it is, by the robot's chain [m]."""
        return None if self.reported_deg is None else self._tip(self.reported_deg)

    def go(self, step: str, pose_deg: Pose, lookup: LookupResult | None = None) -> None:
        """Go to a pose at the batch's pace; ``lookup`` is where the target comes from.

        Raises GateRefused and other ArmFailures.
        """
        self._move(step, pose_deg, self._manner.speed_between(self.reported_deg, pose_deg), lookup)

    def follow(self, step: str, poses_deg: Sequence[Pose], lookup: LookupResult | None) -> None:
        """Go slowly from one pose to the next; raises as ``go``."""
        for pose_deg in poses_deg:
            self._move(step, pose_deg, self._slow, lookup)

    def open(self, value: int = OPEN) -> None:
        """Open the gripper; raises GripFailed, LinkLost."""
        self.arm.grip(value, in_batch=True)

    def close(self) -> bool:
        """Close the gripper; return whether something is between its fingers. Raises GripFailed, LinkLost."""
        return self.arm.grip(CLOSED, in_batch=True).holds

    def return_home(self, step: str) -> None:
        """Go up a little, then home; raises as ``go``."""
        self.reported_deg = self.arm.read().joints_deg
        if self.is_home:
            return
        self.go(step, HOME)

    @property
    def is_home(self) -> bool:
        """Whether the arm says that it is at home."""
        return self.reported_deg is not None and max(map(abs, self.reported_deg)) <= _AT_HOME_DEG

    def _move(self, step: str, pose_deg: Pose, speed: int, lookup: LookupResult | None) -> None:
        moved = self.arm.move(list(pose_deg), speed, lookup=lookup, in_batch=True)
        self.reported_deg = moved.reached_deg
        self._book.moved(step, moved, self._tip(pose_deg), self._tip(self.reported_deg))

    def _tip(self, pose_deg: Pose) -> Vector:
        x, y, z = (float(value) for value in self.waypoints.tips(np.array([pose_deg]))[0])
        return x, y, z
