"""A kept scan's rows and rejected lines as Parquet files."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.errors import NightpickError
from lib.runlog import one_file
from lib.scan.content import COLUMNS, Points
from lib.scan.strict import Reject


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

    Raises NightpickError where the file is gone or damaged.
    """
    try:
        with duckdb.connect() as connection:
            question = f"SELECT line, {', '.join(COLUMNS)} FROM read_parquet(?)"
            table = connection.execute(question, [one_file(path)]).fetchnumpy()
    except duckdb.Error as error:
        said = str(error).partition("\n")[0]
        raise NightpickError(
            f"{path}: the kept scan's rows cannot be read: {said}; put back a copy"
        ) from error
    return np.column_stack([table[name] for name in COLUMNS]), table["line"]


def write_rejects(path: Path, rejects: Sequence[Reject]) -> None:
    """Write the lines that were set aside: number, text, and the first rule each breaks."""
    texts = ("raw", "column", "found", "rule")
    columns = {name: np.array([getattr(r, name) for r in rejects], dtype=object) for name in texts}
    selected = ", ".join(f'"{name}"::VARCHAR AS "{name}"' for name in texts)
    with duckdb.connect() as connection:
        connection.register("reject", {"line": np.array([r.line for r in rejects]), **columns})
        connection.execute(f"COPY (SELECT line, {selected} FROM reject) TO {_quoted(path)} (FORMAT parquet)")


def _quoted(path: Path) -> str:
    return "'" + str(path).replace("'", "''") + "'"
