"""Stretches that may hold a row are those whose ranges overlap what is asked, however many there are."""

from __future__ import annotations

import numpy as np
import pytest

from lib.lookup.column import Column
from lib.lookup.condition import Between
from lib.lookup.zones import Zones


@pytest.mark.parametrize("stretches", [0, 1, 300, 8_191, 8_192, 9_001])
def test_the_stretches_are_those_that_overlap(stretches: int) -> None:
    random = np.random.default_rng(stretches)
    lows = np.sort(random.random((9, stretches)), axis=1).round(3)  # neighbours alike, as in an index
    widths = np.array([0.0, 0.001, 0.05])[random.integers(0, 3, (9, stretches))]
    zones = Zones(lows, lows + widths)
    for _ in range(60):
        columns = random.permutation(9)[: random.integers(0, 5)]
        ranges = []
        for column in columns.tolist():
            low = round(random.random(), 3)
            ranges.append(Between(Column(column), low, low + random.choice([0.0, 0.002, 0.3])))
        expected = np.ones(stretches, dtype=bool)
        for wanted in ranges:
            expected &= (zones.lows[wanted.column] <= wanted.high) & (
                zones.highs[wanted.column] >= wanted.low
            )
        assert zones.meeting(ranges).tolist() == np.flatnonzero(expected).tolist()
