"""The collected scan files, each with what must become of it."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lib.scan import COLUMNS, ScanOptions, ScanRefused, content_md5, count_repeats, parse_columns, read_scan
from tests.lib.scan.scan_files import ACCEPT

pytestmark = pytest.mark.skipif(not ACCEPT.is_dir(), reason=f"no scan files at {ACCEPT}")

IRB120 = "q1=j0,q2=j1,q3=j2,q4=j3,q5=j4,q6=j5,x=ee_x,y=ee_y,z=ee_z"
QUARANTINE = ScanOptions(quarantine=True)


def refusal(name: str, options: ScanOptions | None = None) -> ScanRefused:
    with pytest.raises(ScanRefused) as refused:
        read_scan(ACCEPT / name, options)
    return refused.value


def by_hand(path: Path) -> np.ndarray:
    """Read a clean file with nothing but split and float."""
    return np.array([[float(cell) for cell in line.split(",")] for line in path.read_text().splitlines()[1:]])


def test_three_dialects_of_one_scan_have_one_content_md5() -> None:
    names = ("clean.csv", "bom_crlf.csv", "semicolon_decimalcomma.csv")
    readings = [read_scan(ACCEPT / name) for name in names]
    assert np.array_equal(readings[0].points, by_hand(ACCEPT / "clean.csv"))
    assert len({content_md5(reading.points) for reading in readings}) == 1


def test_decimal_commas_between_commas_are_refused_with_the_cause() -> None:
    error = refusal("decimalcomma_in_comma.csv")
    assert error.problem_count == 60
    assert "18 fields for 9 columns: decimal commas between comma separators are the likely cause" in str(
        error
    )


def test_a_missing_header_is_refused_and_read_with_an_explicit_order() -> None:
    assert "header missing" in str(refusal("no_header.csv"))
    order = ScanOptions(column_order=COLUMNS)
    assert np.array_equal(read_scan(ACCEPT / "no_header.csv", order).points, by_hand(ACCEPT / "clean.csv"))


def test_a_second_header_is_refused_at_its_line_or_skipped() -> None:
    error = refusal("dup_header_dup_row.csv")
    assert ([problem.line for problem in error.problems], error.problem_count) == ([32], 1)
    reading = read_scan(ACCEPT / "dup_header_dup_row.csv", QUARANTINE)
    assert len(reading.points) - count_repeats(reading.points) == 60
    assert count_repeats(reading.points) == 1


def test_nan_blank_and_infinite_cells_are_refused_by_line_and_column() -> None:
    error = refusal("nan_blank_inf.csv")
    assert [(p.line, p.column, p.found) for p in error.problems] == [
        (8, "ee_y", "NaN"),
        (14, "j1", ""),
        (22, "ee_x", "Infinity"),
        (35, "ee_z", "-1.#IND"),
    ]
    reading = read_scan(ACCEPT / "nan_blank_inf.csv", QUARANTINE)
    assert len(reading.points) == 56
    assert [reject.line for reject in reading.rejects] == [8, 14, 22, 35]


def test_a_cut_last_line_is_refused_at_its_line_or_set_aside() -> None:
    assert [problem.line for problem in refusal("truncated_lastline.csv").problems] == [61]
    assert len(read_scan(ACCEPT / "truncated_lastline.csv", QUARANTINE).points) == 59


def test_radians_are_refused_and_read_with_their_unit() -> None:
    assert "look like radians" in str(refusal("radians.csv"))
    points = read_scan(ACCEPT / "radians.csv", ScanOptions(angle_unit="rad")).points
    apart = np.abs(points - by_hand(ACCEPT / "clean.csv"))
    apart[:, 8] = np.minimum(apart[:, 8], np.abs(apart[:, 8] - 360.0))
    assert apart.max() <= 0.0005 + 1e-9  # three decimals of a degree


def test_millimetres_are_refused_and_read_with_their_unit() -> None:
    assert "looks like millimetres" in str(refusal("millimetres.csv"))
    points = read_scan(ACCEPT / "millimetres.csv", ScanOptions(length_unit="mm")).points
    assert np.abs(points - by_hand(ACCEPT / "clean.csv")).max() <= 0.00005 + 1e-12  # a tenth of a millimetre


def test_another_arms_public_file_is_read_with_its_mapping_and_unit() -> None:
    columns, _ = parse_columns(IRB120)
    points = read_scan(ACCEPT / "irb120_fk_15000.csv", ScanOptions(angle_unit="rad", columns=columns)).points
    raw = by_hand(ACCEPT / "irb120_fk_15000.csv")
    assert points.shape == (15_000, 9)
    assert np.array_equal(points[:, :3], raw[:, 6:])
    assert np.array_equal(points[:, 3:], np.degrees(raw[:, :6]))


@pytest.mark.parametrize(
    "mapping",
    [
        None,
        "tcp_x=ee_x,tcp_y=ee_y,tcp_z=ee_z",
        "tcp_x=ee_x,tcp_y=ee_y,tcp_z=ee_z,j2=j0,j3=j1,j4=j2,j5=j3,j6=j4,j7=j5",
    ],
)
def test_an_arm_of_eight_joints_is_refused_however_its_columns_are_mapped(mapping: str | None) -> None:
    columns = parse_columns(mapping)[0] if mapping else None
    error = refusal("robocare_rm_7899.csv", ScanOptions(angle_unit="rad", columns=columns))
    assert "not a 6-joint scan" in str(error)
