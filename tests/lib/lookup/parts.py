"""A table whose rows stand as an index has them: several segments, one behind the other."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from lib.lookup import Table
from lib.lookup.blocks import Blocks
from lib.lookup.index import Segment


def table_of_segments(points: np.ndarray, fk_rows: np.ndarray, segments: int) -> Table:
    """Cut rows (n, 9), ascending by number, into segments, the last ones small, and arrange each."""
    shares = 1 / 4 ** np.arange(segments)
    ends = np.round(len(points) * np.cumsum([0.0, *shares / shares.sum()])).astype(int)
    parts = [
        Segment.of(points[start:stop].T.copy(), fk_rows[start:stop].copy()) for start, stop in pairwise(ends)
    ]
    return Table(Blocks.joined(parts))
