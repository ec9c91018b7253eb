"""The fast reading never takes what the strict one refuses, and never gives another value."""

from __future__ import annotations

import itertools
from decimal import Decimal

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.scan import COLUMNS
from lib.scan.layout import Layout
from lib.scan.number import read_number
from lib.scan.plain_rows import read_plainly
from lib.scan.refusal import Unreadable
from lib.scan.strict import read_strictly

WIDTH = len(COLUMNS)


def one_cell(text: str, mark: str = ".") -> float | None:
    """Read a text as the only cell of a one-column file."""
    rows = read_plainly(text.encode() + b"\n", 1, (0,), ";", mark)
    return None if rows is None else float(rows[0, 0])


def test_every_text_of_up_to_five_signs_reads_as_in_the_strict_reading() -> None:
    for length in range(6):
        for signs in itertools.product("1.-+e", repeat=length):
            text = "".join(signs)
            assert one_cell(text) == read_number(text, "."), text


@settings(deadline=None, max_examples=300)
@given(
    st.from_regex(r"[+-]?([0-9]{1,20}[.,]?|[0-9]{0,20}[.,][0-9]{1,20})([eE][+-]?[0-9]{1,3})?", fullmatch=True)
)
def test_any_number_text_becomes_the_double_nearest_to_it(text: str) -> None:
    mark = "," if "," in text else "."
    written = Decimal(text.replace(",", "."))
    nearest = float(written)
    lost = abs(nearest) == float("inf") or (nearest == 0.0 and written != 0)
    assert one_cell(text, mark) == (None if lost else nearest)


def test_all_digit_counts_around_the_exact_limit_round_correctly() -> None:
    rng = np.random.default_rng(0)
    texts = [
        "".join(rng.choice(list("0123456789"), whole))
        + "."
        + "".join(rng.choice(list("0123456789"), decimals))
        for whole in range(10)
        for decimals in range(17)
        for _ in range(40 if whole + decimals else 0)
    ]
    rows = read_plainly(("\n".join(texts) + "\n").encode(), 1, (0,), ",", ".")
    assert rows is not None
    assert rows[:, 0].tolist() == [float(Decimal(text)) for text in texts]


CELLS = st.one_of(
    st.from_regex(r"[+-]?[0-9]{0,9}(\.[0-9]{0,9})?", fullmatch=True),
    st.from_regex(r'"[+-]?[0-9]{0,9}(\.[0-9]{0,9})?"', fullmatch=True),
    st.sampled_from(
        [
            "",
            " ",
            "NaN",
            "1,2",
            "-",
            "1.2.3",
            " 1.5 ",
            "1 5",
            "1e5",
            "1e-400",
            "ee_x",
            '"1,2"',
            '"',
            '1"',
            '"1" ',
            '"" "',
            '""',
            "é",
            "1\t",
        ]
    ),
)


@settings(deadline=None, max_examples=75)
@given(
    st.lists(st.lists(CELLS, min_size=WIDTH - 1, max_size=WIDTH + 1), min_size=1, max_size=4),
    st.sampled_from([",", ";", "\t"]),
)
def test_a_piece_read_fast_is_a_piece_read_strictly(rows: list[list[str]], delimiter: str) -> None:
    texts = [delimiter.join(cells) for cells in rows]
    layout = Layout(COLUMNS, tuple(range(WIDTH)), delimiter, ".", 0, 2)
    plain = read_plainly(("\n".join(texts) + "\n").encode(), WIDTH, layout.positions, delimiter, ".")
    try:
        strict = read_strictly(texts, 2, layout, last_is_cut=False)
    except Unreadable:
        assert plain is None
        return
    assert plain is None or not strict.rejects
    assert plain is None or plain.tolist() == strict.points


@pytest.mark.parametrize("loose", [", ", " ,", " , ", ",   "])
def test_spaces_beside_separators_are_read_fast(loose: str) -> None:
    rows = read_plainly(f" 1{loose}2{loose}3 \n  4{loose}5{loose}6\n".encode(), 3, (0, 1, 2), ",", ".")
    assert rows is not None
    assert rows.tolist() == [[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]]


def test_quoted_cells_are_read_fast() -> None:
    rows = read_plainly(b'"1","2.5", "3"\n"4", 5 ," 6 "\n', 3, (0, 1, 2), ",", ".")
    assert rows is not None
    assert rows.tolist() == [[1.0, 2.5, 3.0], [4.0, 5.0, 6.0]]


def test_wanted_columns_are_picked_in_our_order_whatever_the_others_hold() -> None:
    rows = read_plainly(b"1;x;2,5;\n3;2026-07-12;-4;no\n", 4, (2, 0), ";", ",")
    assert rows is not None
    assert rows.tolist() == [[2.5, 1.0], [-4.0, 3.0]]


def test_minus_zero_reads_as_zero() -> None:
    rows = read_plainly(b"-0.0,-0\n", 2, (0, 1), ",", ".")
    assert rows is not None
    assert not np.signbit(rows).any()
