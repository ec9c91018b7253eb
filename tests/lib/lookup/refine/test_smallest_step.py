"""The smallest step: the pseudoinverse where nothing is in the way, water filling in a box, a real arm."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.lookup.refine.smallest_step import smallest_step
from lib.robot import tip_points
from tests.lib.lookup.refine.twin_table import REFERENCE, mecharm

WIDE = np.full(6, 180.0)
ALIKE = np.ones(3)


@settings(max_examples=50, deadline=None)
@given(st.integers(0, 2**32))
def test_of_a_linear_arm_it_is_the_pseudoinverse(seed: int) -> None:
    random = np.random.default_rng(seed)
    matrix = random.normal(0.0, 3e-3, size=(3, 6))  # metres per degree, as the arm's
    start = random.uniform(-20, 20, size=6)
    place = matrix @ (start + random.uniform(-5, 5, size=6))
    found = smallest_step(lambda q: q @ matrix.T, start, place, ALIKE, -WIDE, WIDE)
    expected = start + np.linalg.pinv(matrix) @ (place - matrix @ start)
    assert found == pytest.approx(expected, abs=2e-3)
    assert found @ matrix.T == pytest.approx(place, abs=1e-9)


def test_in_a_box_the_others_take_over_what_one_joint_cannot() -> None:
    # One row that all joints move alike: 12 degrees in all, the first may give 0.5, the second 1.
    matrix = np.zeros((3, 6))
    matrix[0] = 1e-3
    high = WIDE.copy()
    high[:2] = 0.5, 1.0
    found = smallest_step(lambda q: q @ matrix.T, np.zeros(6), np.array([12e-3, 0, 0]), ALIKE, -WIDE, high)
    assert found == pytest.approx([0.5, 1.0, *[10.5 / 4] * 4], abs=1e-3)


def test_what_cannot_be_reached_is_approached_as_the_weights_say() -> None:
    matrix = np.zeros((3, 6))
    matrix[0, 0] = matrix[1, 0] = 1e-3  # one joint moves x and height together
    place = np.array([4e-3, 0.0, 0.0])
    alike = smallest_step(lambda q: q @ matrix.T, np.zeros(6), place, ALIKE, -WIDE, WIDE)
    assert alike[0] == pytest.approx(2.0, abs=1e-3)
    level = smallest_step(lambda q: q @ matrix.T, np.zeros(6), place, np.array([1, 3, 1.0]), -WIDE, WIDE)
    assert level[0] == pytest.approx(4.0 / (1 + 3**2), abs=1e-3)


@settings(max_examples=30, deadline=None)
@given(st.integers(0, 2**32))
def test_on_the_arm_it_arrives_and_no_pose_that_arrives_moved_less(seed: int) -> None:
    random = np.random.default_rng(seed)
    robot, start = mecharm(), np.array(REFERENCE)
    other = start + random.uniform(-4, 4, size=6)
    place = tip_points(robot, [other])[0]
    found = smallest_step(lambda q: tip_points(robot, q), start, place, ALIKE, start - 15, start + 15)
    assert tip_points(robot, [found])[0] == pytest.approx(place, abs=1e-8)
    assert np.linalg.norm(found - start) <= np.linalg.norm(other - start) + 1e-3


def test_a_box_without_width_is_kept() -> None:
    robot, start = mecharm(), np.array(REFERENCE)
    place = tip_points(robot, [start + np.array([1, -1, 1, 0, 1, 0])])[0]
    low, high = start - 10, start + 10
    low[5] = high[5] = start[5]
    low[0] = high[0] = start[0] + 0.25
    found = smallest_step(lambda q: tip_points(robot, q), start, place, ALIKE, low, high)
    assert found[[0, 5]] == pytest.approx([start[0] + 0.25, start[5]], abs=1e-9)
    assert tip_points(robot, [found])[0] == pytest.approx(place, abs=1e-8)
