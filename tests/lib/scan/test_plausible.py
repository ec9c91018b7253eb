"""Rows that no arm measured, and rows in another unit than the rest: refused by line, or set aside."""

from __future__ import annotations

import math
from pathlib import Path

import duckdb
import numpy as np
import pytest

from lib.scan import COLUMNS, ScanOptions, ScanReading, ScanRefused, read_back, read_scan
from tests.lib.scan.scan_files import twin_points, write_scan

ROW = 7  # on line 9


def spoilt(column: int, value: float, rows: int = 60) -> np.ndarray:
    points = twin_points(rows)
    points[ROW, column] = value
    return points


def refusal(tmp_path: Path, points: np.ndarray, **options: object) -> ScanRefused:
    with pytest.raises(ScanRefused) as refused:
        read_scan(write_scan(tmp_path / "a.csv", points), ScanOptions(**options))  # type: ignore[arg-type]
    return refused.value


def set_aside(tmp_path: Path, points: np.ndarray, **options: object) -> ScanReading:
    path = write_scan(tmp_path / "a.csv", points)
    reading = read_scan(path, ScanOptions(quarantine=True, **options))  # type: ignore[arg-type]
    assert [(r.line, r.raw) for r in reading.rejects] == [(9, path.read_text().splitlines()[8])]
    assert reading.lines.tolist() == [line for line in range(2, 62) if line != 9]
    return reading


@pytest.mark.parametrize(
    ("column", "value"), [(3, 1e300), (8, -36_000.1), (0, 1e300), (2, -10_000.5), (1, 5e9)]
)
def test_a_number_that_no_arm_reaches_is_no_measurement(tmp_path: Path, column: int, value: float) -> None:
    points = spoilt(column, value)
    (problem,) = refusal(tmp_path, points).problems
    assert (problem.line, problem.column, problem.found) == (9, COLUMNS[column], f"{value:g}")
    assert problem.rule == "not a measurement: beyond 10 m or 36,000 deg"
    kept = set_aside(tmp_path, points)
    assert np.array_equal(kept.points, np.delete(points, ROW, axis=0))


def test_a_unit_that_is_given_moves_the_bounds_with_it(tmp_path: Path) -> None:
    points = twin_points(60)
    points[:, :3] *= 1000
    points[:, 3:] = np.radians(points[:, 3:])
    units = {"length_unit": "mm", "angle_unit": "rad"}
    for column, value in ((0, 10_001.0), (4, 628.4)):
        wrong = points.copy()
        wrong[ROW, column] = value
        assert "not a measurement" in refusal(tmp_path, wrong, **units).problems[0].rule
    wrong = points.copy()
    wrong[ROW, 0] = 9_999.0
    assert len(read_scan(write_scan(tmp_path / "a.csv", wrong), ScanOptions(**units)).points) == 60  # type: ignore[arg-type]
    far = spoilt(0, 10.5)
    assert "not a measurement" in refusal(tmp_path, far, length_unit="m").problems[0].rule


def test_one_row_of_millimetres_among_metres_is_refused_by_its_line_or_set_aside(tmp_path: Path) -> None:
    points = twin_points(60)
    points[ROW, :3] *= 1000
    error = refusal(tmp_path, points)
    assert str(error.problems[0]).startswith(
        "line 9, column ee_x: looks like millimetres among metres: a tip farther than 2 m "
        "(--length-unit m: it is metres) (found "
    )
    assert "--quarantine sets bad rows aside" in error.advice
    assert np.array_equal(set_aside(tmp_path, points).points, np.delete(points, ROW, axis=0))


def test_a_row_of_metres_among_millimetres_and_of_degrees_among_radians_too(tmp_path: Path) -> None:
    points = twin_points(60)
    millimetres = points * np.array([1000] * 3 + [1] * 6)
    millimetres[ROW, :3] /= 1000
    assert "looks like metres among millimetres" in str(refusal(tmp_path, millimetres, length_unit="mm"))
    set_aside(tmp_path, millimetres, length_unit="mm")
    radians = np.hstack([points[:, :3], np.radians(points[:, 3:])])
    radians[ROW, 3:] = np.degrees(radians[ROW, 3:])
    assert "looks like degrees among radians" in str(refusal(tmp_path, radians, angle_unit="rad"))
    set_aside(tmp_path, radians, angle_unit="rad")


def test_an_absurd_joint_does_not_hide_a_file_of_radians(tmp_path: Path) -> None:
    points = spoilt(3, 1e300)
    points[:, 4:] = np.radians(points[:, 4:])
    points[np.arange(60) != ROW, 3] *= math.pi / 180
    with pytest.raises(ScanRefused, match="look like radians"):
        read_scan(write_scan(tmp_path / "a.csv", points), ScanOptions(quarantine=True))


def test_a_file_of_millimetres_with_a_few_rows_within_reach_is_the_files_unit(tmp_path: Path) -> None:
    points = twin_points(60)
    points[:, :3] *= 1000
    points[:5, :3] /= 1000
    assert "this looks like millimetres" in str(refusal(tmp_path, points, quarantine=True))


def test_bad_cells_and_absurd_rows_are_told_in_the_order_of_their_lines(tmp_path: Path) -> None:
    points = spoilt(3, 1e300)
    path = write_scan(tmp_path / "a.csv", points)
    lines = path.read_text().splitlines()
    lines[3], lines[20] = lines[3].replace("0.", "x.", 1), "1,2"
    path.write_text("\n".join(lines) + "\n")
    with pytest.raises(ScanRefused) as refused:
        read_scan(path)
    assert [problem.line for problem in refused.value.problems] == [4, 9, 21]
    assert refused.value.problem_count == 3
    assert [r.line for r in read_scan(path, ScanOptions(quarantine=True)).rejects] == [4, 9, 21]


def test_where_every_row_is_bad_nobody_is_sent_to_the_quarantine(tmp_path: Path) -> None:
    points = twin_points(5)
    points[:, 4] = 1e300
    for quarantine in (False, True):
        error = refusal(tmp_path, points, quarantine=quarantine)
        assert (error.problem_count, error.advice) == (
            5,
            "not one good row is left to keep: mend the file or scan again",
        )


def test_what_we_wrote_ourselves_is_read_back_whatever_it_holds(tmp_path: Path) -> None:
    points = spoilt(3, 1e300)
    points[:, :3] *= 1000
    assert np.array_equal(read_back(write_scan(tmp_path / "a.csv", points)), points)
    (tmp_path / "a.csv").write_text((tmp_path / "a.csv").read_text().replace("1e+300", "NaN"))
    with pytest.raises(ScanRefused, match="line 9, column j0: NaN"):
        read_back(tmp_path / "a.csv")


def test_rows_of_a_parquet_file_are_judged_the_same(tmp_path: Path) -> None:
    points = spoilt(3, 1e300)
    with duckdb.connect() as connection:
        connection.register("point", {name: points[:, k] for k, name in enumerate(COLUMNS)})
        connection.execute(f"COPY (FROM point) TO '{tmp_path / 'a.parquet'}' (FORMAT parquet)")
    reading = read_scan(tmp_path / "a.parquet", ScanOptions(quarantine=True))
    (reject,) = reading.rejects
    assert (reject.line, reject.column) == (8, "j0")
    assert reject.raw.split(",")[3] == "1e+300"
