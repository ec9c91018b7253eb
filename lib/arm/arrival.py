"""Following a motion by readings alone: on its way, there, astray, not getting on, or too late.

`is_moving` and `is_in_position` are not asked: users report that both lie. A motion is complete after
readings in a row that are in tolerance and alike for a while, before a deadline from distance and speed.
"""

from __future__ import annotations

import time
from dataclasses import dataclass
from enum import Enum

from lib.arm.plausible import Angles, alike

CORRIDOR_DEG = 2.0
"""Beyond start and target no joint goes farther than this."""
# The slowest arm that still is one: a fifth of what the emulated one does at the same speed.
SLOWEST_DEG_PER_S = 0.3
PROGRESS_DEG = 0.25
# So long the readings stay within two encoder counts: the last degree of a motion takes its time.
SETTLED_DEG = 0.18
SETTLES_S = 0.15
SETTLES_AT_SPEED_1_S = 2.5
DEADLINE_BASE_S = 5.0
STANDSTILL_BASE_S = 1.5
# Real time, whatever the clock factor: a busy computer stands still that long.
DEADLINE_REAL_S = 2.0
STANDSTILL_REAL_S = 0.6


class Sight(Enum):
    """What a reading says about a motion."""

    ON_ITS_WAY = "on its way"
    ARRIVED = "arrived"
    ASTRAY = "astray"
    STANDING = "standing"
    OVERDUE = "overdue"


@dataclass(frozen=True)
class Way:
    """One motion, as the encoders count."""

    start_deg: Angles
    target_deg: Angles
    speed: int
    tolerance_deg: float

    def astray_deg(self, angles: Angles) -> tuple[int, float]:
        """Return the joint that is farthest outside what lies between start and target, and by how much."""
        beyond = [
            max(min(start, target) - value, value - max(start, target))
            for value, start, target in zip(angles, self.start_deg, self.target_deg, strict=True)
        ]
        joint = max(range(6), key=lambda number: beyond[number])
        return joint, beyond[joint]

    def left_deg(self, angles: Angles) -> float:
        """Return how far the joint that has farthest to go still has to go."""
        return max(abs(value - target) for value, target in zip(angles, self.target_deg, strict=True))

    def there(self, angles: Angles) -> bool:
        """Tell whether every joint is in tolerance."""
        return self.left_deg(angles) <= self.tolerance_deg

    @property
    def length_deg(self) -> float:
        """How far the joint that goes farthest goes."""
        return self.left_deg(self.start_deg)


class Follower:
    """Sees one motion through."""

    def __init__(self, way: Way, time_scale: float) -> None:
        self.way = way
        rate = SLOWEST_DEG_PER_S * way.speed
        now_s = time.monotonic()
        self._deadline_s = now_s + DEADLINE_REAL_S + (DEADLINE_BASE_S + way.length_deg / rate) / time_scale
        self._patience_s = max(STANDSTILL_REAL_S, (STANDSTILL_BASE_S + 1.0 / rate) / time_scale)
        self._nearest_deg = way.length_deg
        self._nearer_s = now_s
        self._settles_s = max(SETTLES_S, SETTLES_AT_SPEED_1_S / way.speed) / time_scale
        self._rests: tuple[float, Angles] | None = None

    def see(self, angles: Angles) -> Sight:
        """Take a reading; say what it means."""
        now_s = time.monotonic()
        left_deg = self.way.left_deg(angles)
        if left_deg < self._nearest_deg - PROGRESS_DEG:
            self._nearest_deg, self._nearer_s = left_deg, now_s
        if self.way.astray_deg(angles)[1] > CORRIDOR_DEG:
            return Sight.ASTRAY
        if self._rests_at(angles, now_s):
            return Sight.ARRIVED
        if now_s > self._deadline_s:
            return Sight.OVERDUE
        if now_s - self._nearer_s > self._patience_s:
            return Sight.STANDING
        return Sight.ON_ITS_WAY

    def _rests_at(self, angles: Angles, now_s: float) -> bool:
        """Tell whether the arm has been in tolerance, and in one place, since an earlier reading."""
        if not self.way.there(angles):
            self._rests = None
        elif self._rests is None or not alike(self._rests[1], angles, SETTLED_DEG):
            self._rests = (now_s, angles)
        else:
            return now_s - self._rests[0] >= self._settles_s
        return False
