"""Parquet scans: by name, floating-point types only, nothing missing."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Sequence
from pathlib import Path

import duckdb
import numpy as np
import pytest

from lib.scan import COLUMNS, ScanOptions, ScanReading, ScanRefused, read_scan
from tests.lib.scan.scan_files import twin_points


def write(path: Path, columns: str, rows: Sequence[Sequence[float | None]] | None = None) -> Path:
    """Write ``SELECT columns FROM`` a table of the rows, p."""
    rows = twin_points(5).tolist() if rows is None else rows
    with duckdb.connect() as connection:
        connection.execute(f"CREATE TABLE p ({', '.join(f'{name} DOUBLE' for name in COLUMNS)})")
        connection.executemany("INSERT INTO p VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", rows)
        connection.execute(f"COPY (SELECT {columns} FROM p) TO '{path}' (FORMAT parquet)")
    return path


def read(tmp_path: Path, columns: str, options: ScanOptions | None = None) -> ScanReading:
    return read_scan(write(tmp_path / "scan.parquet", columns), options)


def refusal(tmp_path: Path, columns: str) -> str:
    with pytest.raises(ScanRefused) as refused:
        read(tmp_path, columns)
    return str(refused.value)


def test_columns_come_by_name_in_any_order_beside_others(tmp_path: Path) -> None:
    reading = read(
        tmp_path, f"[1, 2] AS list, {', '.join(COLUMNS[::-1])}, {{'j9': 1}} AS struct, 'x' AS note"
    )
    assert reading.points.tobytes() == twin_points(5).tobytes()
    assert reading.lines.tolist() == [1, 2, 3, 4, 5]


def test_names_may_be_upper_case_or_mapped(tmp_path: Path) -> None:
    names = ", ".join(f'{name} AS "{name.upper()}"' for name in COLUMNS[1:])
    reading = read(tmp_path, f"ee_x AS x, {names}", ScanOptions(columns={"X": "ee_x"}))
    assert reading.points.tobytes() == twin_points(5).tobytes()


def test_single_precision_is_widened_exactly(tmp_path: Path) -> None:
    reading = read(tmp_path, ", ".join(f"{name}::FLOAT AS {name}" for name in COLUMNS))
    assert reading.points.tobytes() == twin_points(5).astype(np.float32).astype(np.float64).tobytes()


@pytest.mark.parametrize("kind", ["VARCHAR", "DECIMAL(18, 6)", "INTEGER"])
def test_other_types_are_refused_by_name(tmp_path: Path, kind: str) -> None:
    names = ", ".join(COLUMNS[:-1])
    said = refusal(tmp_path, f"{names}, j5::{kind} AS j5")
    assert f"column j5: type is not DOUBLE or FLOAT (found {kind.replace(' ', '')}" in said.replace(
        "18, 6", "18,6"
    )


def test_nan_infinity_and_null_are_refused_by_row_or_set_aside(tmp_path: Path) -> None:
    points = twin_points(6)
    rows: list[list[float | None]] = [list(row) for row in points.tolist()]
    rows[1][0], rows[3][4], rows[3][8], rows[5][7] = math.nan, math.inf, -math.inf, None
    path = write(tmp_path / "scan.parquet", ", ".join(COLUMNS), rows)
    with pytest.raises(ScanRefused) as refused:
        read_scan(path)
    assert [(p.line, p.column, p.found) for p in refused.value.problems] == [
        (2, "ee_x", "nan"),
        (4, "j1", "inf"),
        (4, "j5", "-inf"),
        (6, "j4", "NULL"),
    ]
    reading = read_scan(path, ScanOptions(quarantine=True))
    assert reading.lines.tolist() == [1, 3, 5]
    assert reading.points.tobytes() == points[[0, 2, 4]].tobytes()
    assert [reject.line for reject in reading.rejects] == [2, 4, 6]


def test_a_further_joint_a_missing_and_a_doubled_column_are_refused(tmp_path: Path) -> None:
    assert "not a 6-joint scan" in refusal(tmp_path, f"{', '.join(COLUMNS)}, j0 AS j6")
    assert "missing column j5" in refusal(tmp_path, ", ".join(COLUMNS[:-1]))
    assert "doubled column name" in refusal(tmp_path, f'{", ".join(COLUMNS)}, ee_x AS "ee_x "')


def test_a_torn_file_is_refused(tmp_path: Path) -> None:
    data = write(tmp_path / "whole.parquet", ", ".join(COLUMNS), twin_points(300).tolist()).read_bytes()
    for torn in (data[:-1], data[: len(data) // 2], data[:4], data[:20] + data[40:]):
        (tmp_path / "torn.parquet").write_bytes(torn)
        with pytest.raises(ScanRefused, match="torn or damaged Parquet") as refused:
            read_scan(tmp_path / "torn.parquet")
        assert str(refused.value).startswith(f"{tmp_path / 'torn.parquet'}: ")
        assert tempfile.gettempdir() not in refused.value.problems[0].found  # of our copy nobody knows


def test_units_hold_for_parquet_as_well(tmp_path: Path) -> None:
    columns = ", ".join([*COLUMNS[:3], *(f"radians({name}) AS {name}" for name in COLUMNS[3:])])
    assert "look like radians" in refusal(tmp_path, columns)
    reading = read(tmp_path, columns, ScanOptions(angle_unit="rad"))
    assert np.allclose(reading.points, twin_points(5), rtol=0, atol=1e-12)


def test_an_order_of_columns_has_no_meaning_for_parquet(tmp_path: Path) -> None:
    with pytest.raises(ScanRefused, match="Parquet names its columns"):
        read(tmp_path, ", ".join(COLUMNS), ScanOptions(column_order=COLUMNS))
