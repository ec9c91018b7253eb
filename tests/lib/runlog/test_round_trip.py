"""Arbitrary records in are the rows out: open, closed, put together."""

from __future__ import annotations

import json
import math
import tempfile
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import Any

import duckdb
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.runlog import RunLog, close_logs
from lib.runlog.reading import create_recorded
from lib.runlog.schema import STAMPS, declared

JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**63 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(st.characters(exclude_categories=["Cs"])),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=5), inner, max_size=3)
    ),
    max_leaves=8,
)
VALUES: dict[str, st.SearchStrategy[Any]] = {
    "VARCHAR": st.text(st.characters(exclude_categories=["Cs"])),
    "DOUBLE": st.floats(),
    "INTEGER": st.integers(-(2**31), 2**31 - 1),
    "BIGINT": st.integers(-(2**63), 2**63 - 1),
    "BOOLEAN": st.booleans(),
    "TIMESTAMP WITH TIME ZONE": st.datetimes(
        datetime(1700, 1, 1), datetime(2200, 1, 1), timezones=st.timezones()
    ),
    "DATE": st.dates(date(1, 1, 1), date(9999, 12, 31)),
    "JSON": JSON,
}


@st.composite
def a_record(draw: st.DrawFn) -> tuple[str, dict[str, Any]]:
    relation = draw(st.sampled_from(sorted(declared())))
    columns = {name: kind for name, kind in declared()[relation].items() if name not in STAMPS}
    chosen = draw(st.sets(st.sampled_from(sorted(columns)), min_size=1))
    return relation, {name: draw(VALUES[columns[name]]) for name in sorted(chosen)}


def comparable(value: Any, kind: str) -> object:
    """Bring what was written and what is read to one form that compares exactly, NaN included."""
    if kind == "JSON":
        return None if value is None else json.dumps(value, sort_keys=True)
    if kind == "DOUBLE" and value is not None:
        return "nan" if math.isnan(value) else value.hex()
    if kind.startswith("TIMESTAMP") and value is not None:
        return value.astimezone(UTC).isoformat()
    return value


def expected(records: list[tuple[str, dict[str, Any]]]) -> dict[str, list[list[object]]]:
    rows: dict[str, list[list[object]]] = {relation: [] for relation in declared()}
    for relation, values in records:
        columns = declared()[relation].items()
        rows[relation].append([comparable(values.get(n), kind) for n, kind in columns if n not in STAMPS])
    return rows


def read(data_dir: Path) -> dict[str, list[list[object]]]:
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'UTC'")
        create_recorded(con, data_dir)
        found: dict[str, list[list[object]]] = {}
        for relation, columns in declared().items():
            wanted = {name: kind for name, kind in columns.items() if name not in STAMPS}
            question = f"SELECT {', '.join(wanted)} FROM recorded.{relation} ORDER BY seq"
            parse: dict[str, Callable[[Any], Any]] = {"JSON": lambda text: json.loads(text) if text else None}
            found[relation] = [
                [
                    comparable(parse.get(kind, lambda cell: cell)(cell), kind)
                    for cell, kind in zip(row, wanted.values(), strict=True)
                ]
                for row in con.execute(question).fetchall()
            ]
        return found


@settings(max_examples=5, deadline=None)
@given(st.lists(st.lists(a_record(), min_size=1, max_size=15), min_size=1, max_size=3))
def test_records_in_are_rows_out_open_and_closed(logs: list[list[tuple[str, dict[str, Any]]]]) -> None:
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder)
        so_far: list[tuple[str, dict[str, Any]]] = []
        for records in logs:
            log = RunLog(data_dir)
            for relation, values in records:
                log.append(relation, **values)
            so_far += records
            assert read(data_dir) == expected(so_far)
            log.close()
            close_logs(data_dir)
            assert read(data_dir) == expected(so_far)
