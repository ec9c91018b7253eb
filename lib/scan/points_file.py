"""A kept scan's rows and rejected lines as Parquet files."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.disk import disk_refused
from lib.errors import Damaged
from lib.runlog import one_file
from lib.scan.content import COLUMNS, Points
from lib.scan.strict import Reject

SUFFIX = ".points.parquet"


class ScanDamaged(Damaged):
    """A kept scan is not what was ingested; the table and the other scans are not touched by it."""


def write_points(path: Path, points: Points, lines: NDArray[np.int64]) -> None:
    """Write points, of shape (n, 9), with their line numbers, in file order."""
    columns = {"line": lines, **{name: points[:, k] for k, name in enumerate(COLUMNS)}}
    with duckdb.connect() as connection:
        connection.register("point", columns)
        connection.execute(
            f"COPY (SELECT line, {', '.join(COLUMNS)} FROM point) TO {_quoted(path)} (FORMAT parquet)"
        )


def read_points(path: Path) -> tuple[Points, NDArray[np.int64]]:
    """Return the points, of shape (n, 9), and their line numbers, of shape (n,).

    Raises ScanDamaged where the file is gone or damaged.
    """
    with readable_points(path), duckdb.connect() as connection:
        question = f"SELECT line, {', '.join(COLUMNS)} FROM read_parquet(?)"
        table = connection.execute(question, [one_file(path)]).fetchnumpy()
    return np.column_stack([table[name] for name in COLUMNS]), table["line"]


@contextmanager
def readable_points(path: Path) -> Iterator[None]:
    """Tell what DuckDB cannot read of a kept scan's rows inside the block as ScanDamaged or DiskRefused."""
    try:
        yield
    except duckdb.OutOfMemoryException:
        raise
    except duckdb.Error as error:
        raise disk_refused(error, path) or damaged_points(path, str(error).partition("\n")[0]) from error


def damaged_points(path: Path, said: str) -> ScanDamaged:
    """Return the error of a kept scan's rows that are not what was ingested."""
    manifest = path.with_name(path.name.removesuffix(SUFFIX) + ".json")
    return ScanDamaged(
        f"{path}: the kept scan's rows cannot be read: {said}; put back a copy, or remove {manifest.name} "
        "beside it and ingest the raw file beside it again"
    )


def write_rejects(path: Path, rejects: Sequence[Reject]) -> None:
    """Write the lines that were set aside: number, text, and the first rule each breaks."""
    texts = ("raw", "column", "found", "rule")
    columns = {name: np.array([getattr(r, name) for r in rejects], dtype=object) for name in texts}
    selected = ", ".join(f'"{name}"::VARCHAR AS "{name}"' for name in texts)
    with duckdb.connect() as connection:
        connection.register("reject", {"line": np.array([r.line for r in rejects]), **columns})
        connection.execute(f"COPY (SELECT line, {selected} FROM reject) TO {_quoted(path)} (FORMAT parquet)")


def count_rejects(path: Path) -> int:
    """Count the lines that were set aside; raises Damaged where the file is gone or damaged."""
    try:
        with duckdb.connect() as connection:
            question = "SELECT count(*) FROM read_parquet(?) AS reject WHERE hash(reject) IS NOT NULL"
            row = connection.execute(question, [one_file(path)]).fetchone()
    except duckdb.Error as error:
        said = str(error).partition("\n")[0]
        raise disk_refused(error, path) or Damaged(
            f"{path}: the lines set aside cannot be read: {said}; put back a copy"
        ) from error
    assert row is not None
    return int(row[0])


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
