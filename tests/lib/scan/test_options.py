"""What --columns means."""

from __future__ import annotations

import pytest

from lib.errors import BadInput
from lib.scan import COLUMNS, parse_columns


def test_names_with_an_equals_sign_rename_columns() -> None:
    assert parse_columns("q1=j0, Q2 = J1,x=ee_x") == ({"q1": "j0", "Q2": "j1", "x": "ee_x"}, ())


def test_names_without_one_are_the_order_of_a_file_without_a_header() -> None:
    order = ("time", *COLUMNS[::-1], "note")
    assert parse_columns(",".join(order)) == (None, order)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("q1=j9", "'q1=j9' names no column of a scan; expected ee_x, ee_y"),
        ("q1=j0,q2", "'q2'; expected NAME=COLUMN"),
        ("=j0", "'=j0'; expected NAME=COLUMN"),
        ("q1=", "'q1='; expected NAME=COLUMN"),
        ("q1=j0,q2=j0", "j0 is given twice"),
        ("q1=j0,Q1=j1", "Q1 is mapped twice"),
        ("ee_x,ee_y", "missing ee_z, j0, j1, j2, j3, j4, j5"),
        ("", "missing ee_x"),
    ],
)
def test_what_it_cannot_mean_is_said(text: str, message: str) -> None:
    with pytest.raises(BadInput) as refused:
        parse_columns(text)
    assert message in str(refused.value)
    assert str(refused.value).startswith("--columns: ")
