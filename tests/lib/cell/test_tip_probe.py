"""The twin's arm in MuJoCo has its tip where the kinematics say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lib.cell.tip_probe import TipProbe
from lib.robot import Robot, load_robot, tip_points


def test_ten_thousand_poses_agree_with_the_kinematics_far_within_a_micrometre(robot: Robot) -> None:
    low, high = robot.limits_deg.T
    joints = np.random.default_rng(0).uniform(low, high, (10_000, 6))
    measured, computed = TipProbe(robot).tip_points(joints), tip_points(robot, joints)
    assert np.abs(measured - computed).max() < 1e-12
    assert np.array_equal(measured.astype(np.float32), computed.astype(np.float32))


@given(st.lists(st.floats(-1, 1), min_size=3, max_size=3).filter(lambda v: np.linalg.norm(v) > 0.1))
def test_a_slanted_axis_is_turned_about_as_the_kinematics_turn(axis: list[float]) -> None:
    robot = load_robot("mecharm270")
    assert robot is not None
    unit = np.array(axis) / np.linalg.norm(axis)
    first, second, *others = robot.joints
    slanted = replace(robot, joints=(first, replace(second, axis=unit), *others))
    joints = np.random.default_rng(0).uniform(-90, 90, (5, 6))
    assert np.abs(TipProbe(slanted).tip_points(joints) - tip_points(slanted, joints)).max() < 1e-12


def test_a_pose_gives_the_same_bits_wherever_it_stands(robot: Robot) -> None:
    joints = np.random.default_rng(1).uniform(-90, 90, (100, 6))
    probe = TipProbe(robot)
    assert np.array_equal(probe.tip_points(joints)[40:60], TipProbe(robot).tip_points(joints[40:60]))
