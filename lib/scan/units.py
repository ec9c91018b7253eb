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
# Fewer rows within one turn of radians may as well be degrees near zero.
MOST = 0.9

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


def doubts(points: Points, angle_unit: AngleUnit | None, length_unit: LengthUnit | None) -> Sequence[str]:
    """Say what looks wrong about a unit that was given and therefore believed."""
    widest_deg = largest(points[:, _ANGLES])
    said = []
    if angle_unit == "rad" and widest_deg > WIDEST_JOINT_DEG:
        said.append(
            f"read as radians, the widest joint is {widest_deg:,.0f} deg: were these degrees already?"
        )
    farthest_m = largest(points[:, _LENGTHS])
    if length_unit == "mm" and farthest_m <= LONGEST_REACH_M / 1000.0:
        said.append(
            f"read as millimetres, the farthest tip is {farthest_m * 1e3:.2g} mm away: were these metres?"
        )
    return tuple(said)


def _like_radians(points: Points) -> Problem | None:
    narrow = np.ones(len(points), dtype=bool)
    for joint in points[:, _ANGLES].T:
        narrow &= (joint <= ONE_TURN_RAD) & (joint >= -ONE_TURN_RAD)
        if narrow.sum() < MOST * len(points):
            return None
    widest = largest(points[:, _ANGLES][narrow])
    if widest == 0.0:  # zero degrees are zero radians
        return None
    if narrow.all():
        return Problem(None, "j0..j5", f"{widest:g}", f"these look like radians: no |j| above {ONE_TURN_RAD}")
    found = f"{narrow.sum():,} of {len(points):,} rows"
    return Problem(None, "j0..j5", found, f"most of these look like radians: no |j| above {ONE_TURN_RAD}")


def _like_millimetres(points: Points, lines: NDArray[np.int64]) -> Problem | None:
    if largest(points[:, _LENGTHS]) <= LONGEST_REACH_M:
        return None
    row, column = np.argwhere(np.abs(points[:, _LENGTHS]) > LONGEST_REACH_M)[0]
    rule = f"this looks like millimetres: a tip farther than {LONGEST_REACH_M:g} m"
    return Problem(int(lines[row]), COLUMNS[column], f"{points[row, column]:g}", rule)


def largest(values: Points) -> float:
    """Return the largest magnitude without a copy of the values."""
    return max(float(values.max(initial=0.0)), -float(values.min(initial=0.0)))
