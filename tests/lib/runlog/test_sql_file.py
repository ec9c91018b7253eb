"""The SQL texts: found by name, each saying what it is for."""

from __future__ import annotations

import pytest

from lib.runlog.sql_file import SqlFile, _purpose, sql_text


def test_the_purpose_is_the_header_comment_up_to_its_first_empty_line() -> None:
    text = "-- Which tasks are slowest,\n-- night by night.\n--\n-- Seconds are wall clock.\nSELECT 1\n"
    assert _purpose(text) == "Which tasks are slowest, night by night."


def test_a_statement_without_header_has_no_purpose() -> None:
    assert _purpose("SELECT 1 -- one\n") == ""


def test_a_number_in_front_orders_a_migration() -> None:
    assert SqlFile("0012_effects", "", "").number == 12


def test_a_wrong_name_is_a_defect() -> None:
    with pytest.raises(FileNotFoundError):
        sql_text("queries/no_such_question")
