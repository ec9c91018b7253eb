"""Which SQL a person may send: one statement that asks, made of nothing that could reach a file.

DuckDB calls some statements SELECT that write: ``WITH x AS (COPY t TO 'f') FROM x``, or a function
that runs a statement handed to it as text. So the syntax tree is looked at, and what is not known
to only read is refused.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import duckdb

from lib.errors import BadInput

QUERIES = {"SELECT_NODE", "SET_OPERATION_NODE", "RECURSIVE_CTE_NODE", "CTE_NODE"}
TABLE_FUNCTIONS = {
    "duckdb_columns",
    "duckdb_functions",
    "duckdb_keywords",
    "duckdb_tables",
    "duckdb_types",
    "duckdb_views",
    "generate_series",
    "json_each",
    "json_tree",
    "pragma_table_info",
    "range",
    "repeat",
    "unnest",
}

EXPECTED = (
    "expected one SELECT (or FROM, WITH, VALUES, DESCRIBE, SUMMARIZE, SHOW TABLES, PIVOT with ON ... IN)"
)


def the_one_question(con: duckdb.DuckDBPyConnection, text: str) -> str:
    """Return the one statement in a text if it only reads relations.

    Raises BadInput saying what was found and what is expected, duckdb.Error where it is no SQL.
    """
    statements = con.extract_statements(text)
    if len(statements) != 1:
        raise BadInput(f"found {len(statements) or 'no'} statements; {EXPECTED}")
    statement = statements[0]
    if not _is_select(statement):
        raise BadInput(f"found {_first_word(statement.query)}, which does more than read; {EXPECTED}")
    for node in _nodes(_syntax_tree(con, statement.query)):
        _check(node)
    return str(statement.query)


def _is_select(statement: duckdb.Statement) -> bool:
    try:
        return bool(statement.type == duckdb.StatementType.SELECT)
    except ValueError:  # a kind that DuckDB has no name for in Python, such as UPDATE EXTENSIONS
        return False


def _first_word(statement: str) -> str:
    """Return what a statement begins with: DuckDB's name for its kind may be another's, INSTALL is LOAD."""
    begins = next(at for at, kind in duckdb.tokenize(statement) if kind != duckdb.token_type.comment)
    word = re.match(rb"\w*", statement.encode()[begins:])
    return word.group().decode().upper() if word else ""


def _syntax_tree(con: duckdb.DuckDBPyConnection, statement: str) -> dict[str, Any]:
    row = con.execute("SELECT json_serialize_sql(?::VARCHAR)", [statement]).fetchone()
    assert row is not None
    tree: dict[str, Any] = json.loads(row[0])
    if tree["error"]:
        raise BadInput(f"{tree['error_message']}; {EXPECTED}")
    return tree


def _nodes(tree: dict[str, Any]) -> Iterator[dict[str, Any]]:
    """Walk the syntax tree; on a stack of its own, for a question may be nested deeply."""
    waiting: list[Any] = [tree]
    while waiting:
        item = waiting.pop()
        if isinstance(item, dict):
            yield item
            waiting += item.values()
        elif isinstance(item, list):
            waiting += item


def _check(node: dict[str, Any]) -> None:
    kind = node.get("type")
    if isinstance(kind, str) and kind.endswith("_NODE") and kind not in QUERIES:
        raise BadInput(
            f"found {kind.removesuffix('_NODE').replace('_', ' ')}, which does more than read; {EXPECTED}"
        )
    if kind == "TABLE_FUNCTION":
        name = str(node["function"]["function_name"]).lower()
        if name not in TABLE_FUNCTIONS:
            raise BadInput(f"{name}() is not allowed: questions read the relations (`SHOW TABLES`), no files")
