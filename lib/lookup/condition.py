"""What a filter asks of one column."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from math import inf, nextafter

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import Column

Mask = NDArray[np.bool_]
Values = NDArray[np.float64]


@dataclass(frozen=True)
class Between:
    """A column inside a closed range."""

    column: Column
    low: float
    high: float

    def holds(self, values: Values) -> Mask:
        """Tell for each value whether it is inside."""
        return (values >= self.low) & (values <= self.high)


@dataclass(frozen=True)
class Around:
    """A column at most ``tolerance`` from ``centre``, measured as a difference.

    Not the same as Between(centre - tolerance, centre + tolerance) in the last bit, and rows that
    lie exactly on the bound are common: the table's poses are 5 degrees apart.
    """

    column: Column
    centre: float
    tolerance: float

    def holds(self, values: Values) -> Mask:
        """Tell for each value whether it is near enough."""
        return np.abs(values - self.centre) <= self.tolerance


Condition = Between | Around


def ranges_of(conditions: Sequence[Condition]) -> tuple[list[Between], list[Around]]:
    """Put conditions as one range a column, and those that remain to be tested on the rows within.

    No row outside the ranges meets the conditions; a row inside meets all but perhaps the remaining.
    """
    ranges: dict[Column, tuple[float, float]] = {}
    remaining = []
    for condition in conditions:
        low, high, exact = _ends(condition)
        known = ranges.get(condition.column, (-inf, inf))
        ranges[condition.column] = max(known[0], low), min(known[1], high)
        if not exact and isinstance(condition, Around):
            remaining.append(condition)
    return [Between(column, *ends) for column, ends in ranges.items()], remaining


def _ends(condition: Condition) -> tuple[float, float, bool]:
    """Return the smallest and the largest value that meet a condition, and whether they are known exactly."""
    if isinstance(condition, Between):
        return condition.low, condition.high, True
    centre, tolerance = condition.centre, condition.tolerance
    low, high = _last_value(centre, tolerance, -inf), _last_value(centre, tolerance, inf)
    if low is not None and high is not None:
        return low, high, True
    return *ends_of(condition), False


def ends_of(condition: Around) -> tuple[float, float]:
    """Return values outside of which none meets a condition; the last few inside may not either."""
    slack = 8 * sys.float_info.epsilon * (abs(condition.centre) + condition.tolerance)
    return condition.centre - condition.tolerance - slack, condition.centre + condition.tolerance + slack


def _last_value(centre: float, tolerance: float, towards: float) -> float | None:
    """Return the value farthest in one direction whose computed difference is within the tolerance.

    It is a few floating-point numbers from centre + or - tolerance, or very many where that is near 0:
    then None. Differences, rounding included, only grow with the distance: the first value that is too
    far is the end.
    """
    value = centre + tolerance if towards > 0 else centre - tolerance
    for _ in range(4):
        if abs(value - centre) > tolerance:
            value = nextafter(value, -towards)
            continue
        beyond = nextafter(value, towards)
        if abs(beyond - centre) > tolerance:
            return value
        value = beyond
    return None
