"""The order of rows in the index: neighbours in what a lookup selects by stand in the same block.

A k-d tree: the rows are halved at the widest of the tip's x, height and z and of j0 and j1, each measured
in steps of what a question spans of it, until a half fits a block. A question then reads half as many
blocks as along a Morton curve (measured on 1.7 million rows). The tree itself is not kept: the ranges of
the blocks say all that a search needs.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import Column

# Column and the step it is measured in [m, m, m, deg, deg].
_SPANS = (
    (Column.EE_X, 0.020),
    (Column.EE_Y, 0.015),
    (Column.EE_Z, 0.020),
    (Column.J0, 30.0),
    (Column.J1, 20.0),
)


def nearby_order(columns: NDArray[np.float64], block_rows: int) -> NDArray[np.intp]:
    """Return positions (n,) of the rows of ``columns`` (9, n) such that every ``block_rows`` are neighbours.

    Depends on nothing but the rows, to the last position: ties go by position, and no algorithm's
    choice shows. So an index built again is the same file, byte by byte.
    """
    rows = columns.shape[1]
    keys = np.empty((len(_SPANS), rows), dtype=np.float32)
    for key, (column, step) in zip(keys, _SPANS, strict=True):
        key[:] = columns[column] / step
    order = np.arange(rows, dtype=np.intp)
    waiting = [(0, rows)]
    while waiting:
        start, stop = waiting.pop()
        if stop - start <= block_rows:
            continue
        part = keys[:, start:stop]
        widest = int(np.argmax(part.max(axis=1) - part.min(axis=1)))
        # Whole blocks go left, so that only the very last block may be short.
        middle = -(-(stop - start) // block_rows) // 2 * block_rows
        halves = _halves(part[widest], middle)
        for values in (*part, order[start:stop]):  # one by one, to bound memory
            values[:] = values[halves]
        waiting += [(start, start + middle), (start + middle, stop)]
    return order


def _halves(values: NDArray[np.float32], middle: int) -> NDArray[np.intp]:
    """Return positions: the ``middle`` smallest values first, both halves in the order they came in."""
    cut = np.partition(values, middle)[middle]
    below = values < cut
    short = middle - int(np.count_nonzero(below))
    if short:
        below[np.flatnonzero(values == cut)[:short]] = True
    return np.concatenate([np.flatnonzero(below), np.flatnonzero(~below)])
