"""Cells in quotes: as one cell where they stand around it, as any other sign where they do not."""

from __future__ import annotations

import csv

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.scan.cells import cells_of, out_of_quotes


@given(st.lists(st.text('ab,;\t. "'), min_size=2, max_size=6), st.sampled_from(",;\t"))
def test_what_a_csv_writer_quotes_comes_back_as_its_cells(texts: list[str], delimiter: str) -> None:
    quoted = ['"' + text.replace('"', '""') + '"' for text in texts]
    line = delimiter.join(quoted)
    assert cells_of(line, delimiter) == quoted
    assert next(csv.reader([line], delimiter=delimiter)) == texts


@pytest.mark.parametrize(
    ("line", "cells"),
    [
        ('0.1,"0.2" , "a, b"', ["0.1", '"0.2" ', ' "a, b"']),
        ('a"b,c"d', ['a"b', 'c"d']),
        ('"0,1', ['"0', "1"]),
        ('"0,1"2,3', ['"0', '1"2', "3"]),
        ('"",', ['""', ""]),
    ],
)
def test_a_quote_that_holds_no_whole_cell_separates_nothing(line: str, cells: list[str]) -> None:
    assert cells_of(line, ",") == cells


@pytest.mark.parametrize(
    ("cell", "text"), [(' "1.5" ', "1.5"), ('" 1 "', "1"), ('"', '"'), ('"a"b"', '"a"b"'), ("1", "1")]
)
def test_a_pair_of_quotes_around_a_cell_is_dropped(cell: str, text: str) -> None:
    assert out_of_quotes(cell) == text
