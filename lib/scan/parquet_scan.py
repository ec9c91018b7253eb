"""A scan as Parquet: the same columns by name, floating-point types only, nothing missing."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.disk import disk
from lib.errors import Problem
from lib.runlog import one_file
from lib.scan.content import COLUMNS, Points
from lib.scan.header import positions_of
from lib.scan.options import ScanOptions
from lib.scan.refusal import SHOWN_PROBLEMS, Unreadable, shown
from lib.scan.rows import Rows
from lib.scan.strict import Reject

FLOATING = ("DOUBLE", "FLOAT")


def read_parquet(data: bytes, options: ScanOptions) -> tuple[Rows, tuple[str, ...]]:
    """Read a Parquet file's bytes; return its rows and the file's names for COLUMNS.

    A row's line is its number in the file, from 1. Raises Unreadable for a torn file and for
    names or types that are not a scan's.
    """
    if options.column_order:
        raise Unreadable(
            Problem(None, None, "", "Parquet names its columns"), "rename them instead: --columns q1=j0,..."
        )
    with (
        disk(Path(tempfile.gettempdir())),
        tempfile.NamedTemporaryFile(suffix=".parquet") as copy,
        duckdb.connect() as connection,
    ):
        copy.write(data)
        copy.flush()
        path = one_file(Path(copy.name))
        try:
            names, aliases, types = _schema(connection, path)
            positions = positions_of(names, options.columns, None)
            _refuse_other_types([(names[p], types[p]) for p in positions])
            wanted = ", ".join(_quoted(aliases[p]) for p in positions)
            table = connection.execute(f"SELECT {wanted} FROM read_parquet(?)", [path]).fetchnumpy()
        except duckdb.Error as error:
            raise Unreadable(
                Problem(
                    None, None, shown(_without_our_copy(error, copy.name), 120), "torn or damaged Parquet"
                ),
                "write it again",
            ) from error
    columns = [table[aliases[p]] for p in positions]
    file_names = tuple(names[p] for p in positions)
    return _rows(columns, file_names, keep_rejects=options.quarantine), file_names


def _without_our_copy(error: duckdb.Error, path: str) -> str:
    """Return what the database says of the file, not of the copy that it was given to read."""
    said = str(error).partition("\n")[0]
    for named in (f"file '{path}'", f'file "{path}"', f"'{path}'", f'"{path}"', path):
        said = said.replace(named, "the file")
    return said


def _schema(connection: duckdb.DuckDBPyConnection, path: str) -> tuple[list[str], list[str], list[str]]:
    """Return the columns' own names, the names DuckDB gives them (doubled ones get a suffix), the types."""
    described = connection.execute("DESCRIBE SELECT * FROM read_parquet(?)", [path]).fetchall()
    tree = connection.execute("SELECT name, num_children FROM parquet_schema(?)", [path]).fetchall()
    return _top_level(tree), [row[0] for row in described], [row[1] for row in described]


def _top_level(tree: Sequence[tuple[str, int | None]]) -> list[str]:
    names = []
    to_skip = 0
    for name, children in tree[1:]:
        if to_skip == 0:
            names.append(name)
        to_skip += (children or 0) - (1 if to_skip else 0)
    return names


def _refuse_other_types(columns: Sequence[tuple[str, str]]) -> None:
    problems = [
        Problem(None, shown(name), kind, f"type is not {' or '.join(FLOATING)}")
        for name, kind in columns
        if kind not in FLOATING
    ]
    if problems:
        raise Unreadable(problems, "write the scan's columns as floating-point numbers")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _rows(columns: Sequence[NDArray[Any]], names: Sequence[str], *, keep_rejects: bool) -> Rows:
    points: Points = np.column_stack([np.ma.getdata(column).astype(np.float64) for column in columns])
    points += 0.0  # -0.0 is read as 0.0
    absent = np.column_stack([np.ma.getmaskarray(np.ma.asarray(column)) for column in columns])
    bad = absent | ~np.isfinite(points)
    bad_rows = np.flatnonzero(bad.any(axis=1))
    problems, rejects = [], []
    for row in bad_rows.tolist() if keep_rejects else bad_rows[:SHOWN_PROBLEMS].tolist():
        found = ["NULL" if absent[row, c] else f"{points[row, c]:g}" for c in range(len(COLUMNS))]
        here = [
            Problem(row + 1, names[c], found[c], "missing value" if absent[row, c] else "not a finite number")
            for c in np.flatnonzero(bad[row]).tolist()
        ]
        problems += here
        rejects.append(Reject(row + 1, ",".join(found), here[0].column, here[0].found, here[0].rule))
    good = np.flatnonzero(~bad.any(axis=1))
    return Rows(
        points[good],
        good + 1,
        tuple(rejects) if keep_rejects else (),
        tuple(problems[:SHOWN_PROBLEMS]),
        int(bad.sum()),
    )
