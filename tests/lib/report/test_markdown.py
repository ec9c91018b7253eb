"""The reports in the Prefect UI: what a person reads first, and nothing lost on the way."""

from __future__ import annotations

import pytest

from lib.doctor import Finding
from lib.errors import Problem
from lib.report import doctor_markdown, refusal_markdown
from lib.report.markdown import millimetres, table
from lib.scan import ScanRefused


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
