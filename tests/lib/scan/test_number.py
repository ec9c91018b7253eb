"""What a number is in a scan file: an exhaustive look at short texts, and names for the rest."""

from __future__ import annotations

import itertools
import math
from decimal import Decimal

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.scan.number import COMMA, POINT, looks_like_a_value, read_number, why_not_a_number


def is_number(text: str) -> bool:
    """Say by hand, without a regular expression, what the grammar says."""
    text = text[1:] if text[:1] in ("+", "-") else text
    mantissa, e, exponent = text.replace("E", "e").partition("e")
    whole, _, decimals = mantissa.partition(".")
    exponent = exponent[1:] if exponent[:1] in ("+", "-") else exponent

    def digits(part: str) -> bool:
        return bool(part) and set(part) <= set("0123456789")

    def digits_or_none(part: str) -> bool:
        return not part or digits(part)

    has_digits = bool(whole or decimals)
    return (
        has_digits
        and digits_or_none(whole)
        and digits_or_none(decimals)
        and (digits(exponent) if e else True)
    )


def test_every_text_of_up_to_six_signs_is_a_number_exactly_when_the_grammar_says_so() -> None:
    for length in range(7):
        for signs in itertools.product("1.-+e", repeat=length):
            text = "".join(signs)
            value = read_number(text, POINT)
            fits = is_number(text) and math.isfinite(float(text)) and (float(text) != 0 or Decimal(text) == 0)
            assert (value is not None) == fits, text
            assert value is None or value == float(Decimal(text)), text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_double_written_shortest_reads_back_equal_with_either_mark(value: float) -> None:
    assert read_number(repr(value), POINT) == value
    assert read_number(repr(value).replace(".", ","), COMMA) == value


@pytest.mark.parametrize(
    ("text", "mark", "value"),
    [
        (".1", POINT, 0.1),
        ("10.", POINT, 10.0),
        ("-.5e-3", POINT, -0.0005),
        ("+1.5", POINT, 1.5),
        ("1e-3", POINT, 0.001),
        ("-,25", COMMA, -0.25),
        ("7,", COMMA, 7.0),
        ("0e-400", POINT, 0.0),
        ('"0.5"', POINT, 0.5),
        (' " -0,5" ', COMMA, -0.5),
        ("5e-324", POINT, 5e-324),
    ],
)
def test_what_every_program_writes_as_a_number_is_one(text: str, mark: str, value: float) -> None:
    assert read_number(text, mark) == value


def test_minus_zero_reads_as_zero() -> None:
    value = read_number("-0.000", POINT)
    assert value == 0.0
    assert math.copysign(1.0, value) == 1.0


@pytest.mark.parametrize(
    "text",
    [
        "1_000",
        "0x1p3",
        "\uff11\uff12",
        "\u0663",
        "1.5f",
        "True",
        "\u22121",
        "1\xa0",
        ".",
        "-.",
        ".e5",
        "1 2",
        "1e",
        "--1",
    ],
)
def test_what_python_or_a_database_might_take_is_no_number_here(text: str) -> None:
    assert read_number(text, POINT) is None


@pytest.mark.parametrize(
    ("text", "mark", "rule"),
    [
        ("", POINT, "blank cell"),
        ("  ", POINT, "blank cell"),
        ("NaN", POINT, "NaN is not a measurement"),
        ("-nan(ind)", POINT, "NaN is not a measurement"),
        ("-1.#IND", POINT, "NaN is not a measurement"),
        ("n. def.", COMMA, "NaN is not a measurement"),
        ("Infinity", POINT, "an infinity is not a measurement"),
        ("-Infinito", COMMA, "an infinity is not a measurement"),
        ("1.#INF", POINT, "an infinity is not a measurement"),
        ("-∞", COMMA, "an infinity is not a measurement"),
        ("1e999", POINT, "too large for a double"),
        ("1e-400", POINT, "too small for a double, it would become 0"),
        ("-,000001e-320", COMMA, "too small for a double, it would become 0"),
        ("0,5", POINT, "decimal comma in a file of decimal points"),
        ("0.5", COMMA, "decimal point in a file of decimal commas"),
        ("1.234,5", COMMA, "grouped digits: point and comma cannot be told apart"),
        ('"0.5', POINT, "a quote that does not enclose the cell"),
        ('0."5"', POINT, "a quote that does not enclose the cell"),
        ('"0.5"6"', POINT, "a quote that does not enclose the cell"),
        ('""', POINT, "blank cell"),
        ('"NaN"', POINT, "NaN is not a measurement"),
        ("twelve", POINT, "not a number"),
        ("1.5.2", POINT, "not a number"),
    ],
)
def test_a_cell_that_is_no_number_is_named(text: str, mark: str, rule: str) -> None:
    assert read_number(text, mark) is None
    assert why_not_a_number(text, mark) == rule


def test_a_row_of_values_is_told_from_a_header() -> None:
    assert all(map(looks_like_a_value, ["1", " -0.5", "0,25", "NaN", "inf", "1e5", ".5", "5."]))
    assert not any(map(looks_like_a_value, ["ee_x", "", "j0", "e5", "."]))
