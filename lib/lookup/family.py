"""Rows that meet the same conditions, and the best of them for a target."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.lookup.column import Column
from lib.lookup.condition import Between, Condition, ranges_of
from lib.lookup.nearby import halved_order
from lib.lookup.nearest import Best, Chunks, Rows, gaps
from lib.lookup.table import Table
from lib.lookup.zones import Positions

# Asked once for so many of its blocks, a family of so many rows is gathered: by then its searches cost as
# much, and with more rows there are more chunks than there were blocks.
_BLOCKS_A_QUESTION = 8
_GATHERED_ROWS = 100_000
_CHUNK_ROWS = 128

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

    First the blocks of the table are searched. Asked for often, the rows are gathered from all blocks that
    may have some, and arranged in smaller chunks by what their keys are made of.
    """

    def __init__(self, table: Table, conditions: Sequence[Condition], prices: Sequence[Price] = ()) -> None:
        self._blocks = table.blocks
        zones = self._blocks.zones
        ranges, self._remaining = ranges_of(conditions)
        self._ranges = sorted(filter(zones.cut, ranges), key=_relative_width)
        self._near = zones.meeting(self._ranges)
        self._members: list[Positions | None] = [None] * len(self._near)
        self._joints = [price.joint for price in prices]
        self._reference_deg = np.array([price.reference_deg for price in prices])[:, None]
        self._weights_m_per_deg = np.array([price.weight_m_per_deg for price in prices])[:, None]
        changes_deg = gaps(*zones.of_columns(self._joints, self._near), self._reference_deg)
        self._chunks = Chunks(
            *zones.of_columns(_XZ, self._near),
            self._weights_m_per_deg * changes_deg,
            lambda chosen: self._rows(self._members_of(chosen)),
            self._blocks.fk_rows,
        )
        self._gather_at = len(self._near) // _BLOCKS_A_QUESTION + 3
        self._asked = 0

    def best(self, x_m: float, z_m: float) -> Best | None:
        """Return the row with the smallest key, of equal ones that of the smallest number.

        None where there is no row.
        """
        self._asked += 1
        if self._asked == self._gather_at:
            self._gather()
        return self._chunks.best(x_m, z_m)

    def _members_of(self, chosen: Positions) -> Positions:
        """Return the rows of some of the near blocks that meet the conditions, in no order."""
        if self._asked == 1:  # most are asked once: nothing is worth remembering yet
            return self._read(np.sort(chosen))
        new = sorted(k for k in chosen.tolist() if self._members[k] is None)
        if new:
            rows = self._read(np.array(new))
            # Blocks ascend and so do their rows: each block's members end where its rows do.
            ends = rows.searchsorted(self._blocks.stops[self._near[new]]).tolist()
            for k, start, end in zip(new, [0, *ends], ends, strict=False):
                self._members[k] = rows[start:end]
            if len(new) == len(chosen):
                return rows
        members = [self._members[k] for k in chosen.tolist()]
        return np.concatenate([m for m in members if m is not None and len(m)] or [chosen[:0]])

    def _read(self, chosen: Positions) -> Positions:
        """Find the members in some near blocks, ascending as these are."""
        rows = self._blocks.rows_in(self._near[chosen], self._ranges)
        for condition in self._remaining:
            rows = rows[condition.holds(self._blocks.columns[condition.column][rows])]
        return rows

    def _rows(self, positions: Positions) -> Rows:
        xz_m, angles_deg = np.empty((2, len(positions))), np.empty((len(self._joints), len(positions)))
        for k, column in enumerate(_XZ):
            self._blocks.columns[column].take(positions, out=xz_m[k], mode="clip")
        for k, joint in enumerate(self._joints):
            self._blocks.columns[joint].take(positions, out=angles_deg[k], mode="clip")
        return Rows(positions, xz_m, self._weights_m_per_deg * np.abs(angles_deg - self._reference_deg))

    def _gather(self) -> None:
        """Read all near blocks and arrange what they have, unless that seems to be much."""
        read = [len(members) for members in self._members if members is not None]
        if read and sum(read) * len(self._near) <= _GATHERED_ROWS * len(read):
            members = self._members_of(np.arange(len(self._near)))
            self._chunks = _arranged(self._rows(members), self._chunks)


def _arranged(rows: Rows, chunks: Chunks) -> Chunks:
    """Put rows into chunks of their own, whose keys are near each other."""
    made_of_m = np.vstack([rows.xz_m, rows.prices_m.sum(axis=0)])
    order = halved_order(made_of_m.astype(np.float32), _CHUNK_ROWS)
    # The last row once more, as often as fills the last chunk, changes no answer.
    count = -(-len(order) // _CHUNK_ROWS)
    order = np.concatenate([order, np.repeat(order[-1:], count * _CHUNK_ROWS - len(order))])
    positions = rows.positions[order].reshape(count, _CHUNK_ROWS)
    xz_m = rows.xz_m[:, order].reshape(2, count, _CHUNK_ROWS)
    prices_m = rows.prices_m[:, order].reshape(len(rows.prices_m), count, _CHUNK_ROWS)

    def rows_of(chosen: Positions) -> Rows:
        found = len(chosen) * positions.shape[1]
        return Rows(
            positions.take(chosen, axis=0).reshape(found),
            xz_m.take(chosen, axis=1).reshape(2, found),
            prices_m.take(chosen, axis=1).reshape(len(prices_m), found),
        )

    return Chunks(xz_m.min(axis=2), xz_m.max(axis=2), prices_m.min(axis=2), rows_of, chunks.fk_rows)


def _relative_width(wanted: Between) -> float:
    return (wanted.high - wanted.low) / _BLOCK_SPANS[wanted.column]
