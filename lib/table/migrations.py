"""Bring a table file to the newest schema: numbered statements, each once, each recorded."""

from __future__ import annotations

import duckdb

from lib.runlog.sql_file import sql_files


def migrate(connection: duckdb.DuckDBPyConnection) -> list[str]:
    """Apply what is missing, each statement in a transaction of its own; return the names applied."""
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migration (name VARCHAR PRIMARY KEY, applied_at TIMESTAMPTZ)"
    )
    done = {name for (name,) in connection.execute("SELECT name FROM migration").fetchall()}
    applied = []
    for file in sql_files("schema/table"):
        if file.name in done:
            continue
        connection.execute("BEGIN")
        connection.execute(file.text)
        connection.execute("INSERT INTO migration VALUES (?, now())", [file.name])
        connection.execute("COMMIT")
        applied.append(file.name)
    return applied
