"""Which relations the run log has, and which columns: what sql/schema/runlog declares, file after file."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

import duckdb

from lib.runlog.sql_file import sql_files

Columns = Mapping[str, str]
"""Column name to SQL type, in declared order."""

# Every record carries these two, whoever writes it: the clock's time, and a number that grows with
# every record of a process even when the clock is set back.
STAMPS = ("time_utc", "seq")


def create(con: duckdb.DuckDBPyConnection, migrations: str, schema: str) -> None:
    """Run a folder of numbered statements, such as ``schema/runlog``, inside a schema made for them."""
    con.execute(f"CREATE SCHEMA {schema}; USE {schema}")
    for file in sql_files(migrations):
        con.execute(file.text)
    con.execute("USE main")


def columns_of(con: duckdb.DuckDBPyConnection, schema: str) -> dict[str, Columns]:
    """Return the relations of a schema with their columns."""
    rows = con.execute(
        "SELECT table_name, column_name, data_type FROM duckdb_columns() "
        "WHERE database_name = current_database() AND schema_name = ? ORDER BY table_oid, column_index",
        [schema],
    ).fetchall()
    relations: dict[str, dict[str, str]] = {}
    for relation, column, kind in rows:
        relations.setdefault(relation, {})[column] = kind
    return dict(relations)


@cache
def declared() -> Mapping[str, Columns]:
    """Return every relation of the run log with its columns, as the newest schema has them."""
    with duckdb.connect() as con:
        create(con, "schema/runlog", "log")
        return columns_of(con, "log")
