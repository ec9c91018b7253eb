"""Questions in SQL, answered without any way to write or to leave the data folder.

Three walls, one behind the other: the statement is taken apart and only what reads passes
(read_only.py); the database may open no files but those its own views read, and its settings are
locked; the transaction is read-only.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import duckdb

from lib.errors import BadInput, Damaged
from lib.runlog.connect import Database, open_database
from lib.runlog.damage import DamagedFile, damaged_files
from lib.runlog.fk_file import quoted, unreadable
from lib.runlog.interruptible import interruptible
from lib.runlog.one_file import one_file
from lib.runlog.read_only import the_one_question
from lib.runlog.sql_file import sql_files

ROWS_AT_ONCE = 10_000

THE_STATEMENTS_FAULT = (
    duckdb.BinderException,
    duckdb.CatalogException,
    duckdb.ConversionException,
    duckdb.InterruptException,
    duckdb.OutOfMemoryException,
    duckdb.OutOfRangeException,
    duckdb.ParserException,
    duckdb.PermissionException,
)
THE_DISKS_FAULT = (
    duckdb.FatalException,
    duckdb.IOException,
    duckdb.InternalException,
    duckdb.SerializationException,
)


@dataclass(frozen=True)
class Answer:
    """The rows that answer a question."""

    columns: tuple[str, ...]
    """Names as asked for; a second ``n`` is called ``n_2``."""
    types: tuple[str, ...]
    """SQL types of the columns."""
    rows: Iterator[tuple[Any, ...]]
    """To be read once, as they come; raises BadInput where a row cannot be computed, Damaged where it
    cannot be read."""
    damaged: tuple[DamagedFile, ...]
    """Files whose rows are missing from the relations, because they cannot be opened."""


def ask_sql(data_dir: Path, text: str) -> Answer:
    """Answer one SQL statement over the views of a data folder; times are in UTC.

    Raises BadInput, with DuckDB's own words on one line, where the statement is wrong or not allowed,
    Damaged where the table or a closed part it reads is; KeyboardInterrupt ends the query.
    """
    database = open_database(data_dir, about=text)
    _lock(database)
    return _answer(database, text)


def _lock(database: Database) -> None:
    """Shut everything but the files of the views; the table file is open already."""
    # A file is opened by its name, found by its pattern.
    names = {name for file in database.files for name in (str(file), one_file(file))}
    paths = ", ".join(map(quoted, sorted(names)))
    for setting in (
        f"allowed_paths = [{paths}]",
        "memory_limit = '4GB'",  # what moves the arm has to live beside it
        "temp_directory = ''",  # a question writes nothing, not even what does not fit into memory
        "python_enable_replacements = false",
        "autoload_known_extensions = false",
        "autoinstall_known_extensions = false",
        "enable_external_access = false",
        "lock_configuration = true",
    ):
        database.con.execute(f"SET {setting}")


def _answer(database: Database, text: str) -> Answer:
    con = database.con
    try:
        con.execute("BEGIN TRANSACTION READ ONLY")
        question = the_one_question(con, text)
        interruptible(con, lambda: con.execute(question))
    except duckdb.Error as error:
        raise _damage(database, error) or _said(error) from error
    description = con.description or []
    names = _distinct([str(column[0]) for column in description])
    types = tuple(str(column[1]) for column in description)
    return Answer(names, types, _rows(database), database.damaged)


def _rows(database: Database) -> Iterator[tuple[Any, ...]]:
    with database.con as con:
        try:
            while rows := interruptible(con, lambda: con.fetchmany(ROWS_AT_ONCE)):
                yield from rows
        except duckdb.Error as error:
            raise _damage(database, error) or _said(error) from error


def _damage(database: Database, error: duckdb.Error) -> Damaged | None:
    """Find the damaged file behind an error that no statement can be at fault for; None for others."""
    if isinstance(error, THE_STATEMENTS_FAULT):
        return None
    damaged = damaged_files(database.files)
    if damaged:
        return Damaged("; ".join(map(str, damaged)))
    if isinstance(error, THE_DISKS_FAULT) and database.table is not None:
        return unreadable(database.table, str(error).splitlines()[0])
    return None


def _said(error: duckdb.Error) -> BadInput:
    """Put what DuckDB says on one line, without the copy of the statement that it appends."""
    said = str(error).split("\n\nLINE ")[0]
    if isinstance(error, duckdb.CatalogException) and "it exists in the" in said:
        # DuckDB would have the reader install something, which no question may.
        said = f"{said.splitlines()[0]} Questions are answered without extensions."
    if isinstance(error, duckdb.CatalogException) and said.startswith("Catalog Error: Table with name"):
        # DuckDB would suggest a table of its own catalogue, which is never meant.
        said = (
            f"{said.splitlines()[0]} The relations are {', '.join(file.name for file in sql_files('views'))}."
        )
    return BadInput("sql: " + " ".join(said.split()))


def _distinct(names: list[str]) -> tuple[str, ...]:
    made: list[str] = []
    for name in names:
        number, candidate = 2, name
        while candidate in made:
            candidate = f"{name}_{number}"
            number += 1
        made.append(candidate)
    return tuple(made)
