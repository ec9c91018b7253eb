"""The table's rows in blocks, each with the range of its values: a search reads few of them.

The blocks of a table that was opened are brought from their files when they are first needed.
"""

from __future__ import annotations

import mmap
from collections.abc import Sequence
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import COLUMNS
from lib.lookup.condition import Between, Values
from lib.lookup.zones import AT_ONCE, Positions, Zones, limits

BLOCK_ROWS = 128


class Part(Protocol):
    """Some rows in index order, in memory or in a file."""

    @property
    def rows(self) -> int:
        """How many rows."""

    @property
    def zones(self) -> Zones:
        """The ranges of its blocks."""

    def read_block(self, block: int) -> tuple[Values, NDArray[np.int64]]:
        """Return a block's columns (9, m) and row numbers (m,), proven to be what was written."""


class Blocks:
    """Rows one behind the other, part after part, and what is known of their blocks before they are read.

    ``columns`` (9, n) and ``fk_rows`` (n,) hold the values only of blocks that were loaded.
    """

    def __init__(
        self,
        columns: Values,
        fk_rows: NDArray[np.int64],
        zones: Zones,
        parts: Sequence[tuple[int, Part]] = (),
    ) -> None:
        self.columns = columns
        self.fk_rows = fk_rows
        self.zones = zones
        self._parts = tuple(parts)
        sizes = [part.rows for _, part in parts] or [len(fk_rows)]
        self.starts, self.stops = _block_edges(sizes)
        self._loaded = np.full(len(self.starts), not parts)
        self._all_loaded = not parts
        self._short = self.stops - self.starts < BLOCK_ROWS
        # Every stretch of a column as long as a block, without a copy: a block is one of them.
        self._window = min(BLOCK_ROWS, len(fk_rows))
        self._windows = [np.lib.stride_tricks.sliding_window_view(c, self._window) for c in columns]

    @classmethod
    def in_order(cls, columns: Values, fk_rows: NDArray[np.int64]) -> Blocks:
        """Cut rows in memory into blocks as they stand."""
        return cls(columns, fk_rows, Zones.of(columns, _block_edges([len(fk_rows)])[0]))

    @classmethod
    def joined(cls, parts: Sequence[Part]) -> Blocks:
        """Put parts one behind the other; nothing is read yet."""
        rows = sum(part.rows for part in parts)
        columns = _unread(COLUMNS * rows, np.float64).reshape(COLUMNS, rows)
        lows, highs = (
            np.concatenate([np.empty((COLUMNS, 0)), *sides], axis=1)
            for sides in ([part.zones.lows for part in parts], [part.zones.highs for part in parts])
        )
        first = np.cumsum([0, *(part.zones.lows.shape[1] for part in parts)]).tolist()
        return cls(
            columns, _unread(rows, np.int64), Zones(lows, highs), list(zip(first, parts, strict=False))
        )

    def before_last_part(self) -> Blocks:
        """Return the same rows, in the same memory, without those of the last part."""
        first, last = self._parts[-1]
        rows = len(self.fk_rows) - last.rows
        shorter = Blocks(
            self.columns[:, :rows],
            self.fk_rows[:rows],
            Zones(self.zones.lows[:, :first].copy(), self.zones.highs[:, :first].copy()),
            self._parts[:-1],
        )
        shorter._loaded = self._loaded[:first]
        return shorter

    def load(self, blocks: Positions) -> None:
        """Bring blocks into memory that are not there yet."""
        if self._all_loaded:
            return
        for block in blocks[~self._loaded[blocks]].tolist():
            first, part = next(known for known in reversed(self._parts) if known[0] <= block)
            columns, fk_rows = part.read_block(block - first)
            rows = slice(int(self.starts[block]), int(self.stops[block]))
            self.columns[:, rows], self.fk_rows[rows] = columns, fk_rows
            self._loaded[block] = True

    def load_all(self) -> None:
        """Bring every block into memory."""
        self.load(np.arange(len(self.starts)))
        self._all_loaded = True

    def rows_in(self, blocks: Positions, ranges: Sequence[Between]) -> Positions:
        """Return the positions of the rows of some blocks, ascending ones, whose values are in all ranges."""
        self.load(blocks)
        windows = np.minimum(self.starts.take(blocks), len(self.fk_rows) - self._window)
        if ranges:
            # The first range is tested on whole blocks as they lie in memory, the others on what is left.
            values = self._windows[ranges[0].column][windows]
            found = np.flatnonzero((values >= ranges[0].low) & (values <= ranges[0].high))
        else:
            found = np.arange(len(blocks) * self._window)
        block = found // self._window
        rows: Positions = found + (windows - np.arange(len(blocks)) * self._window).take(block)
        if self._short[blocks].any():
            rows = rows[(rows >= self.starts[blocks][block]) & (rows < self.stops[blocks][block])]
        for k, wanted in enumerate(ranges[1:], start=1):
            if len(rows) <= AT_ONCE:
                lowest, highest = limits(ranges[k:])
                # Not take(axis=1): of columns that are part of a longer table it copies everything first.
                cells = np.array([column.take(rows) for column in self.columns])
                return rows.compress(np.logical_and.reduce((cells >= lowest) & (cells <= highest), axis=0))
            values = self.columns[wanted.column].take(rows)
            rows = rows.compress((values >= wanted.low) & (values <= wanted.high))
        return rows


def _block_edges(sizes: Sequence[int]) -> tuple[Positions, Positions]:
    """Return where blocks begin and end when parts of these sizes stand one behind the other."""
    starts, stops, done = [np.empty(0, dtype=np.intp)], [np.empty(0, dtype=np.intp)], 0
    for size in sizes:
        starts.append(np.arange(done, done + size, BLOCK_ROWS))
        stops.append(np.minimum(starts[-1] + BLOCK_ROWS, done + size))
        done += size
    return np.concatenate(starts), np.concatenate(stops)


def _unread(items: int, kind: type) -> NDArray[Any]:
    """Return an array that takes memory only where it is written, a page at a time.

    Of NumPy's own a single value can take 2 MiB: it asks for huge pages.
    """
    if not items:
        return np.empty(0, dtype=kind)
    memory = mmap.mmap(-1, items * np.dtype(kind).itemsize)
    if hasattr(mmap, "MADV_NOHUGEPAGE"):
        memory.madvise(mmap.MADV_NOHUGEPAGE)
    return np.frombuffer(memory, dtype=kind)
