"""The order of rows in a segment puts neighbours together and depends on the rows alone."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.lookup.blocks import Blocks
from lib.lookup.condition import Between
from lib.lookup.index.segment import Segment
from lib.lookup.nearby import halved_order
from lib.lookup.table import Column
from lib.lookup.zones import Zones
from tests.lib.lookup import crowded


@given(st.integers(0, 300), st.integers(1, 64), st.integers(0, 2**32), st.booleans())
def test_every_row_has_one_place(rows: int, block_rows: int, seed: int, equal: bool) -> None:
    keys = np.random.default_rng(seed).integers(0, 1 if equal else 5, (3, rows)).astype(np.float32)
    order = halved_order(keys, block_rows)
    assert sorted(order.tolist()) == list(range(rows))
    for start in range(0, rows, block_rows):
        block = order[start : start + block_rows]
        assert (np.diff(block) > 0).all()  # within a block, as they came


def test_blocks_are_smaller_in_what_is_asked_than_those_of_the_scans_order() -> None:
    columns = crowded.points(np.random.default_rng(0), 50_000).T.copy()
    starts = np.arange(0, 50_000, 128)

    def overlapping(zones: Zones) -> int:
        box = [
            Between(Column.EE_X, -0.175, -0.165),
            Between(Column.EE_Y, 0.085, 0.115),
            Between(Column.EE_Z, 0.185, 0.195),
            Between(Column.J0, 33.2, 39.2),
        ]
        return len(zones.meeting(box))

    scattered = overlapping(Zones.of(columns, starts))
    together = overlapping(Segment.of(columns, np.arange(50_000)).zones)
    assert scattered == len(starts) and together <= 0.2 * scattered


@pytest.mark.parametrize("sizes", [(700,), (700, 30), (2_000, 129, 1), (128, 0, 128), (0,), (0, 5)])
def test_rows_in_a_box_are_those_that_a_mask_finds(sizes: tuple[int, ...]) -> None:
    random = np.random.default_rng(0)
    points = crowded.points(random, 4_000)
    parts, start = [], 0
    for size in sizes:
        parts.append(Segment.of(points[start : start + size].T.copy(), np.arange(start, start + size)))
        start += size
    for _ in range(20):
        blocks = Blocks.joined(parts)  # nothing read yet
        low, high = np.sort(random.choice(points[:, [0, 1, 3]], 2), axis=0)
        box = [
            Between(column, low[k], high[k]) for k, column in enumerate((Column.EE_X, Column.EE_Y, Column.J0))
        ]
        for ranges in (box, box[:1], []):
            found = blocks.rows_in(blocks.zones.meeting(ranges), ranges)
            inside = np.ones(start, dtype=bool)
            for wanted in ranges:
                inside &= wanted.holds(points[:start, wanted.column])
            assert (np.diff(found) > 0).all()
            assert sorted(blocks.fk_rows[found].tolist()) == np.flatnonzero(inside).tolist()
            assert np.array_equal(blocks.columns[:, found].T, points[blocks.fk_rows[found]])
