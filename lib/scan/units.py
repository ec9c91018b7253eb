"""Degrees and metres: refused where the numbers look otherwise, converted once where a unit is given.

A twin that exports radians has no |j| above one turn, 6.2832; an arm of this size has no tip 2 m
from its base, but thousands of millimetres are usual.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from lib.errors import Problem
from lib.scan.content import COLUMNS, Points
from lib.scan.options import AngleUnit, LengthUnit
from lib.scan.refusal import Unreadable

ONE_TURN_RAD = 6.2832
LONGEST_REACH_M = 2.0
# No joint of a small arm turns further; above it a file read as radians was in degrees.
WIDEST_JOINT_DEG = 1080.0

_LENGTHS = slice(0, 3)
_ANGLES = slice(3, 9)


def in_metres_and_degrees(
    points: Points,
    lines: NDArray[np.int64],
    angle_unit: AngleUnit | None,
    length_unit: LengthUnit | None,
) -> Points:
    """Return ``points``, of shape (n, 9), in metres and degrees; the array given may be changed.

    Raises Unreadable where a unit is not given and the numbers look like radians or millimetres.
    """
    problems, advice = [], []
    if angle_unit is None and (problem := _like_radians(points)):
        problems.append(problem)
        advice.append("--angle-unit rad converts them (deg: they are degrees)")
    if length_unit is None and (problem := _like_millimetres(points, lines)):
        problems.append(problem)
        advice.append("--length-unit mm converts them (m: they are metres)")
    if problems:
        raise Unreadable(problems, ", ".join(advice))
    if angle_unit == "rad":
        points[:, _ANGLES] = np.degrees(points[:, _ANGLES])
    if length_unit == "mm":
        points[:, _LENGTHS] /= 1000.0
    return points


def doubts(points: Points, angle_unit: AngleUnit | None) -> Sequence[str]:
    """Say what looks wrong about a unit that was given and therefore believed."""
    widest_deg = _largest(points[:, _ANGLES])
    if angle_unit == "rad" and widest_deg > WIDEST_JOINT_DEG:
        return (f"read as radians, the widest joint is {widest_deg:,.0f} deg: were these degrees already?",)
    return ()


def _like_radians(points: Points) -> Problem | None:
    widest = _largest(points[:, _ANGLES])
    # All zero says nothing: zero degrees are zero radians.
    if not 0.0 < widest <= ONE_TURN_RAD:
        return None
    return Problem(None, "j0..j5", f"{widest:g}", f"these look like radians: no |j| above {ONE_TURN_RAD}")


def _like_millimetres(points: Points, lines: NDArray[np.int64]) -> Problem | None:
    if _largest(points[:, _LENGTHS]) <= LONGEST_REACH_M:
        return None
    row, column = np.argwhere(np.abs(points[:, _LENGTHS]) > LONGEST_REACH_M)[0]
    rule = f"this looks like millimetres: a tip farther than {LONGEST_REACH_M:g} m"
    return Problem(int(lines[row]), COLUMNS[column], f"{points[row, column]:g}", rule)


def _largest(values: Points) -> float:
    """Return the largest magnitude without a copy of the values."""
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
