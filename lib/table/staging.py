"""Put a scan behind the table's rows: which of its rows are new, appended in scan order, read back."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import duckdb

from lib.runlog import fk_file, one_file
from lib.runlog.sql_file import sql_text
from lib.scan import readable_points

_SCAN_POINT = """
CREATE OR REPLACE TEMP TABLE scan_point (
  ordinal BIGINT, line INTEGER, ee_x DOUBLE, ee_y DOUBLE, ee_z DOUBLE,
  j0 DOUBLE, j1 DOUBLE, j2 DOUBLE, j3 DOUBLE, j4 DOUBLE, j5 DOUBLE
)
"""


@dataclass(frozen=True)
class Appended:
    """What appending a scan did to the staged file."""

    scanned: int
    added: int
    duplicates: int
    """Scan rows equal in all nine columns to a row of the parent or to an earlier row of the scan."""
    first_row: int
    """Number of the first row added."""


def append_scan(
    connection: duckdb.DuckDBPyConnection, points_file: Path, parent: int | None, version: int
) -> Appended:
    """Append a kept scan's new rows as ``version``, on top of ``parent``.

    Leaves the staged relations scan_point, parent_repeat and fresh_point for the audits. Raises
    Damaged where the scan's rows cannot be read.
    """
    connection.execute(_SCAN_POINT)
    with readable_points(points_file):
        connection.execute(sql_text("merge/scan_point"), {"points": one_file(points_file)})
    lineage = fk_file.ancestors(connection, parent) if parent is not None else []
    connection.execute("CREATE OR REPLACE TEMP TABLE parent_version (version INTEGER)")
    if lineage:
        marks = ", ".join("(?)" for _ in lineage)
        connection.execute(f"INSERT INTO parent_version VALUES {marks}", lineage)
    connection.execute(sql_text("merge/parent_repeat"))
    connection.execute(sql_text("merge/fresh_point"))
    first_row = _number(connection, "SELECT coalesce(max(fk_row) + 1, 0) FROM fk_point")
    connection.execute(sql_text("merge/append_point"), {"first_row": first_row, "version": version})
    scanned = _number(connection, "SELECT count(*) FROM scan_point")
    added = _number(connection, "SELECT count(*) FROM fresh_point")
    return Appended(scanned, added, scanned - added, first_row)


def _number(connection: duckdb.DuckDBPyConnection, question: str) -> int:
    row = connection.execute(question).fetchone()
    assert row is not None
    return int(row[0])
