"""Reading the run log into DuckDB: open logs as they stand, closed parts where they lie.

A torn line is no JSON, so DuckDB reads it as NULL and it is dropped as a line, before anything is
taken out of it: there is no row left that could be all NULL.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Container, Iterable, Sequence
from functools import partial
from pathlib import Path
from typing import NamedTuple

import duckdb

from lib.runlog import schema
from lib.runlog.damage import DamagedFile, damaged_files, has_both_ends
from lib.runlog.fk_file import quoted
from lib.runlog.folder import open_logs
from lib.runlog.one_file import one_file
from lib.runlog.parts import Part, live_parts, parquet_path
from lib.runlog.schema import Columns


def files_to_read(data_dir: Path) -> tuple[list[Path], list[Part]]:
    """Return the open logs and the closed parts that together hold every record once.

    Open logs are listed first: one that is closed meanwhile is then named by a part, or gone when
    it is opened, which is an error the caller answers by asking again.
    """
    logs = open_logs(data_dir)
    parts = live_parts(data_dir)
    closed = {stem for part in parts for stem in part.logs}
    return [log for log in logs if log.stem not in closed], parts


def damaged_parts(data_dir: Path) -> list[DamagedFile]:
    """Read all that is closed, every value, and return the files that are damaged.

    Raises Damaged where a manifest is.
    """
    _, parts = files_to_read(data_dir)
    return damaged_files(
        parquet_path(data_dir, relation, part.name)
        for part in parts
        for relation, rows in part.rows.items()
        if rows
    )


def load_lines(con: duckdb.DuckDBPyConnection, logs: Sequence[Path]) -> None:
    """Read the whole lines of open logs into the table ``line`` (log, relation, record).

    Raises duckdb.IOException where a log was moved meanwhile.
    """
    con.execute("CREATE OR REPLACE TEMP TABLE line (log VARCHAR, relation VARCHAR, record JSON)")
    if logs:
        con.execute(
            "INSERT INTO line SELECT filename, json->>'relation', json FROM read_json_objects(?, "
            "format = 'newline_delimited', ignore_errors = true, filename = true, hive_partitioning = false) "
            "WHERE json->>'relation' IS NOT NULL",
            [[one_file(log) for log in logs]],
        )


def load_records(con: duckdb.DuckDBPyConnection, relations: dict[str, Columns]) -> None:
    """Sort the lines into the declared tables of the schema ``log``."""
    present = {name for (name,) in con.execute("SELECT DISTINCT relation FROM line").fetchall()}
    for relation in relations.keys() & present:
        con.execute(
            f"INSERT INTO log.{relation} BY NAME "
            "SELECT unnest(json_transform(record, ?)) FROM line WHERE relation = ?",
            [json.dumps(dict(relations[relation])), relation],
        )


def parquet_rows(files: Iterable[Path]) -> str:
    """Write the query for the rows of Parquet files, columns by name; an older file's gaps are NULL."""
    paths = ", ".join(quoted(one_file(file)) for file in files)
    return f"FROM read_parquet([{paths}], union_by_name = true, hive_partitioning = false)"


class ReadFiles(NamedTuple):
    """The Parquet files that views read when they are asked, and those left out because they are damaged."""

    whole: list[Path]
    damaged: list[DamagedFile]


def create_over_whole(
    con: duckdb.DuckDBPyConnection, files: list[Path], view: Callable[[list[Path]], str]
) -> ReadFiles:
    """Create the view that ``view`` writes over Parquet files, over the whole ones where some are damaged."""
    try:
        con.execute(view(files))
    except duckdb.Error:
        damaged = damaged_files(files)
        if not damaged:
            raise
        away = {file.path for file in damaged}
        whole = [file for file in files if file not in away]
        con.execute(view(whole))
        return ReadFiles(whole, damaged)
    return ReadFiles(files, [])


def create_recorded(
    con: duckdb.DuckDBPyConnection, data_dir: Path, wanted: Container[str] | None = None
) -> ReadFiles:
    """Make the schema ``recorded``: one view a relation with every record once.

    Open logs are copied into memory, so the views stay what they are now. ``wanted`` names the relations
    that will be read, None all; of the others only files that are cut short or gone are told. Raises
    duckdb.IOException where a log was closed while it was read.
    """
    schema.create(con, "schema/runlog", "log")
    relations = schema.columns_of(con, "log")
    logs, parts = files_to_read(data_dir)
    load_lines(con, logs)
    load_records(con, {name: c for name, c in relations.items() if wanted is None or name in wanted})
    con.execute("DROP TABLE line; CREATE SCHEMA recorded")
    read = ReadFiles([], [])
    for relation, columns in relations.items():
        files = [parquet_path(data_dir, relation, part.name) for part in parts if part.rows.get(relation)]
        if wanted is not None and relation not in wanted:
            cut = [file for file in files if not has_both_ends(file)]
            read.damaged.extend(damaged_files(cut) if cut else ())
            continue
        found = create_over_whole(con, files, partial(_view, relation, columns))
        read.whole.extend(found.whole)
        read.damaged.extend(found.damaged)
    return read


def _view(relation: str, columns: Columns, files: list[Path]) -> str:
    rows = f"FROM log.{relation}" + (f" UNION ALL BY NAME {parquet_rows(files)}" if files else "")
    typed = ", ".join(f"CAST({name} AS {kind}) AS {name}" for name, kind in columns.items())
    return f"CREATE VIEW recorded.{relation} AS SELECT {typed} FROM ({rows})"
