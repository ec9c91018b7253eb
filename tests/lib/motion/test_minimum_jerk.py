"""The quintic: closed form at its ends and middle, and the published frame counts."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.integrate import quad

from lib.motion import (
    frame_count,
    frame_times,
    minimum_jerk,
    minimum_jerk_acceleration,
    minimum_jerk_jerk,
    minimum_jerk_speed,
)


@pytest.mark.parametrize(
    ("t", "s", "ds", "dds", "ddds"),
    [(0.0, 0.0, 0.0, 0.0, 60.0), (0.5, 0.5, 1.875, 0.0, -30.0), (1.0, 1.0, 0.0, 0.0, 60.0)],
)
def test_way_speed_acceleration_and_jerk_are_the_closed_form(
    t: float, s: float, ds: float, dds: float, ddds: float
) -> None:
    assert abs(minimum_jerk(t) - s) < 1e-12
    assert abs(minimum_jerk_speed(t) - ds) < 1e-12
    assert abs(minimum_jerk_acceleration(t) - dds) < 1e-12
    assert abs(minimum_jerk_jerk(t) - ddds) < 1e-12


@given(st.floats(0.001, 0.999))
def test_each_derivative_is_the_slope_of_the_one_before(t: float) -> None:
    step = 1e-6
    chain = (minimum_jerk, minimum_jerk_speed, minimum_jerk_acceleration, minimum_jerk_jerk)
    for of, slope in pairwise(chain):
        assert float(of(t + step) - of(t - step)) / (2 * step) == pytest.approx(float(slope(t)), abs=1e-6)


def test_no_polynomial_of_the_same_ends_has_less_squared_jerk() -> None:
    least = quad(lambda t: float(minimum_jerk_jerk(t)) ** 2, 0, 1)[0]
    assert least == pytest.approx(720.0)
    for share in (-0.1, 0.01, 0.1):  # a bump that leaves place, speed and acceleration of both ends alone
        bump = np.polynomial.Polynomial([0, 0, 0, 1]) * np.polynomial.Polynomial([1, -1]) ** 3
        bumped = bump.deriv(3) * share
        more = quad(lambda t, b=bumped: float(minimum_jerk_jerk(t) + b(t)) ** 2, 0, 1)[0]
        assert more > least


@pytest.mark.parametrize(
    ("duration_s", "frames"), [(5.0, 250), (3.0, 150), (1.5, 75), (2.0, 100), (0.001, 2)]
)
def test_frame_counts_are_the_published_ones(duration_s: float, frames: int) -> None:
    assert frame_count(duration_s) == frames
    times = frame_times(duration_s)
    assert len(times) == frames
    assert (times[0], times[-1]) == (0.0, 1.0)
    assert times == pytest.approx(np.linspace(0.0, 1.0, frames))


def test_outside_the_move_nothing_moves() -> None:
    t = np.array([-0.5, 1.5])
    assert minimum_jerk(t).tolist() == [0.0, 1.0]
    for derivative in (minimum_jerk_speed, minimum_jerk_acceleration, minimum_jerk_jerk):
        assert derivative(t).tolist() == [0.0, 0.0]
