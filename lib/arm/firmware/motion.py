"""How the emulated arm moves: all joints start and arrive together, on a minimum-jerk profile."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# What a joint does at speed 100 at its fastest; the vendor's data sheet says 120 to 160 deg/s.
FULL_SPEED_DEG_PER_S = 150.0
BRAKING_S = 0.12
_PEAK = 1.875
"""Largest rate of the minimum-jerk profile over its mean, at half time."""


class Motion:
    """One commanded motion, from where the setpoint is to its target."""

    def __init__(self, start_deg: Array, target_deg: Array, speed: int) -> None:
        self.start_deg = start_deg
        self.target_deg = target_deg
        self.speed = speed
        rate = FULL_SPEED_DEG_PER_S * speed / 100.0
        self._duration_s = max(0.05, _PEAK * float(np.abs(target_deg - start_deg).max()) / rate)
        self._time_s = 0.0
        self._braking: tuple[float, float, float] | None = None

    def advance(self, step_s: float) -> Array:
        """Go on for a step of the emulated time; return the setpoint [deg]."""
        self._time_s += step_s
        return self.start_deg + self.share * (self.target_deg - self.start_deg)

    @property
    def share(self) -> float:
        """Share of the way that is done."""
        if self._braking is not None:
            since, at, rate = self._braking
            t = min(self._time_s - since, BRAKING_S)
            return min(1.0, at + rate * t * (1.0 - t / (2.0 * BRAKING_S)))
        x = min(1.0, self._time_s / self._duration_s)
        return x**3 * (10.0 - 15.0 * x + 6.0 * x**2)

    @property
    def done(self) -> bool:
        """Whether the setpoint has come to rest."""
        if self._braking is not None:
            return self._time_s - self._braking[0] >= BRAKING_S
        return self._time_s >= self._duration_s

    def brake(self) -> None:
        """Come to rest within a tenth of a second, on the way."""
        if self._braking is None and not self.done:
            x = self._time_s / self._duration_s
            rate = 30.0 * x**2 * (1.0 - x) ** 2 / self._duration_s
            self._braking = (self._time_s, self.share, rate)
