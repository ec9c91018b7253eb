"""The chain's figures: published, by closed form, and by a plain 4x4 product written here."""

from __future__ import annotations

import csv
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.robot import Joint, Robot, flange_poses, load_robot, outside_limits, tip_points, tips_in_flange
from lib.robot.kinematics import CHUNK_ROWS

LOG54 = Path(__file__).parents[3] / "../shared/accept/log54"

# The vendor's table: origin xyz [m] and rpy [rad] of each joint, every axis z.
VENDOR_CHAIN = (
    ((0, 0, 0.1), (0, 0, 0)),
    ((0, 0, 0.038), (-math.pi / 2, 0, 0)),
    ((0, -0.1, 0), (0, 0, 0)),
    ((0.108, -0.005, -0.001), (0, math.pi / 2, 0)),
    ((-0.001, 0, 0), (0, -math.pi / 2, 0)),
    ((0.06, 0, 0), (0, math.pi / 2, 0)),
)


def mecharm270() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


def turn(axis: str, angle: float) -> np.ndarray:
    i, j = {"x": (1, 2), "y": (2, 0), "z": (0, 1)}[axis]
    matrix = np.eye(4)
    matrix[i, i] = matrix[j, j] = math.cos(angle)
    matrix[i, j], matrix[j, i] = -math.sin(angle), math.sin(angle)
    return matrix


def shift(xyz: tuple[float, float, float]) -> np.ndarray:
    matrix = np.eye(4)
    matrix[:3, 3] = xyz
    return matrix


def plain_flange(joints_deg: np.ndarray) -> np.ndarray:
    """4x4 flange pose by multiplying the vendor's table out, joint by joint."""
    pose = np.eye(4)
    for (xyz, (roll, pitch, yaw)), angle in zip(VENDOR_CHAIN, joints_deg, strict=True):
        pose = pose @ shift(xyz) @ turn("z", yaw) @ turn("y", pitch) @ turn("x", roll)
        pose = pose @ turn("z", math.radians(angle))
    return pose


def poses_inside_limits(count: int) -> np.ndarray:
    low, high = mecharm270().limits_deg.T
    return np.random.default_rng(270).uniform(low, high, (count, 6))


def test_zero_pose_has_its_flange_at_168_0_243_mm() -> None:
    _, position_m = flange_poses(mecharm270(), np.zeros((1, 6)))
    assert position_m[0] == pytest.approx([0.168, 0.0, 0.243], abs=1e-12)


def test_flange_poses_agree_with_the_vendors_table_multiplied_out() -> None:
    joints = poses_inside_limits(CHUNK_ROWS + 300)
    rotations, positions_m = flange_poses(mecharm270(), joints)
    rows = [0, 1, CHUNK_ROWS - 1, CHUNK_ROWS, *range(7, len(joints), 61), len(joints) - 1]
    for row in rows:
        expected = plain_flange(joints[row])
        assert rotations[row] == pytest.approx(expected[:3, :3], abs=1e-12)
        assert positions_m[row] == pytest.approx(expected[:3, 3], abs=1e-12)


def test_a_pose_has_the_same_bits_wherever_it_stands_in_the_list() -> None:
    joints = poses_inside_limits(2 * CHUNK_ROWS + 17)
    together = tip_points(mecharm270(), joints)
    for start, stop in (
        (0, 1),
        (5, 38),
        (CHUNK_ROWS - 3, CHUNK_ROWS + 4),
        (2 * CHUNK_ROWS, 2 * CHUNK_ROWS + 17),
    ):
        assert np.array_equal(tip_points(mecharm270(), joints[start:stop]), together[start:stop])


@pytest.mark.parametrize(
    ("joints_deg", "tip_m"),
    [
        ((36.215, 57, 20, -12, -86, -30), (-0.187, 0.104, 0.195)),
        ((-35, 70, 25, 0, -85, -30), (0.138, 0.029, 0.202)),
        ((40, 82, -36, 0, -50, 0), (-0.221, 0.083, 0.254)),
        ((40, 50, -20, 0, -42, 0), (-0.217, 0.180, 0.248)),
        ((-55, 50, -25, 0, -38, 0), (0.269, 0.191, 0.196)),
        ((-44, 75, -20, 0, -55, 0), (0.219, 0.073, 0.236)),
    ],
)
def test_published_poses_have_their_tip_where_the_cell_says(
    joints_deg: tuple[float, ...], tip_m: tuple[float, ...]
) -> None:
    assert tip_points(mecharm270(), [joints_deg])[0] == pytest.approx(tip_m, abs=0.0005)


def test_published_rows_are_reproduced_and_imply_the_tip_vector() -> None:
    if not LOG54.is_dir():
        pytest.skip(f"{LOG54} is not there")
    with (LOG54 / "rows_before.csv").open() as lines:
        rows = np.array([[float(cell) for cell in row] for row in list(csv.reader(lines))[1:]])
    points_m, joints_deg = rows[:, :3], rows[:, 3:]
    assert np.abs(tip_points(mecharm270(), joints_deg) - points_m).max() < 1e-6
    implied = tips_in_flange(mecharm270(), joints_deg, points_m)
    assert implied * 1000 == pytest.approx(np.tile([-6.5936, 5.6447, 98.9832], (len(rows), 1)), abs=0.001)


@given(
    st.lists(st.floats(-360, 360), min_size=6, max_size=6),
    st.lists(st.floats(-0.2, 0.2), min_size=3, max_size=3),
)
def test_rotations_are_orthonormal_and_a_tip_comes_back_from_its_point(
    joints: list[float], tip_m: list[float]
) -> None:
    robot = mecharm270()
    rotations, positions_m = flange_poses(robot, [joints])
    assert rotations[0] @ rotations[0].T == pytest.approx(np.eye(3), abs=1e-12)
    assert np.linalg.det(rotations[0]) == pytest.approx(1.0, abs=1e-12)
    point_m = robot.twin_axes @ (rotations[0] @ tip_m + positions_m[0])
    assert tips_in_flange(robot, [joints], [point_m])[0] == pytest.approx(tip_m, abs=1e-12)


@given(
    st.floats(0, math.pi),
    st.floats(-math.pi, math.pi),
    st.floats(-180, 180),
    st.lists(st.floats(-1, 1), min_size=3, max_size=3),
)
def test_a_slanted_axis_turns_by_rodrigues_formula(
    polar: float, azimuth: float, angle_deg: float, point: list[float]
) -> None:
    axis = np.array(
        [math.sin(polar) * math.cos(azimuth), math.sin(polar) * math.sin(azimuth), math.cos(polar)]
    )
    joint = Joint("j0", "link1", np.zeros(3), np.eye(3), axis, (-180.0, 180.0))
    robot = Robot("one joint", (joint,), np.array(point), np.eye(3), "")
    angle = math.radians(angle_deg)
    expected = (
        np.array(point) * math.cos(angle)
        + np.cross(axis, point) * math.sin(angle)
        + axis * (axis @ point) * (1 - math.cos(angle))
    )
    assert tip_points(robot, [[angle_deg]])[0] == pytest.approx(expected, abs=1e-12)


def test_limits_belong_to_the_allowed_range() -> None:
    robot = mecharm270()
    low, high = robot.limits_deg.T
    beyond = np.tile(np.zeros(6), (12, 1))
    for joint in range(6):
        beyond[2 * joint, joint] = np.nextafter(low[joint], -np.inf)
        beyond[2 * joint + 1, joint] = np.nextafter(high[joint], np.inf)
    assert outside_limits(robot, [low, high, np.zeros(6)]).tolist() == [False, False, False]
    assert outside_limits(robot, beyond).all()


def test_a_wrong_shape_is_named() -> None:
    with pytest.raises(ValueError, match=r"joints_deg has shape \(6,\); expected \(n, 6\)"):
        tip_points(mecharm270(), np.zeros(6))
    with pytest.raises(ValueError, match="2 poses but 1 points"):
        tips_in_flange(mecharm270(), np.zeros((2, 6)), np.zeros((1, 3)))


def test_no_poses_give_no_points() -> None:
    assert tip_points(mecharm270(), np.zeros((0, 6))).shape == (0, 3)
