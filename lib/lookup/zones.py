"""The range of every column in stretches of rows: where no row that is asked for can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from math import inf

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import COLUMNS, Column
from lib.lookup.condition import Between, Values

Positions = NDArray[np.intp]

# Of so many stretches or rows or fewer, all columns are tested at once: calls then cost more than values.
AT_ONCE = 256

# Consecutive stretches are neighbours: so many have a range together that rules most of them out at once.
_GROUP = 32
_GROUPED_FROM = 1_024


@dataclass(frozen=True, eq=False)
class Zones:
    """The smallest and largest value of every column in every stretch, of shape (9, stretches) each."""

    lows: Values
    highs: Values

    @classmethod
    def of(cls, columns: Values, starts: Positions) -> Zones:
        """Measure stretches of ``columns`` (9, n) that begin at ``starts``, one behind the other."""
        if not len(starts):
            return cls(np.empty((COLUMNS, 0)), np.empty((COLUMNS, 0)))
        return cls(np.minimum.reduceat(columns, starts, axis=1), np.maximum.reduceat(columns, starts, axis=1))

    @cached_property
    def _ends(self) -> tuple[list[float], list[float]]:
        if not self.lows.size:
            return [inf] * COLUMNS, [-inf] * COLUMNS
        return self.lows.min(axis=1).tolist(), self.highs.max(axis=1).tolist()

    def cut(self, wanted: Between) -> bool:
        """Tell whether any stretch reaches out of a range."""
        lows, highs = self._ends
        return wanted.low > lows[wanted.column] or wanted.high < highs[wanted.column]

    def of_columns(self, columns: Sequence[Column], stretches: Positions) -> tuple[Values, Values]:
        """Return smallest and largest values of some columns in some stretches, (k, m) each."""
        lows, highs = np.empty((2, len(columns), len(stretches)))
        for k, column in enumerate(columns):
            self.lows[column].take(stretches, out=lows[k], mode="clip")
            self.highs[column].take(stretches, out=highs[k], mode="clip")
        return lows, highs

    @cached_property
    def groups(self) -> Zones:
        """The ranges of so many consecutive stretches each, the last ones fewer."""
        starts = np.arange(0, self.lows.shape[1], _GROUP)
        if not len(starts):
            return self
        lows = np.minimum.reduceat(self.lows, starts, axis=1)
        return Zones(lows, np.maximum.reduceat(self.highs, starts, axis=1))

    def of_groups(self, groups: Positions) -> Positions:
        """Return the stretches of some groups, group by group."""
        found = (groups[:, None] * _GROUP + np.arange(_GROUP)).ravel()
        # Only the very last group may be short.
        return found if self.lows.shape[1] % _GROUP == 0 else found.compress(found < self.lows.shape[1])

    def meeting(self, ranges: Sequence[Between]) -> Positions:
        """Return the stretches, ascending, that may hold a row whose values are in all ranges.

        The narrowest range had best come first.
        """
        if not ranges:
            return np.arange(self.lows.shape[1])
        if self.lows.shape[1] >= _GROUPED_FROM:
            return self.meeting_of(self.of_groups(self.groups.meeting(ranges)), ranges)
        first = ranges[0]
        lows, highs = self.lows[first.column], self.highs[first.column]
        return self.meeting_of(np.flatnonzero((highs >= first.low) & (lows <= first.high)), ranges[1:])

    def meeting_of(self, stretches: Positions, ranges: Sequence[Between]) -> Positions:
        """Return those of some stretches, in their order, that may hold such a row."""
        left = stretches
        for k, wanted in enumerate(ranges):
            if len(left) <= AT_ONCE:
                lowest, highest = limits(ranges[k:])
                may = (self.highs.take(left, axis=1) >= lowest) & (self.lows.take(left, axis=1) <= highest)
                return left.compress(np.logical_and.reduce(may, axis=0))
            lows, highs = self.lows[wanted.column].take(left), self.highs[wanted.column].take(left)
            left = left.compress((highs >= wanted.low) & (lows <= wanted.high))
        return left


def limits(ranges: Sequence[Between]) -> tuple[Values, Values]:
    """Return the lowest and highest value allowed in each column, of shape (9, 1) each."""
    lowest, highest = [[-inf]] * COLUMNS, [[inf]] * COLUMNS
    for wanted in ranges:
        lowest[wanted.column], highest[wanted.column] = [wanted.low], [wanted.high]
    return np.array(lowest), np.array(highest)
