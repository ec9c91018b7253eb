"""One in-memory DuckDB with every relation people ask: the run log, the table, the kept scans.

Nothing is locked and nobody waits: open logs are copied into memory, closed parts and the table file
are only ever replaced by rename, so the connection goes on answering from what it opened.
"""

from __future__ import annotations

import time
from collections.abc import Container
from dataclasses import dataclass
from pathlib import Path

import duckdb

from lib.errors import NightpickError
from lib.runlog import fk_file, schema
from lib.runlog.damage import DamagedFile
from lib.runlog.mentioned import mentioned
from lib.runlog.reading import ReadFiles, create_recorded
from lib.runlog.scan_files import create_scan_files
from lib.runlog.sql_file import sql_files

# A log closed while it is read makes one attempt fail; twenty in a row is another trouble.
ATTEMPTS = 20
PAUSE_S = 0.02


@dataclass(frozen=True)
class Database:
    """A connection with all views."""

    con: duckdb.DuckDBPyConnection
    files: tuple[Path, ...]
    """The Parquet files that the views read when they are asked."""
    table: Path | None
    """The table file that is attached, if there is one."""
    damaged: tuple[DamagedFile, ...]
    """The Parquet files that could not even be opened: the views are without their rows."""


def connect(data_dir: Path) -> duckdb.DuckDBPyConnection:
    """Return a connection with every documented view of a data folder, as of now; times are in UTC.

    The views exist, empty, also before there is any data, and without the rows of a closed part that
    is damaged (``damaged_parts`` names those). Raises Damaged where the table file or a manifest is,
    NightpickError where the run log cannot be read.
    """
    return open_database(data_dir).con


def open_database(data_dir: Path, about: str | None = None) -> Database:
    """Do what ``connect`` does and also name the files that the views read.

    ``about``: the one statement that will be asked; relations that it does not name are left out, which after
    years of nights takes a third of the time.
    """
    wanted = None if about is None else mentioned(about)
    said = ""
    for _ in range(ATTEMPTS):
        con = duckdb.connect()
        try:
            files, damaged = _create_views(con, data_dir, wanted)
            table = fk_file.path(data_dir)
            return Database(con, tuple(files), table if table.exists() else None, tuple(damaged))
        except (duckdb.IOException, OSError) as error:
            con.close()
            said = str(error).splitlines()[0]
            time.sleep(PAUSE_S)
        except duckdb.Error as error:
            con.close()
            said = str(error).splitlines()[0]
            break
    raise NightpickError(
        f"{data_dir}: the run log or the scans cannot be read: {said}; "
        "make that file readable or put back a copy"
    )


def _create_views(con: duckdb.DuckDBPyConnection, data_dir: Path, wanted: Container[str] | None) -> ReadFiles:
    con.execute("SET TimeZone = 'UTC'")
    recorded, scans = create_recorded(con, data_dir, wanted), create_scan_files(con, data_dir)
    _create_table_file(con, data_dir)
    for view in sql_files("views"):
        if wanted is None or view.name in wanted:
            con.execute(view.text)
    return ReadFiles(recorded.whole + scans.whole, recorded.damaged + scans.damaged)


def _create_table_file(con: duckdb.DuckDBPyConnection, data_dir: Path) -> None:
    """Make the schema ``table_file``: the table's relations as declared, empty where there is no table.

    A table file that an older version wrote lacks columns or relations: they read as NULL or empty.
    """
    schema.create(con, "schema/table", "declared")
    present: set[str] = set()
    file = fk_file.path(data_dir)
    if file.exists():
        fk_file.attach(con, file)
        found = con.execute("SELECT table_name FROM duckdb_tables() WHERE database_name = 'fk'").fetchall()
        present = {name for (name,) in found}
    con.execute("CREATE SCHEMA table_file")
    for relation, columns in schema.columns_of(con, "declared").items():
        rows = f"FROM declared.{relation} WHERE false"
        if relation in present:
            rows += f" UNION ALL BY NAME FROM fk.main.{relation}"
        con.execute(f"CREATE VIEW table_file.{relation} AS SELECT {', '.join(columns)} FROM ({rows})")
