"""One move of the arm: from pose to pose by minimum jerk, by way of waypoints where it has any.

A waypoint is passed without a stop: each leg is a minimum jerk of its own, and the next leg begins
before the one before has ended, their displacements added up (Flash and Henis, Arm trajectory
modifications during reaching towards visual targets, J. Cognitive Neuroscience 3(3), 1991). A leg takes
time by how far its farthest joint turns. When the leg before has ended the rest of a leg is the
straight line in joint space.
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
    """Share of the shorter leg's time during which two legs overlap; 0 stops at every waypoint."""

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
        _, shares = self._legs()
        legs_s = shares * (self.frames - 1) / FRAMES_PER_S
        return of_legs @ (np.diff(self.poses_deg, axis=0) / legs_s[:, None] ** order)

    def _legs(self) -> tuple[Values, Values]:
        """Return when each leg begins and how long it takes, as shares of the move's time, (legs,) each."""
        turns = np.abs(np.diff(self.poses_deg, axis=0)).max(axis=1)
        lengths = np.maximum(turns, max(1e-3 * turns.max(), 1e-9))
        overlaps = self.overlap_share * np.minimum(lengths[:-1], lengths[1:])
        total = lengths.sum() - overlaps.sum()
        starts = np.concatenate([[0.0], np.cumsum(lengths[:-1] - overlaps)])
        return starts / total, lengths / total

    def _leg_times(self) -> Values:
        """Share of each leg's time at each frame, of shape (n, legs); below 0 it has not begun."""
        starts, shares = self._legs()
        times = (frame_times(self.duration_s)[:, None] - starts) / shares
        times[-1, -1] = 1.0  # the end is the end to the last bit
        return times
