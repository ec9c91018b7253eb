"""The reports in the Prefect UI: what a person reads first, and nothing lost on the way."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.doctor import Finding
from lib.errors import Problem
from lib.report import doctor_markdown, refusal_markdown, scan_markdown
from lib.report.markdown import millimetres, table
from lib.scan import ScanRefused, ScanStore


def test_a_cell_never_breaks_its_table() -> None:
    assert table(("a", "b"), [("x | y", "one\ntwo")], right=(1,)) == (
        "| a | b |\n| --- | ---: |\n| x \\| y | one two |"
    )


@pytest.mark.parametrize(
    ("distance_m", "said"),
    [
        (None, "out of reach"),
        (0.0079, "7.90 mm"),
        (0.0, "0.00 mm"),
        (2e-6, "0.0020 mm"),
        (0.02997, "29.97 mm"),
    ],
)
def test_a_distance_is_read_in_millimetres(distance_m: float | None, said: str) -> None:
    assert millimetres(distance_m) == said


def test_a_refusal_shows_every_place_it_has_counts_the_rest_and_says_what_to_do() -> None:
    problems = [Problem(n, "ee_y", "NaN", "NaN is not a measurement") for n in range(2, 12)]
    report = refusal_markdown(ScanRefused("/inbox/night.csv", problems, 240, "mend the file"))
    assert report.startswith("## night.csv refused, problems: 240\n")
    assert report.count("| ee_y | `NaN` | NaN is not a measurement |") == 10
    assert "… and 230 more." in report
    assert "What to do: mend the file." in report


def test_the_doctor_names_what_is_wrong_first() -> None:
    report = doctor_markdown(
        [Finding("python", True, "3.11.7"), Finding("free space", False, "1.5 GB", "make room")]
    )
    assert report.splitlines()[0] == "## 1 of 2 checks say no"
    assert report.splitlines()[2:] == ["- ✗ **free space**: 1.5 GB; make room", "- ✓ **python**: 3.11.7"]


def test_a_scan_that_is_known_says_what_became_of_it(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5\n0.1,0.2,0.3,10,20,30,40,50,60\n")
    store = ScanStore(tmp_path / "data")
    store.ingest(tmp_path / "a.csv")
    (scan,) = store.kept()
    store.set_aside(scan.md5, "the base was moved")
    told = scan_markdown(store.ingest(tmp_path / "a.csv"))
    assert told.startswith("## a.csv: already known, 1 row\n")
    assert "- it is set aside, because: the base was moved; " in told
    assert f"nightpick table merge --scan {scan.short_md5}" in told
