"""The quintic minimum jerk: how far a move has come at each moment.

A move from rest to rest that keeps the integral of squared jerk smallest goes
s(t) = 10 t^3 - 15 t^4 + 6 t^5 of its way in the share t of its time (Flash and Hogan, The coordination
of arm movements: an experimentally confirmed mathematical model, J. Neuroscience 5(7), 1985).
"""

from __future__ import annotations

import numpy as np
from numpy.typing import ArrayLike, NDArray

Values = NDArray[np.float64]

FRAMES_PER_S = 50


def frame_count(duration_s: float) -> int:
    """Return how many frames a move of so many seconds [s] has: max(2, round(50 duration))."""
    return max(2, round(duration_s * FRAMES_PER_S))


def frame_times(duration_s: float) -> Values:
    """Return the share of its time, 0 to 1, at each frame of a move: i / (n - 1), of shape (n,)."""
    n = frame_count(duration_s)
    return np.arange(n) / (n - 1)


def minimum_jerk(t: ArrayLike) -> Values:
    """Return s, the share of the way at the share ``t`` of the time; before 0 it is 0, after 1 it is 1."""
    t = np.clip(np.asarray(t, dtype=np.float64), 0.0, 1.0)
    return t**3 * (10.0 + t * (6.0 * t - 15.0))


def minimum_jerk_speed(t: ArrayLike) -> Values:
    """Return ds/dt = 30 t^2 (1 - t)^2; 0 outside the move."""
    t = np.clip(np.asarray(t, dtype=np.float64), 0.0, 1.0)
    return 30.0 * t**2 * (1.0 - t) ** 2


def minimum_jerk_acceleration(t: ArrayLike) -> Values:
    """Return d2s/dt2 = 60 t (1 - t) (1 - 2 t); 0 outside the move."""
    t = np.clip(np.asarray(t, dtype=np.float64), 0.0, 1.0)
    return 60.0 * t * (1.0 - t) * (1.0 - 2.0 * t)


def minimum_jerk_jerk(t: ArrayLike) -> Values:
    """Return d3s/dt3 = 60 (1 - 6 t + 6 t^2), which jumps to 0 outside the move."""
    t = np.asarray(t, dtype=np.float64)
    return np.where((t >= 0.0) & (t <= 1.0), 60.0 * (1.0 - 6.0 * t * (1.0 - t)), 0.0)
