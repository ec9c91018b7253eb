"""Whether a reading of the joints can be true: six numbers, inside the limits, no farther than time allows.

One flipped bit is accepted by the library (10.0 deg reads as 173.84), and some firmwares answer with a
constant. What passes here may still be wrong by a small step, so nothing is believed from one reading.
"""

from __future__ import annotations

import math
import time
from typing import Any

from lib.arm.volumes import Array

# Encoders of a joint that stands at its limit may read a little beyond it.
BEYOND_LIMITS_DEG = 3.0
# At rest a joint moves by no more than this between two readings, motion or not it may always.
SLACK_DEG = 2.0
# Twice what the vendor's fastest joint does, per unit of speed, and a start for what is slow.
FASTEST_DEG_PER_S = 3.0
FASTEST_BASE_DEG_PER_S = 30.0
ALIKE_DEG = 0.3
"""Two readings of an arm at rest differ by less: three encoder counts."""

Angles = tuple[float, float, float, float, float, float]


def alike(one: Angles, other: Angles, within_deg: float = ALIKE_DEG) -> bool:
    """Tell whether two readings are those of an arm at rest."""
    return all(abs(a - b) <= within_deg for a, b in zip(one, other, strict=True))


class Plausible:
    """Judges readings one after the other; knows how fast the arm may be moving."""

    def __init__(self, limits_deg: Array, time_scale: float) -> None:
        self._limits_deg = limits_deg
        self._time_scale = time_scale
        self._rate_deg_per_s: float | None = None
        self._last: tuple[float, Angles] | None = None

    def expect_motion(self, speed: int) -> None:
        """From now on the joints may move at this speed."""
        self._rate_deg_per_s = fastest_deg_per_s(speed, self._time_scale)

    def expect_rest(self) -> None:
        """From now on the joints stand still."""
        self._rate_deg_per_s = 0.0

    def expect_anything(self) -> None:
        """From now on the joints may be moved by hand."""
        self._rate_deg_per_s = None

    def forget(self) -> None:
        """Compare the next reading with none before it."""
        self._last = None

    def why_not(self, found: Any) -> str:
        """Return why a reading cannot be true, or an empty text."""
        if type(found) is not list or len(found) != 6:
            return f"not six angles but {str(found)[:40]}"
        if any(type(value) not in (int, float) or not math.isfinite(value) for value in found):
            return f"not six numbers but {str(found)[:60]}"
        for joint, (value, (low, high)) in enumerate(zip(found, self._limits_deg, strict=True), 1):
            if not low - BEYOND_LIMITS_DEG <= value <= high + BEYOND_LIMITS_DEG:
                every = ", as every joint" if len(set(found)) == 1 else ""
                return f"J{joint} reads {value:g} deg{every}, outside [{low:g}, {high:g}]"
        return self._step(found)

    def accept(self, found: Angles) -> None:
        """Compare the next reading with this one."""
        self._last = (time.monotonic(), found)

    def _step(self, found: list[float]) -> str:
        if self._last is None or self._rate_deg_per_s is None:
            return ""
        at_s, last = self._last
        since_s = time.monotonic() - at_s
        allowed_deg = SLACK_DEG + self._rate_deg_per_s * since_s
        for joint, (value, before) in enumerate(zip(found, last, strict=True), 1):
            if abs(value - before) > allowed_deg:
                return (
                    f"J{joint} went from {before:g} to {value:g} deg in {since_s * 1000:.0f} ms, "
                    f"at most {allowed_deg:.1f} deg is possible"
                )
        return ""


def fastest_deg_per_s(speed: int, time_scale: float) -> float:
    """Return how fast a joint may turn at a speed, in degrees of its own per real second."""
    return (FASTEST_BASE_DEG_PER_S + FASTEST_DEG_PER_S * speed) * time_scale
