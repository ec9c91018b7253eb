"""The slow reading of rows: every problem with its line, its column and what was found."""

from __future__ import annotations

import pytest

from lib.errors import Problem
from lib.scan import COLUMNS
from lib.scan.layout import Layout
from lib.scan.refusal import Unreadable
from lib.scan.strict import CUT_BY_HEADER, SECOND_HEADER, StrictRows, read_strictly

GOOD = "0.1,0.2,0.3,1,2,3,4,5,6"
HEADER = ",".join(COLUMNS)


def read(
    *texts: str, names: tuple[str, ...] = COLUMNS, delimiter: str = ",", cut: bool = False
) -> StrictRows:
    positions = tuple(names.index(column) for column in COLUMNS)
    layout = Layout(names, positions, delimiter, "." if delimiter == "," else ",", 0, 2)
    return read_strictly(texts, 2, layout, last_is_cut=cut)


def problem(*texts: str, cut: bool = False) -> Problem:
    rows = read(*texts, cut=cut)
    assert len(rows.problems) == 1
    assert [reject.line for reject in rows.rejects] == [rows.problems[0].line]
    return rows.problems[0]


def test_good_rows_come_with_their_line_numbers() -> None:
    rows = read(GOOD, GOOD.replace(",", " , "), GOOD.replace("0.1", "-1e-3"))
    assert rows.points[0] == rows.points[1] == [0.1, 0.2, 0.3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]
    assert rows.points[2][0] == -0.001
    assert (rows.lines, rows.problems) == ([2, 3, 4], [])


def test_every_bad_cell_of_a_line_is_a_problem_and_the_line_one_reject() -> None:
    rows = read(GOOD, "NaN,0.2,,1,2,3,4,5,6", GOOD)
    assert [str(problem) for problem in rows.problems] == [
        "line 3, column ee_x: NaN is not a measurement (found NaN)",
        "line 3, column ee_z: blank cell",
    ]
    assert [(r.line, r.raw, r.column) for r in rows.rejects] == [(3, "NaN,0.2,,1,2,3,4,5,6", "ee_x")]
    assert rows.lines == [2, 4]


def test_other_columns_may_hold_anything() -> None:
    rows = read('NaN,"x",' + GOOD, names=("time", "note", *COLUMNS))
    assert rows.points == [[0.1, 0.2, 0.3, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0]]


@pytest.mark.parametrize(
    ("line", "column", "rule"),
    [
        ("0.1,0.2,0.3,1", "j1", "4 fields for 9 columns: too few"),
        (GOOD + ",7", None, "10 fields for 9 columns"),
        (GOOD.replace(",", ";"), None,
         "1 field for 9 columns: separated by semicolons, the header by commas"),
        (GOOD + ",", None, "10 fields for 9 columns"),
        ("", None, "blank line between rows"),
        ("0.1,0.2,0.3,1,2,3,4,5,\0\0\0", None, "NUL bytes (did the machine lose power as it wrote?)"),
        (HEADER, None, SECOND_HEADER),
        ("\ufeff" + HEADER.upper(), None, SECOND_HEADER),
        ("0.1,0.2,0.3,1.0" + HEADER, None, CUT_BY_HEADER),
        ("0,1,0,2,0,3,1,0,2,0,3,0,4,0,5,0,6,0", None,
         "18 fields for 9 columns: decimal commas between comma separators are the likely cause"),
    ],
)  # fmt: skip
def test_a_line_that_is_no_row_is_named(line: str, column: str | None, rule: str) -> None:
    found = problem(GOOD, line, GOOD)
    assert (found.line, found.column, found.rule) == (3, column, rule)


@pytest.mark.parametrize(
    ("line", "column", "fields"),
    [
        ("0.1,0.2,0.3", "j0", 3),
        (GOOD[:-1], "j5", 9),
        (GOOD[:-1] + "-", "j5", 9),
        (GOOD + "e-", "j5", 9),
        (GOOD + ".", "j5", 9),
        (GOOD[:-1] + "-.", "j5", 9),
    ],
)
def test_a_last_line_cut_anywhere_is_called_cut(line: str, column: str, fields: int) -> None:
    found = problem(GOOD, line, cut=True)
    assert (found.line, found.column) == (3, column)
    assert found.rule == f"last line cut short: {fields} of 9 fields and no line end"


def test_a_number_may_end_with_its_mark_wherever_the_line_goes_on() -> None:
    rows = read(GOOD.replace("6", "6."), GOOD.replace("1,2", "1.,2"), cut=True)
    assert [row[-1] for row in rows.points] == [6.0, 6.0]


def test_a_last_line_without_its_end_that_holds_a_nan_is_not_called_cut() -> None:
    for line in (GOOD[:-1] + "NaN", "NaN" + GOOD[3:]):
        assert problem(GOOD, line, cut=True).rule == "NaN is not a measurement"


def test_a_second_header_with_other_columns_ends_the_reading() -> None:
    with pytest.raises(Unreadable, match="line 3: second header line, with other columns than the first"):
        read(GOOD, ",".join(COLUMNS[::-1]), GOOD)


def test_what_is_shown_of_a_line_is_printable_and_short() -> None:
    found = problem(GOOD, "\x1b[31m" + "9" * 1000).found
    assert found.startswith("\\x1b[31m999")
    assert len(found) <= 60
