"""Table files as a merge publishes them, without its audits."""

from __future__ import annotations

from datetime import UTC, datetime
from pathlib import Path

import numpy as np
import pandas as pd

from lib.lookup import LookupResult, PlaceRequest, Table, lookup_many
from lib.runlog import fk_file
from lib.scan import COLUMNS, ContentDigest
from lib.table.staged import staged_table
from lib.table.version import Version, fit_columns, insert_version, read_versions, set_current
from tests.lib.lookup import crowded

REQUESTS = [crowded.place_request(np.random.default_rng(seed)) for seed in range(40)]


def publish(data_dir: Path, points: np.ndarray, parent: int | None = None) -> int:
    """Publish a version that adds points (n, 9) to its parent's; return its number."""
    data_dir.mkdir(parents=True, exist_ok=True)
    with staged_table(data_dir) as staged:
        versions = {v.version: v for v in read_versions(staged.connection)}
        number = max(versions, default=0) + 1
        first_row = sum(v.added for v in versions.values())
        digest = ContentDigest()
        if parent is not None:
            digest.update(fk_file.read_points(staged.connection, parent)[1])
        digest.update(points)
        frame = pd.DataFrame(points, columns=list(COLUMNS))
        frame.insert(0, "fk_row", first_row + np.arange(len(points)))
        staged.connection.register("rows_to_add", frame.assign(version=number, line=0))
        staged.connection.execute("INSERT INTO fk_point SELECT * FROM rows_to_add")
        insert_version(
            staged.connection,
            Version(
                version=number, parent=parent, rows=digest.rows, first_row=first_row, scanned=len(points),
                added=len(points), duplicates=0, scan_md5=str(number), scan_file=f"{number}.csv",
                angle_unit="deg", length_unit="m", content_md5=digest.hexdigest(),
                block_digests=b"".join(digest.full_blocks), created_at=datetime.now(UTC), robot=None,
                robot_md5=None, **fit_columns(None),
            ),
        )  # fmt: skip
        set_current(staged.connection, number)
        staged.publish()
    return number


def change(data_dir: Path, statement: str) -> None:
    """Change the published table as a merge would: on a copy that takes its place."""
    with staged_table(data_dir) as staged:
        staged.connection.execute(statement)
        staged.publish()


def straight(data_dir: Path, version: int) -> Table:
    """Read a version past the index."""
    with fk_file.open_read(data_dir) as con:
        fk_rows, points = fk_file.read_points(con, version)
    return Table.from_points(points, fk_rows, version)


def answers(table: Table) -> list[LookupResult]:
    """Ask a table forty questions that find, fall back, tie and miss."""
    requests: list[PlaceRequest] = REQUESTS
    return lookup_many(table, requests)


def rows_of(table: Table) -> np.ndarray:
    """Return row numbers and points, (n, 10), by number."""
    rows = np.column_stack([table.fk_rows, table.points])
    return rows[np.argsort(rows[:, 0])]


def segments(data_dir: Path) -> dict[str, bytes]:
    """Return the segments of a data folder's index by name."""
    return {path.name: path.read_bytes() for path in sorted((data_dir / "index").glob("*.seg"))}
