"""Rows that meet the same conditions, and the best of them for a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import Column
from lib.lookup.condition import Between, Condition, ranges_of
from lib.lookup.nearby import halved_order
from lib.lookup.nearest import Best, Bounds, Chunks, Rows, gaps
from lib.lookup.table import Table
from lib.lookup.zones import Positions, Zones

# Asked so often, a family lists its blocks and what was read of them; most are asked once.
_LISTED_AT = 4
# Asked once for so many of its rows, a family is gathered: by then its searches cost as much.
_ROWS_A_QUESTION = 500
_MOST_GATHERED_ROWS = 2_000_000  # to bound memory
_CHUNK_ROWS = 128

# Looked at before any is ruled out: most blocks have few members, and gathered rows are close together.
_FIRST_BLOCKS = 32
_FIRST_CHUNKS = 8

# How much of a column a block spans, about [m, deg]: the narrower a range beside it, the fewer rows are in.
_BLOCK_SPANS = (0.020, 0.015, 0.020, 30.0, 20.0, 30.0, 30.0, 30.0, 30.0)

_XZ = (Column.EE_X, Column.EE_Z)


@dataclass(frozen=True)
class Price:
    """What a joint adds to the score: metres for every degree it leaves the reference."""

    joint: Column
    reference_deg: float
    weight_m_per_deg: float


class Family:
    """The rows of a table that meet some conditions; what was read for one target serves the next.

    First the blocks of the table are searched, group by group. Asked again, the family lists the blocks
    that may have some of its rows. Asked for often, the rows are gathered from all of these, and arranged
    in smaller chunks by what their keys are made of.
    """

    def __init__(self, table: Table, conditions: Sequence[Condition], prices: Sequence[Price] = ()) -> None:
        self._blocks = table.blocks
        ranges, self._remaining = ranges_of(conditions)
        self._ranges = sorted(filter(self._blocks.zones.cut, ranges), key=_relative_width)
        self._joints = [price.joint for price in prices]
        self._reference_deg = np.array([price.reference_deg for price in prices])[:, None]
        self._weights_m_per_deg = np.array([price.weight_m_per_deg for price in prices])[:, None]
        self._near: Positions | None = None
        self._gather_at = 0
        self._members: list[Positions | None] = []
        groups = self._blocks.zones.groups
        self._chunks = Chunks(
            self._bounds(groups, groups.meeting(self._ranges)),
            self._blocks_of,
            lambda blocks: self._read(np.sort(blocks)),
            self._blocks.fk_rows,
            _FIRST_BLOCKS,
        )
        self._asked = 0

    def best(self, x_m: float, z_m: float) -> Best | None:
        """Return the row with the smallest key, of equal ones that of the smallest number.

        None where there is no row.
        """
        self._asked += 1
        if self._asked == _LISTED_AT:
            self._list_blocks()
        elif self._near is not None and self._asked == self._gather_at:
            self._gather_or_wait(self._near)
        return self._chunks.best(x_m, z_m)

    def _bounds(self, zones: Zones, stretches: Positions) -> Bounds:
        """Return what keys are made of in some stretches."""
        changes_deg = gaps(*zones.of_columns(self._joints, stretches), self._reference_deg)
        return Bounds(stretches, *zones.of_columns(_XZ, stretches), self._weights_m_per_deg * changes_deg)

    def _blocks_of(self, groups: Positions) -> Bounds:
        zones = self._blocks.zones
        return self._bounds(zones, zones.meeting_of(zones.of_groups(groups), self._ranges))

    def _read(self, blocks: Positions) -> Rows:
        """Find the members in some blocks, ascending as these are."""
        return self._rows(self._found_in(blocks))

    def _found_in(self, blocks: Positions) -> Positions:
        rows = self._blocks.rows_in(blocks, self._ranges)
        for condition in self._remaining:
            rows = rows[condition.holds(self._blocks.columns[condition.column][rows])]
        return rows

    def _list_blocks(self) -> None:
        """List the blocks that may have members, to remember which these are."""
        self._near = self._blocks.zones.meeting(self._ranges)
        self._members = [None] * len(self._near)
        bounds = self._bounds(self._blocks.zones, self._near)
        listed = Bounds(np.arange(len(self._near)), bounds.lows_m, bounds.highs_m, bounds.least_m)
        self._chunks = Chunks.of(
            listed, lambda chosen: self._rows(self._members_of(chosen)), self._blocks.fk_rows, _FIRST_BLOCKS
        )
        self._gather_at = 2 * self._asked

    def _members_of(self, chosen: Positions) -> Positions:
        """Return the rows of some of the near blocks that meet the conditions, in no order."""
        assert self._near is not None
        new = sorted(k for k in chosen.tolist() if self._members[k] is None)
        if new:
            rows = self._found_in(self._near[new])
            # Blocks ascend and so do their rows: each block's members end where its rows do.
            ends = rows.searchsorted(self._blocks.stops[self._near[new]]).tolist()
            for k, start, end in zip(new, [0, *ends], ends, strict=False):
                self._members[k] = rows[start:end]
            if len(new) == len(chosen):
                return rows
        members = [self._members[k] for k in chosen.tolist()]
        return np.concatenate([m for m in members if m is not None and len(m)] or [chosen[:0]])

    def _rows(self, positions: Positions) -> Rows:
        xz_m, angles_deg = np.empty((2, len(positions))), np.empty((len(self._joints), len(positions)))
        for k, column in enumerate(_XZ):
            self._blocks.columns[column].take(positions, out=xz_m[k], mode="clip")
        for k, joint in enumerate(self._joints):
            self._blocks.columns[joint].take(positions, out=angles_deg[k], mode="clip")
        return Rows(positions, xz_m, self._weights_m_per_deg * np.abs(angles_deg - self._reference_deg))

    def _gather_or_wait(self, near: Positions) -> None:
        """Read all near blocks and arrange what they have, once that costs no more than was spent already."""
        read = [len(members) for members in self._members if members is not None]
        rows = sum(read) * len(near) / len(read) if read else 0.0
        if rows > min(_ROWS_A_QUESTION * self._asked, _MOST_GATHERED_ROWS):
            self._gather_at = 2 * self._asked
            return
        self._chunks = _arranged(self._rows(self._members_of(np.arange(len(near)))), self._blocks.fk_rows)


def _arranged(rows: Rows, fk_rows: NDArray[np.int64]) -> Chunks:
    """Put rows into chunks of their own, whose keys are near each other."""
    made_of_m = np.vstack([rows.xz_m, rows.prices_m.sum(axis=0)])
    order = halved_order(made_of_m.astype(np.float32), _CHUNK_ROWS)
    # The last row once more, as often as fills the last chunk, changes no answer.
    count = -(-len(order) // _CHUNK_ROWS)
    order = np.concatenate([order, np.repeat(order[-1:], count * _CHUNK_ROWS - len(order))])
    positions = rows.positions[order].reshape(count, _CHUNK_ROWS)
    # A chunk's values stand together in memory: bringing a few takes as long however many there are.
    values_m = np.empty((count, 2 + len(rows.prices_m), _CHUNK_ROWS))
    for k, column_m in enumerate((*rows.xz_m, *rows.prices_m)):
        values_m[:, k] = column_m[order].reshape(count, _CHUNK_ROWS)

    def rows_of(chosen: Positions) -> Rows:
        found = len(chosen) * _CHUNK_ROWS
        values = values_m.take(chosen, axis=0).swapaxes(0, 1).reshape(-1, found)
        return Rows(positions.take(chosen, axis=0).reshape(found), values[:2], values[2:])

    lows_m, highs_m = values_m.min(axis=2).T.copy(), values_m.max(axis=2).T.copy()
    bounds = Bounds(np.arange(count), lows_m[:2], highs_m[:2], lows_m[2:])
    return Chunks.of(bounds, rows_of, fk_rows, _FIRST_CHUNKS)


def _relative_width(wanted: Between) -> float:
    return (wanted.high - wanted.low) / _BLOCK_SPANS[wanted.column]
