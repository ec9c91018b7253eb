"""A segment of the index: some versions' rows, neighbours together, with the range of every block."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.blocks import BLOCK_ROWS
from lib.lookup.column import Column
from lib.lookup.nearby import halved_order
from lib.lookup.zones import Zones

Values = NDArray[np.float64]
Numbers = NDArray[np.int64]

# What rows of a block have in common, each column measured in steps of what a question spans of it
# [m, m, m, deg, deg].
_SPANS = (
    (Column.EE_X, 0.010),
    (Column.EE_Y, 0.015),
    (Column.EE_Z, 0.010),
    (Column.J0, 30.0),
    (Column.J1, 20.0),
)


@dataclass(frozen=True, eq=False)
class Segment:
    """A segment in memory."""

    columns: Values
    """Tip [m] and joints [deg], of shape (9, n)."""
    fk_rows: Numbers
    """Number of each row, of shape (n,)."""
    zones: Zones

    @classmethod
    def of(cls, columns: Values, fk_rows: Numbers) -> Segment:
        """Arrange rows in place: ``columns`` (9, n) and their numbers (n,), ascending."""
        keys = np.empty((len(_SPANS), len(fk_rows)), dtype=np.float32)
        for key, (column, step) in zip(keys, _SPANS, strict=True):
            key[:] = columns[column] / step
        order = halved_order(keys, BLOCK_ROWS)
        for values in (*columns, fk_rows):  # one by one, to bound memory
            values[:] = values[order]
        return cls(columns, fk_rows, Zones.of(columns, np.arange(0, len(order), BLOCK_ROWS)))

    @property
    def rows(self) -> int:
        """How many rows it has."""
        return len(self.fk_rows)

    def read_block(self, block: int) -> tuple[Values, Numbers]:
        """Return a block's columns (9, m) and row numbers (m,)."""
        rows = slice(block * BLOCK_ROWS, (block + 1) * BLOCK_ROWS)
        return self.columns[:, rows], self.fk_rows[rows]

    def block_bytes(self, block: int) -> bytes:
        """Return a block as its file keeps it: its columns one behind the other, then its row numbers."""
        columns, fk_rows = self.read_block(block)
        return columns.astype("<f8").tobytes() + fk_rows.astype("<i8").tobytes()
