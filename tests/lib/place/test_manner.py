"""The variant that was chosen gives the batch its pace and its height, and nothing else."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.arm.firmware.motion import Motion
from lib.motion import Variant
from lib.place.manner import manner
from lib.place.picking import GRIPPING
from lib.place.waypoints import Waypoints
from lib.robot import load_robot
from lib.runlog import connect
from lib.settings import Settings
from lib.settings_motion import Approach
from tests.lib.place.trial import Trial

HIGH = Variant("high", "normal", Approach(up_m=0.08, carry_m=0.04), 3.0)
LOW = Variant("low", "slow", Approach(back_m=0.04, carry_m=-0.045), 5.0)
HOME = (0.0,) * 6


@pytest.mark.parametrize("move_s", [1.5, 3.0, 5.0])
@pytest.mark.parametrize("way_deg", [60.0, 90.0, 120.0])
def test_the_arm_takes_the_variants_time_for_a_move(move_s: float, way_deg: float) -> None:
    speed = manner(Settings(), replace(HIGH, move_s=move_s)).speed_between(HOME, (way_deg, *HOME[1:]))
    motion = Motion(np.zeros(6), np.array([way_deg, 0, 0, 0, 0, 0]), speed)
    steps = 0
    while not motion.done:
        motion.advance(0.01)
        steps += 1
    slowest = Settings().place.approach_speed
    # Whole speeds: one step of it is 1 / speed of the time.
    assert steps * 0.01 <= move_s + 0.02
    assert steps * 0.01 >= move_s * (1 - 1 / speed) - 0.02 or speed in (slowest, 100)


def test_a_short_move_is_no_slower_than_going_down_and_none_faster_than_the_arm() -> None:
    fast = manner(Settings(), replace(HIGH, move_s=0.1))
    assert fast.speed_between(HOME, (170.0, *HOME[1:])) == 100
    slow = manner(Settings(), LOW)
    assert slow.speed_between(HOME, (1.0, *HOME[1:])) == Settings().place.approach_speed


def test_without_a_variant_the_settings_hold() -> None:
    plain = manner(Settings(), None)
    assert plain.variant is None
    assert plain.speed_between(HOME, GRIPPING) == Settings().arm.speed
    assert plain.heights_m == (Settings().place.approach_m,)


def test_a_variant_carries_higher_never_lower_and_lower_only_where_it_cannot_reach() -> None:
    settings = Settings()
    above_m = settings.place.approach_m
    assert manner(settings, LOW).heights_m == (above_m,)
    robot = load_robot(settings.robot)
    assert robot is not None
    waypoints = Waypoints(robot, settings.arm.j4_safe_deg, 0.016, GRIPPING)
    (foot,) = waypoints.tips(np.array([GRIPPING]))
    high = manner(settings, HIGH).ladder(waypoints, GRIPPING)
    assert high is not None
    assert waypoints.tips(np.array(high[-1:]))[0] - foot == pytest.approx([0, above_m + 0.04, 0], abs=2e-4)
    beyond = replace(HIGH, approach=Approach(carry_m=0.4))
    low = manner(settings, beyond).ladder(waypoints, GRIPPING)
    assert low is not None
    assert waypoints.tips(np.array(low[-1:]))[0] - foot == pytest.approx([0, above_m, 0], abs=2e-4)


def test_a_run_moves_by_it_and_its_row_says_so(tried: Trial) -> None:
    bench = tried.bench
    plain = tried.run(0)
    assert plain.place == "yes"
    before, speeds = len(tried.arm.sent), list(tried.arm.speeds)
    assert Settings().arm.speed in speeds
    bench.manner = manner(bench.settings, replace(HIGH, move_s=5.0))
    assert tried.run(1).place == "yes"
    slower = tried.arm.speeds[before:]
    assert max(slower) < max(speeds)
    sent = np.array(tried.arm.sent)
    highest = [
        bench.waypoints.tips(poses[np.abs(poses).max(axis=1) > 1])[:, 1].max()
        for poses in (sent[:before], sent[before:])
    ]
    assert highest[1] - highest[0] == pytest.approx(0.04, abs=0.003)
    with connect(bench.data_dir) as con:
        rows = con.execute("SELECT variant FROM run ORDER BY run_number").fetchall()
    assert rows == [(None,), ("high-normal",)]
