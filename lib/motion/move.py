"""One move of the arm: from pose to pose by minimum jerk, by way of waypoints where it has any.

A waypoint is passed without a stop: each leg is a minimum jerk of its own, and the next leg begins
before the one before has ended, their displacements added up (Flash and Henis, Arm trajectory
modifications during reaching towards visual targets, J. Cognitive Neuroscience 3(3), 1991). When the
leg before has ended the rest of a leg is the straight line in joint space.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.motion.minimum_jerk import (
    FRAMES_PER_S,
    Values,
    frame_count,
    frame_times,
    minimum_jerk,
    minimum_jerk_acceleration,
    minimum_jerk_jerk,
    minimum_jerk_speed,
)


@dataclass(frozen=True, eq=False)
class Move:
    """Poses to go through in a given time."""

    poses_deg: Values
    """Where it starts, its waypoints, where it ends [deg], of shape (2 + waypoints, 6)."""
    duration_s: float
    """How long it takes [s]; its frames are counted from it."""
    overlap_share: float = 0.4
    """Share of a leg's time during which the next leg has begun; 0 stops at every waypoint."""

    @property
    def frames(self) -> int:
        """How many frames the move has, its start and end among them."""
        return frame_count(self.duration_s)

    @property
    def targets_deg(self) -> Values:
        """The joints [deg] at each frame, of shape (n, 6)."""
        start = self.poses_deg[0]
        return start + minimum_jerk(self._leg_times()) @ np.diff(self.poses_deg, axis=0)

    @property
    def speed_deg_s(self) -> Values:
        """The joints' speed [deg/s] at each frame, of shape (n, 6), in closed form."""
        return self._derivative(minimum_jerk_speed(self._leg_times()), 1)

    @property
    def acceleration_deg_s2(self) -> Values:
        """The joints' acceleration [deg/s^2] at each frame, of shape (n, 6), in closed form."""
        return self._derivative(minimum_jerk_acceleration(self._leg_times()), 2)

    @property
    def jerk_deg_s3(self) -> Values:
        """The joints' jerk [deg/s^3] at each frame, of shape (n, 6), in closed form."""
        return self._derivative(minimum_jerk_jerk(self._leg_times()), 3)

    def _derivative(self, of_legs: Values, order: int) -> Values:
        leg_s = self._leg_share() * (self.frames - 1) / FRAMES_PER_S
        return of_legs @ np.diff(self.poses_deg, axis=0) / leg_s**order

    def _leg_share(self) -> float:
        """Share of the move's time that one leg takes; all legs take the same."""
        later_legs = len(self.poses_deg) - 2
        return 1.0 / (1.0 + later_legs * (1.0 - self.overlap_share))

    def _leg_times(self) -> Values:
        """Share of each leg's time at each frame, of shape (n, legs); below 0 it has not begun."""
        share = self._leg_share()
        starts = np.arange(len(self.poses_deg) - 1) * (1.0 - self.overlap_share) * share
        times = (frame_times(self.duration_s)[:, None] - starts) / share
        times[-1, -1] = 1.0  # the end is the end to the last bit
        return times
