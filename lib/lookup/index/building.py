"""Build a segment from the table, and prove its rows by the table's content md5s."""

from __future__ import annotations

from pathlib import Path

import duckdb
import numpy as np

from lib.errors import BadInput
from lib.lookup.condition import Values
from lib.lookup.index.segment import Segment
from lib.lookup.index.span import Span, last_rows_from
from lib.runlog import fk_file
from lib.scan import BLOCK_ROWS as DIGEST_ROWS
from lib.scan import ContentDigest

# Rows that are hashed at once, to bound memory.
_AT_ONCE = 4 * DIGEST_ROWS


def build(con: duckdb.DuckDBPyConnection, data_dir: Path, span: Span) -> tuple[Segment, bool]:
    """Return a span's segment, and whether its rows are those that the version was published with.

    Raises BadInput where rows are missing or doubled, or a value is not finite.
    """
    versions = [line.version for line in span.versions]
    fk_rows, columns = fk_file.read_added(con, versions)
    where = f"{fk_file.path(data_dir)}: what version {' and '.join(map(str, versions))} added"
    what_to_do = "the table file is damaged: `nightpick table verify` tells where"
    if len(fk_rows) != span.rows or np.any(np.diff(fk_rows) == 0):
        raise BadInput(f"{where} is {len(fk_rows):,} rows, expected {span.rows:,}; {what_to_do}")
    if not np.isfinite(columns.sum()):
        raise BadInput(f"{where} holds a value that is not finite; {what_to_do}")
    proven = _content_md5(con, span, columns) == span.versions[-1].content_md5
    return Segment.of(columns, fk_rows), proven


def _content_md5(con: duckdb.DuckDBPyConnection, span: Span, columns: Values) -> str | None:
    """Hash the rows below, from what the version below keeps of them, and these; None if those changed."""
    digest = ContentDigest()
    if span.below:
        below = [line.version for line in span.below]
        blocks = fk_file.block_digests(con, below[-1])
        rows = sum(line.added for line in span.below)
        tail = fk_file.read_last(con, below, last_rows_from(span.below, rows % DIGEST_ROWS))
        digest = ContentDigest(blocks, tail.T)
        if digest.hexdigest() != span.below[-1].content_md5:
            return None
    for start in range(0, columns.shape[1], _AT_ONCE):
        digest.update(columns[:, start : start + _AT_ONCE].T)
    return digest.hexdigest()
