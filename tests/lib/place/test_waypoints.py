"""Poses on the way: straight above, level, and never down by more than the clamp."""

from __future__ import annotations

import numpy as np

from lib.place.picking import GRIPPING
from lib.place.waypoints import Waypoints
from lib.robot import flange_poses, load_robot

PLACE = (36.215, 57.0, 20.0, -12.0, -86.0, -30.0)


def waypoints() -> Waypoints:
    robot = load_robot("mecharm270")
    assert robot is not None
    return Waypoints(robot, (-90.0, 60.0), 0.016, GRIPPING)


def test_a_ladder_stands_straight_above_its_foot_with_rungs_no_farther_apart_than_the_clamp() -> None:
    way = waypoints()
    ladder = way.ladder(PLACE, 0.045)
    assert ladder is not None
    tips = way.tips(np.array([PLACE, *ladder]))
    assert np.abs(tips[:, [0, 2]] - tips[0, [0, 2]]).max() < 0.0002
    assert np.diff(tips[:, 1]).max() <= 0.016 + 1e-4
    assert abs(tips[-1, 1] - tips[0, 1] - 0.045) < 0.0002


def test_a_level_pose_has_its_tip_there_its_pitch_and_no_roll() -> None:
    robot = load_robot("mecharm270")
    assert robot is not None
    for x, z in ((0.15, 0.21), (0.12, 0.235), (0.17, 0.20)):
        pose = waypoints().level((x, 0.026, z), -6.0)
        assert pose is not None
        assert np.abs(waypoints().tips(np.array([pose]))[0] - [x, 0.026, z]).max() < 0.0003
        (turn,), _ = flange_poses(robot, np.array([pose]))
        assert abs(np.degrees(np.arcsin(turn[2, 2])) + 6.0) < 0.1
        assert abs((turn @ [0.8660254, 0.5, 0.0])[2]) < 0.002


def test_what_is_out_of_reach_has_no_pose() -> None:
    assert waypoints().level((0.40, 0.026, 0.40), -6.0) is None
    assert waypoints().above(PLACE, [0.60]) is None


def test_going_to_a_lower_pose_takes_steps() -> None:
    way = waypoints()
    high = way.above(PLACE, [0.050])
    assert high is not None
    steps = way.down(high[0], PLACE)
    heights = way.tips(np.array([high[0], *steps]))[:, 1]
    assert len(steps) == 4
    assert -np.diff(heights).min() <= 0.016 + 1e-3
    assert np.allclose(steps[-1], PLACE, atol=0.006)
