"""Rows that are there already: how many of a set of rows repeat an earlier one exactly."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

# The 64-bit golden ratio, odd: multiplying by it spreads every bit upwards (Knuth, TAOCP 3, 6.4).
_SPREAD = np.uint64(0x9E3779B97F4A7C15)
_HALF = np.uint64(32)


def count_repeats(rows: NDArray[Any]) -> int:
    """Return how many of ``rows``, of shape (n, k) and 8 bytes a number, equal an earlier row.

    The numbers are compared bit by bit, so -0.0 must have become 0.0. Equal rows have equal hashes;
    only rows that share one are compared, so the count is exact.
    """
    hashes = _row_hashes(np.ascontiguousarray(rows).view(np.uint64))
    ordered = np.sort(hashes)
    shared = np.unique(ordered[1:][ordered[1:] == ordered[:-1]])
    if not len(shared):
        return 0
    candidates = rows[np.isin(hashes, shared)]
    return len(candidates) - len(np.unique(candidates, axis=0))


def _row_hashes(words: NDArray[np.uint64]) -> NDArray[np.uint64]:
    hashes = np.zeros(len(words), dtype=np.uint64)
    for column in words.T:
        hashes ^= column
        hashes *= _SPREAD
        hashes ^= hashes >> _HALF
    return hashes
