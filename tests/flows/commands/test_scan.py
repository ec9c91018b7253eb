"""`nightpick scan ingest`: what it prints, what it ends with, and that each offer is on record."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli import main
from lib.runlog import connect
from lib.scan import COLUMNS
from tests.lib.scan.scan_files import ACCEPT, encoded, texts_of, twin_points, write_scan

IRB120 = "q1=j0,q2=j1,q3=j2,q4=j3,q5=j4,q6=j5,x=ee_x,y=ee_y,z=ee_z"


@pytest.fixture
def scans(data_dir: Path) -> Path:
    """A folder with a good scan, good.csv, and one with eleven bad cells, bad.csv."""
    write_scan(data_dir.parent / "good.csv", twin_points(30))
    cells = texts_of(twin_points(30, seed=1))
    for row in cells[5:16]:
        row[3] = "NaN"
    (data_dir.parent / "bad.csv").write_bytes(encoded(cells))
    return data_dir.parent


def test_a_good_scan_is_told_in_words(scans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", "ingest", str(scans / "good.csv")]) == 0
    told = capsys.readouterr().out
    assert told.startswith(
        f"ingested: {scans / 'good.csv'}: scan 1, 30 rows, 0 repeated in the file, 0 set aside"
    )
    assert main(["scan", "ingest", str(scans / "good.csv")]) == 0
    assert capsys.readouterr().out.startswith("already known: ")


def test_a_refusal_is_one_line_ten_problems_and_the_count(
    scans: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scan", "ingest", str(scans / "bad.csv")]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    lines = told.err.splitlines()
    assert lines[0].startswith(f"nightpick: refused: {scans / 'bad.csv'}: line 6, column j0: NaN")
    assert lines[1:11] == [
        f"  line {k}, column j0: NaN is not a measurement (found NaN)" for k in range(6, 16)
    ]
    assert lines[11:] == ["  ... 11 problems in all"]


def test_several_files_are_one_list_and_the_worst_exit_code(
    scans: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    files = [str(scans / name) for name in ("good.csv", "bad.csv", "none.csv", "good.csv")]
    assert main(["scan", "ingest", "--json", *files]) == 2
    entries = json.loads(capsys.readouterr().out)
    assert [entry["file"] for entry in entries] == files
    assert [entry["status"] for entry in entries] == ["ingested", "refused", "refused", "already known"]
    assert [entry["rows"] for entry in entries] == [30, 0, 0, 30]
    assert [entry["problem_count"] for entry in entries] == [0, 11, 1, 0]
    assert entries[1]["problems"][0] == {
        "line": 6, "column": "j0", "found": "NaN", "rule": "NaN is not a measurement",
    }  # fmt: skip
    assert entries[2]["problems"] == [{"line": None, "column": None, "found": "", "rule": "no such file"}]


def test_every_offer_is_on_record(scans: Path, data_dir: Path) -> None:
    main(["scan", "ingest", str(scans / "good.csv"), str(scans / "bad.csv")])
    with connect(data_dir) as connection:
        events = connection.execute(
            "SELECT status, rows, problem_count, duration_s > 0 FROM scan_event ORDER BY seq"
        ).fetchall()
    assert events == [("ingested", 30, 0, True), ("refused", 0, 11, True)]


def test_quarantine_sets_bad_rows_aside_where_sql_finds_them(
    scans: Path, data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scan", "ingest", "--quarantine", str(scans / "bad.csv")]) == 0
    assert "19 rows, 0 repeated in the file, 11 set aside" in capsys.readouterr().out
    with connect(data_dir) as connection:
        question = "SELECT count(*), min(line), max(line), any_value(column_name) FROM scan_reject"
        assert connection.execute(question).fetchone() == (11, 6, 16, "j0")


def test_options_reach_the_reading(scans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    headless = encoded(texts_of(twin_points(3))).split(b"\n", 1)[1]
    (scans / "headless.csv").write_bytes(headless)
    (scans / "bases.csv").write_text("1,2,3,4,5,6\n")
    arguments = ["--columns", ",".join(COLUMNS), "--angle-unit", "deg", "--length-unit", "mm"]
    request = ["--request", str(scans / "bases.csv"), "--partial"]
    assert main(["scan", "ingest", "--json", str(scans / "headless.csv"), *arguments, *request]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["rows"], entry["expected_rows"]) == (3, 16_807)
    assert entry["notes"][0] == "fewer rows than the request asks for: 3 of 16,807"
    assert entry["notes"][1].endswith("were these metres?")


def test_a_wrong_mapping_is_a_usage_error(scans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["scan", "ingest", str(scans / "good.csv"), "--columns", "q1=j9"]) == 2
    assert capsys.readouterr().err.startswith("nightpick: --columns: 'q1=j9' names no column of a scan")


@pytest.mark.skipif(not ACCEPT.is_dir(), reason=f"no scan files at {ACCEPT}")
def test_another_arms_public_file_is_taken_without_a_robot(
    data_dir: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("NIGHTPICK_ROBOT", "none")
    file = str(ACCEPT / "irb120_fk_15000.csv")
    assert main(["scan", "ingest", "--json", file, "--angle-unit", "rad", "--columns", IRB120]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["rows"], entry["out_of_limits"]) == (15_000, None)
