"""Radians and millimetres: refused with the unit's name, converted once where the unit is given."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lib.scan.refusal import Unreadable
from lib.scan.units import doubts, in_metres_and_degrees

LINES = np.array([2, 3])


def rows(tip_m: float = 0.2, joint: float = 90.0) -> np.ndarray:
    return np.array([[0.1, tip_m, -0.1, 0, 1, 2, 3, 4, joint], [0.1, 0.1, 0.1, 0, 0, 0, 0, 0, 0]])


def refusal(points: np.ndarray) -> Unreadable:
    with pytest.raises(Unreadable) as refused:
        in_metres_and_degrees(points, LINES, None, None)
    return refused.value


def test_metres_and_degrees_stay_as_they_are() -> None:
    assert np.array_equal(in_metres_and_degrees(rows(), LINES, None, None), rows())


@pytest.mark.parametrize("widest", [1e-3, 3.1, -math.tau, 6.2832])
def test_joints_within_one_turn_of_radians_are_refused(widest: float) -> None:
    error = refusal(rows(joint=widest)[[0]] * [1, 1, 1, 0, 0, 0, 0, 0, 1])
    assert (
        str(error) == f"column j0..j5: these look like radians: no |j| above 6.2832 (found {abs(widest):g})"
    )
    assert "--angle-unit rad" in error.advice


def test_a_joint_just_above_one_turn_of_radians_makes_degrees() -> None:
    in_metres_and_degrees(rows(joint=-6.2833), LINES, None, None)


def test_all_joints_at_zero_are_no_radians() -> None:
    in_metres_and_degrees(np.zeros((1, 9)), LINES[:1], None, None)


@pytest.mark.parametrize("tip", [2.0001, -447.0])
def test_a_tip_farther_than_two_metres_is_refused_at_its_line(tip: float) -> None:
    error = refusal(rows(tip_m=tip))
    assert str(error).startswith("line 2, column ee_y: this looks like millimetres")
    assert "--length-unit mm" in error.advice


def test_both_wrong_units_are_named_at_once() -> None:
    error = refusal(np.array([[100.0, 0, 0, 1, 1, 1, 1, 1, 1]]))
    assert [problem.column for problem in error.problems] == ["j0..j5", "ee_x"]
    assert "--angle-unit rad" in error.advice
    assert "--length-unit mm" in error.advice


def test_a_given_unit_is_converted_once() -> None:
    found = in_metres_and_degrees(rows(tip_m=150.0, joint=-math.pi), LINES, "rad", "mm")
    assert found[0, 8] == -180.0
    assert found[0, 1] == 0.15


def test_a_given_unit_is_believed() -> None:
    small = rows(tip_m=3.0, joint=5.0)
    assert np.array_equal(in_metres_and_degrees(small.copy(), LINES, "deg", "m"), small)


def test_a_file_of_radians_with_a_few_rows_of_degrees_is_refused_all_the_same() -> None:
    points = np.tile(rows(joint=3.0)[:1], (60, 1))
    points[7, 3] = 90.0
    with pytest.raises(Unreadable) as refused:
        in_metres_and_degrees(points, np.arange(2, 62), None, None)
    assert str(refused.value) == (
        "column j0..j5: most of these look like radians: no |j| above 6.2832 (found 59 of 60 rows)"
    )
    points[8:20, 3] = 90.0  # a fifth of the rows: degrees near zero are no radians
    in_metres_and_degrees(points, np.arange(2, 62), None, None)


def test_metres_read_as_millimetres_leave_a_doubt() -> None:
    found = in_metres_and_degrees(rows(), LINES, None, "mm")
    assert doubts(found, None, "mm") == (
        "read as millimetres, the farthest tip is 0.2 mm away: were these metres?",
    )


def test_degrees_read_as_radians_leave_a_doubt() -> None:
    found = in_metres_and_degrees(rows(joint=160.0), LINES, "rad", None)
    assert "were these degrees already?" in doubts(found, "rad", None)[0]
    assert not doubts(rows(), None, None)
