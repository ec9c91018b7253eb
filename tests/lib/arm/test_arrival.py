"""What a row of readings means: there, astray, standing, overdue; nothing of it from one reading alone."""

from __future__ import annotations

import time

import pytest

from lib.arm import arrival
from lib.arm.arrival import Follower, Sight, Way
from lib.arm.plausible import Angles, Plausible, fastest_deg_per_s
from tests.lib.arm.independent import LIMITS_DEG

START: Angles = (0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
TARGET: Angles = (30.0, -10.0, 0.0, 0.0, 0.0, 0.0)
SCALE = 50.0


def follower(speed: int = 50) -> Follower:
    return Follower(Way(START, TARGET, speed, 0.9), SCALE)


def along(share: float) -> Angles:
    return tuple(start + share * (target - start) for start, target in zip(START, TARGET, strict=True))  # type: ignore[return-value]


def test_one_reading_at_the_target_is_not_an_arrival_two_alike_in_a_row_are() -> None:
    seen = follower()
    assert seen.see(TARGET) is Sight.ON_ITS_WAY
    time.sleep(arrival.SETTLES_S / SCALE)
    assert seen.see(TARGET) is Sight.ARRIVED


def test_readings_in_tolerance_that_still_move_are_not_an_arrival() -> None:
    seen = follower()
    for share in (0.975, 0.99, 1.01):
        assert seen.see(along(share)) is Sight.ON_ITS_WAY
        time.sleep(arrival.SETTLES_S / SCALE)


def test_a_flipped_reading_between_two_good_ones_at_the_target_starts_the_count_anew() -> None:
    seen = follower()
    seen.see(TARGET)
    time.sleep(arrival.SETTLES_S / SCALE)
    assert seen.see((30.0, -10.0, 0.64, 0.0, 0.0, 0.0)) is Sight.ON_ITS_WAY
    assert seen.see(TARGET) is Sight.ON_ITS_WAY


@pytest.mark.parametrize(
    "angles", [(-2.1, 0, 0, 0, 0, 0), (32.1, -10, 0, 0, 0, 0), (15, -5, 0, 0, 2.1, 0), (15, 2.1, 0, 0, 0, 0)]
)
def test_beyond_start_or_target_by_more_than_two_degrees_is_astray(angles: Angles) -> None:
    assert follower().see(angles) is Sight.ASTRAY


def test_joints_need_not_arrive_together() -> None:
    seen = follower()
    assert seen.see((30.0, 0.0, 0, 0, 0, 0)) is Sight.ON_ITS_WAY
    assert seen.see((0.0, -10.0, 0, 0, 0, 0)) is Sight.ON_ITS_WAY


def test_no_progress_is_standing_after_a_while_and_not_before() -> None:
    seen = follower()
    started = time.monotonic()
    while (sight := seen.see(along(0.5))) is Sight.ON_ITS_WAY:
        time.sleep(0.01)
    assert sight is Sight.STANDING
    assert time.monotonic() - started >= arrival.STANDSTILL_REAL_S


def test_a_motion_that_crawls_for_ever_is_overdue() -> None:
    seen = follower(speed=100)
    started, left = time.monotonic(), 30.0
    while (sight := seen.see((30.0 - left, -10.0 + left / 3, 0, 0, 0, 0))) is Sight.ON_ITS_WAY:
        left = 1.0 + left * 0.97  # gets on, and never there
        time.sleep(0.02)
    assert sight in (Sight.OVERDUE, Sight.STANDING)
    assert time.monotonic() - started < 2.0 + (5.0 + 1.0) / SCALE + 1.0


class TestPlausible:
    """One reading against the limits and the one before."""

    def test_ten_degrees_with_a_flipped_bit_is_noticed(self) -> None:
        # 10.00 deg is 0x03E8; with its highest value bit flipped it reads 173.84.
        judge = Plausible(LIMITS_DEG, 1.0)
        flipped = (0x03E8 ^ 0x4000) / 100
        assert flipped == 173.84
        assert "J1 reads 173.84 deg, outside [-160, 160]" in judge.why_not([flipped, 0.0, 0.0, 0.0, 0.0, 0.0])

    @pytest.mark.parametrize(
        "found", [-1, None, [], [0.0] * 5, [0.0] * 7, (0.0,) * 6, [0.0] * 5 + [None], [float("nan")] * 6, "x"]
    )
    def test_what_is_no_six_numbers_is_no_reading(self, found: object) -> None:
        assert Plausible(LIMITS_DEG, 1.0).why_not(found)

    def test_at_rest_two_degrees_are_the_most(self) -> None:
        judge = Plausible(LIMITS_DEG, 1.0)
        judge.accept(START)
        judge.expect_rest()
        assert judge.why_not([1.9, 0.0, 0.0, 0.0, 0.0, 0.0]) == ""
        assert "at most 2.0 deg is possible" in judge.why_not([2.56, 0.0, 0.0, 0.0, 0.0, 0.0])

    def test_on_the_way_it_depends_on_the_speed_and_the_clock(self) -> None:
        for speed, scale in ((20, 1.0), (100, 1.0), (20, 10.0)):
            judge = Plausible(LIMITS_DEG, scale)
            judge.accept(START)
            judge.expect_motion(speed)
            time.sleep(0.02)
            possible = fastest_deg_per_s(speed, scale) * 0.02
            assert judge.why_not([possible, 0.0, 0.0, 0.0, 0.0, 0.0]) == ""
            assert "is possible" in judge.why_not([2.0 + 4 * possible, 0.0, 0.0, 0.0, 0.0, 0.0])

    def test_by_hand_the_joints_may_be_anywhere(self) -> None:
        judge = Plausible(LIMITS_DEG, 1.0)
        judge.accept(START)
        judge.expect_anything()
        assert judge.why_not([90.0, 0.0, 0.0, 0.0, 0.0, 0.0]) == ""
