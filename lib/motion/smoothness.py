"""How smooth a movement is, in numbers that do not depend on how large or how long it is.

Spectral arc length: Balasubramanian, Melendez-Calderon, Roby-Brami and Burdet, On the analysis of
movement smoothness, J. NeuroEngineering and Rehabilitation 12:112, 2015. Dimensionless jerk: Hogan and
Sternad, Sensitivity of smoothness measures to movement duration, amplitude, and arrests, J. Motor
Behavior 41(6), 2009; a third derivative of noise is noise, so only a commanded path is judged by it.
"""

from __future__ import annotations

import numpy as np

from lib.motion.minimum_jerk import FRAMES_PER_S, Values

_CUTOFF_HZ = 10.0
_AMPLITUDE_SHARE = 0.05
_PADDING = 4


def spectral_arc_length(speed: Values) -> float:
    """Return the spectral arc length of a speed profile (n,), 50 samples a second; nearer to 0 is smoother.

    The speed's spectrum, its largest value made 1, is followed from 0 Hz to the last frequency below
    10 Hz at which it reaches 0.05; the length of that curve, the frequencies made 0 to 1, is negated.
    NaN where nothing moves.
    """
    if not np.any(speed):
        return float("nan")
    points = 2 ** (int(np.ceil(np.log2(len(speed)))) + _PADDING)
    amplitude = np.abs(np.fft.rfft(speed, points))
    frequency_hz = np.fft.rfftfreq(points, 1.0 / FRAMES_PER_S)
    amplitude = amplitude / amplitude.max()
    below = frequency_hz <= _CUTOFF_HZ
    amplitude, frequency_hz = amplitude[below], frequency_hz[below]
    last = int(np.flatnonzero(amplitude >= _AMPLITUDE_SHARE)[-1])
    amplitude, frequency_hz = amplitude[: last + 1], frequency_hz[: last + 1]
    if last == 0:
        return 0.0
    width = frequency_hz[-1] - frequency_hz[0]
    return -float(np.sqrt((np.diff(frequency_hz) / width) ** 2 + np.diff(amplitude) ** 2).sum())


def log_dimensionless_jerk(places_m: Values) -> float:
    """Return -ln(D^3 / v^2 x integral of squared jerk) of a path (n, 3), 50 samples a second.

    D is the duration, v the largest speed. NaN where nothing moves or the path is too short.
    """
    if len(places_m) < 5:
        return float("nan")
    step_s = 1.0 / FRAMES_PER_S
    speed = np.linalg.norm(np.diff(places_m, axis=0), axis=1) / step_s
    if not speed.any():
        return float("nan")
    jerk = np.diff(places_m, 3, axis=0) / step_s**3
    duration_s = (len(places_m) - 1) * step_s
    integral = float((jerk**2).sum()) * step_s
    return -float(np.log(duration_s**3 / speed.max() ** 2 * integral))
