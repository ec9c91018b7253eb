"""The table file read: fk.duckdb as it was published, without a lock and without waiting.

A merge publishes by rename, so a connection opened here keeps reading the table it opened, whole,
whatever is published meanwhile. The file is attached to an in-memory database instead of connected
to: a process that connects to one path twice gets DuckDB's cached database, which is the old file.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.disk import disk_refused
from lib.errors import BadInput, Busy, Damaged

FILE_NAME = "fk.duckdb"
NOT_THE_FILES_FAULT = (
    duckdb.OutOfMemoryException,
    duckdb.InterruptException,
    duckdb.ConstraintException,
    duckdb.ParserException,
)
POINT_COLUMNS = ("ee_x", "ee_y", "ee_z", "j0", "j1", "j2", "j3", "j4", "j5")


def path(data_dir: Path) -> Path:
    """Return where the table file of a data folder is, or will be."""
    return data_dir / FILE_NAME


@contextmanager
def open_read(data_dir: Path) -> Iterator[duckdb.DuckDBPyConnection]:
    """Open the published table file to read; its relations go by their plain names.

    Raises BadInput where there is no table yet, Damaged where the file or what is read of it is not
    what a merge wrote, DiskRefused where it may not be read, Busy where another program writes it.
    """
    with duckdb.connect() as con, readable(path(data_dir)):
        attach(con, path(data_dir))
        con.execute("USE fk")
        yield con


def attach(con: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Attach a table file read-only under the name ``fk``; raises as open_read does."""
    if not file.exists():
        raise BadInput(
            f"no table yet: {file} does not exist; `nightpick table merge` makes it from the scans"
        )
    with readable(file):
        con.execute(f"ATTACH {quoted(str(file))} AS fk (READ_ONLY)")
    check_is_table(con, file)


def check_is_table(con: duckdb.DuckDBPyConnection, file: Path) -> None:
    """Raise Damaged where what is attached as ``fk`` is the database of something else."""
    tables = con.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'fk'").fetchall()
    if ("fk_version",) not in tables:
        names = ", ".join(name for (name,) in tables) or "nothing"
        raise unreadable(file, f"another database, with {names} in it")


@contextmanager
def readable(file: Path) -> Iterator[None]:
    """Tell what DuckDB cannot read of a table file inside the block as Damaged, DiskRefused or Busy.

    What is asked inside is ours, so what fails to be read is the file's fault.
    """
    try:
        yield
    except duckdb.Error as error:
        if isinstance(error, NOT_THE_FILES_FAULT):
            raise
        said = str(error).splitlines()[0]
        if "Could not set lock on file" in said:
            raise Busy(f"{file}: another program has it open to write: {said}; close it there") from error
        raise disk_refused(error, file) or unreadable(file, said) from error
    except RuntimeError as error:
        if str(error) == "Query interrupted":  # what DuckDB makes of a Ctrl-C while it works
            raise KeyboardInterrupt from error
        raise


def unreadable(file: Path, said: str) -> Damaged:
    """Return the error of a table file that is not what a merge wrote."""
    said = said.replace(str(file), file.name)
    return Damaged(
        f"{file}: not readable as a table: {said}; expected the DuckDB file that `nightpick table merge` "
        "writes: put back a copy, or move the file away and merge the kept scans again"
    )


def quoted(text: str) -> str:
    """Write a text as an SQL literal."""
    return "'" + text.replace("'", "''") + "'"


def current_version(con: duckdb.DuckDBPyConnection) -> int | None:
    """Return the version that lookups use, or None while nothing was ever merged."""
    row = con.execute("SELECT version FROM fk_current").fetchone()
    return None if row is None or row[0] is None else int(row[0])


def ancestors(con: duckdb.DuckDBPyConnection, version: int) -> list[int]:
    """Return the version and everything it was built on, newest first, along the parents.

    Raises BadInput where there is no such version, naming those there are, Damaged where the parents
    make no line.
    """
    parents = dict(con.execute("SELECT version, parent FROM fk_version").fetchall())
    if version not in parents:
        known = ", ".join(str(v) for v in sorted(parents)) or "none yet"
        raise BadInput(
            f"no table version {version}; there are: {known} (`nightpick table history` lists them)"
        )
    chain: list[int] = []
    step: int | None = version
    while step is not None:
        if step in chain or step not in parents:
            raise Damaged(
                f"fk_version: version {step}, an ancestor of {version}, is missing or its own ancestor; "
                "the table file is damaged: `nightpick table verify` tells how far"
            )
        chain.append(step)
        step = parents[step]
    return chain


def version_rows(con: duckdb.DuckDBPyConnection, version: int) -> int:
    """Count the rows of one version; raises BadInput as ``ancestors`` does."""
    row = con.execute(f"SELECT count(*) FROM fk_point {_rows_of(con, version)}").fetchone()
    assert row is not None
    return int(row[0])


def read_points(
    con: duckdb.DuckDBPyConnection, version: int
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Read one version's rows in the order of their numbers.

    Returns (fk_rows, points): fk_rows of shape (n,), ascending; points of shape (n, 9) in the order
    of POINT_COLUMNS [m, deg], column-major: ``points[:, k]`` is contiguous, as filters want it (row
    order would cost ten times the copying). One column is in flight at a time, to bound memory.
    Raises BadInput as ``ancestors`` does.
    """
    fk_rows, columns = _read(con, _rows_of(con, version))
    return fk_rows, columns.T


def read_added(
    con: duckdb.DuckDBPyConnection, versions: Sequence[int]
) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    """Read the rows that some versions added, without their ancestors', in the order of their numbers.

    Returns (fk_rows, columns): fk_rows of shape (n,), ascending; columns of shape (9, n) [m, deg].
    """
    return _read(con, _added_by(versions))


def read_last(con: duckdb.DuckDBPyConnection, versions: Sequence[int], first_row: int) -> NDArray[np.float64]:
    """Read what some versions added from a row number on, columns of shape (9, n), by ascending number."""
    return _read(con, f"{_added_by(versions)} AND fk_row >= {int(first_row)}")[1]


def block_digests(con: duckdb.DuckDBPyConnection, version: int) -> list[bytes]:
    """Read the md5 of every full block of a version's rows, as its content md5 is made of."""
    row = con.execute("SELECT block_digests FROM fk_version WHERE version = ?", [version]).fetchone()
    kept = b"" if row is None else bytes(row[0])
    return [kept[k : k + 16] for k in range(0, len(kept), 16)]


def version_lines(con: duckdb.DuckDBPyConnection) -> list[tuple[int, int | None, int, int, str]]:
    """Read (version, parent, first row, rows added, content md5) of every version, oldest first."""
    return con.execute(
        "SELECT version, parent, first_row, added, content_md5 FROM fk_version ORDER BY version"
    ).fetchall()


def _read(con: duckdb.DuckDBPyConnection, rows_of: str) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
    fk_rows = _column(con, "fk_row", rows_of)
    columns = np.empty((len(POINT_COLUMNS), len(fk_rows)))
    for k, name in enumerate(POINT_COLUMNS):
        columns[k] = _column(con, name, rows_of)
    if np.any(np.diff(fk_rows) <= 0):
        order = np.argsort(fk_rows, kind="stable")
        fk_rows, columns = fk_rows[order], columns[:, order]
    return fk_rows, columns


def _added_by(versions: Sequence[int]) -> str:
    return f"WHERE version IN ({', '.join(str(int(v)) for v in versions)})"


def _column(con: duckdb.DuckDBPyConnection, name: str, rows_of: str) -> np.ndarray:
    return con.execute(f"SELECT {name} FROM fk_point {rows_of}").fetchnumpy()[name]


def _rows_of(con: duckdb.DuckDBPyConnection, version: int) -> str:
    """Write the condition on fk_point that makes a version: none at all where it is everything.

    In a linear history it is ``version <= N``, which skips whole row groups by their statistics.
    """
    chain = set(ancestors(con, version))
    known = {row[0] for row in con.execute("SELECT version FROM fk_version").fetchall()}
    if chain == known:
        return ""
    if chain == {v for v in known if v <= version}:
        return f"WHERE version <= {int(version)}"
    return f"WHERE version IN ({', '.join(str(v) for v in sorted(chain))})"
