"""Smoothness: figures of known movements, and no dependence on how large or how long they are."""

from __future__ import annotations

import math

import numpy as np
import pytest
from scipy.integrate import quad

from lib.motion import Move, log_dimensionless_jerk, minimum_jerk, minimum_jerk_speed, spectral_arc_length


def bell(duration_s: float) -> np.ndarray:
    return minimum_jerk_speed(np.linspace(0.0, 1.0, round(duration_s * 50) + 1)) / duration_s


def test_the_spectral_arc_length_is_the_length_of_the_spectrums_curve() -> None:
    duration_s = 2.0

    def amplitude(hz: float) -> float:  # the bell is even about its middle: a cosine transform, by quadrature
        return abs(
            quad(lambda t: 30 * t**2 * (1 - t) ** 2 * math.cos(math.tau * hz * duration_s * (t - 0.5)), 0, 1)[
                0
            ]
        )

    hz = np.linspace(0.0, 10.0, 2001)
    spectrum = np.array([amplitude(f) for f in hz])
    last = np.flatnonzero(spectrum >= 0.05)[-1]
    length = np.hypot(np.diff(hz[: last + 1]) / hz[last], np.diff(spectrum[: last + 1])).sum()
    assert spectral_arc_length(bell(duration_s)) == pytest.approx(-length, abs=0.01)
    assert -1.5 < -length < -1.4


@pytest.mark.parametrize("duration_s", [1.5, 3.0, 5.0])
def test_size_and_duration_of_a_movement_do_not_matter(duration_s: float) -> None:
    assert spectral_arc_length(7.0 * bell(duration_s)) == pytest.approx(
        spectral_arc_length(bell(2.0)), abs=0.02
    )


def test_a_stop_on_the_way_or_a_tremor_makes_a_movement_less_smooth() -> None:
    smooth = bell(2.0)
    stop = np.concatenate([bell(1.0), bell(1.0)])
    tremor = smooth * (1.0 + 0.3 * np.sin(math.tau * 4.0 * np.arange(len(smooth)) / 50))
    assert spectral_arc_length(stop) < spectral_arc_length(tremor) < spectral_arc_length(smooth) - 0.4


def test_the_jerk_of_a_minimum_jerk_move_is_its_closed_form() -> None:
    t = np.linspace(0.0, 1.0, 1001)
    path = minimum_jerk(t)[:, None] * np.array([0.3, -0.1, 0.2])
    assert log_dimensionless_jerk(path) == pytest.approx(-math.log(720.0 / 1.875**2), abs=0.01)
    assert log_dimensionless_jerk(5.0 * path[::2]) == pytest.approx(log_dimensionless_jerk(path), abs=0.01)


def test_on_noise_the_jerk_tells_nothing_so_only_a_commanded_path_is_judged_by_it() -> None:
    rng = np.random.default_rng(1)
    home, cup = np.zeros(6), np.array([40.0, 82.0, -36.0, 0.0, -50.0, 0.0])
    direct = Move(np.vstack([home, cup]), 2.0).targets_deg[:, :3]
    by_way = Move(np.vstack([home, 1.4 * cup, cup]), 2.0).targets_deg[:, :3]
    clean = log_dimensionless_jerk(direct) - log_dimensionless_jerk(by_way)
    assert clean > 3.0
    paths = [
        path + 0.05 * rng.standard_normal(path.shape) for path in (direct, by_way)
    ]  # a twentieth of a degree
    assert log_dimensionless_jerk(paths[0]) < log_dimensionless_jerk(paths[1])  # the better one looks worse


def test_what_does_not_move_has_no_smoothness() -> None:
    assert math.isnan(spectral_arc_length(np.zeros(50)))
    assert math.isnan(log_dimensionless_jerk(np.ones((50, 3))))
    assert math.isnan(log_dimensionless_jerk(np.ones((4, 3))))
