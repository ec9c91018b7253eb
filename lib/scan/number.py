"""What a number is in a scan file, and what a cell is that is not one.

A number is an optional sign, digits with at most one decimal mark before, between or behind them,
optionally an exponent: what every program writes and reads, ``.5`` and ``5.`` with it. Nothing else:
``1_000`` is not guessed at, and a number that a double cannot hold (``1e999``, or ``1e-400``, which
would become 0) is none.
"""

from __future__ import annotations

import math
import re

from lib.scan.cells import out_of_quotes

POINT, COMMA = ".", ","

_GRAMMAR = {
    mark: re.compile(
        rf"[+-]?(?P<digits>[0-9]+(?:{re.escape(mark)}[0-9]*)?|{re.escape(mark)}[0-9]+)(?:[eE][+-]?[0-9]+)?"
    )
    for mark in (POINT, COMMA)
}
_NOT_ZERO = re.compile(r"[1-9]")
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:[.,'][0-9]{3})+(?:[.,][0-9]+)?")
_NOT_A_NUMBER = re.compile(r"[+-]?(?:nan(?:\(.*\))?|1[.,]#(?:ind|[qs]nan).*|n\.? ?def\.?)", re.IGNORECASE)
_INFINITE = re.compile(r"[+-]?(?:inf(?:inity|inito|ini|inie)?|unendlich|∞|1[.,]#inf.*)", re.IGNORECASE)
_NAMED = {POINT: "decimal point", COMMA: "decimal comma"}


def read_number(cell: str, decimal_mark: str) -> float | None:
    """Return the double nearest to the cell's decimal text, which may be quoted; -0.0 as 0.0.

    None if it is not a number, or one that no double is near: infinite, or 0 for what is not 0.
    """
    text = out_of_quotes(cell)
    match = _GRAMMAR[decimal_mark].fullmatch(text)
    if match is None:
        return None
    value = float(text if decimal_mark == POINT else text.replace(COMMA, POINT)) + 0.0
    if not math.isfinite(value) or (value == 0.0 and _NOT_ZERO.search(match["digits"])):
        return None
    return value


def why_not_a_number(cell: str, decimal_mark: str) -> str:
    """Name the rule that a cell breaks for which `read_number` returned None."""
    text = out_of_quotes(cell)
    other = COMMA if decimal_mark == POINT else POINT
    if _GRAMMAR[decimal_mark].fullmatch(text):
        is_small = abs(float(text.replace(COMMA, POINT))) < 1.0
        return "too small for a double, it would become 0" if is_small else "too large for a double"
    rules = (
        (re.compile(""), "blank cell"),
        (_NOT_A_NUMBER, "NaN is not a measurement"),
        (_INFINITE, "an infinity is not a measurement"),
        (_GRAMMAR[other], f"{_NAMED[other]} in a file of {_NAMED[decimal_mark]}s"),
        (_GROUPED, "grouped digits: point and comma cannot be told apart"),
        (re.compile('.*".*'), "a quote that does not enclose the cell"),
    )
    return next((rule for pattern, rule in rules if pattern.fullmatch(text)), "not a number")


def looks_like_a_value(cell: str) -> bool:
    """Say whether a cell belongs to a row of values rather than to a header line."""
    text = out_of_quotes(cell)
    return (
        any(grammar.fullmatch(text) for grammar in _GRAMMAR.values())
        or _NOT_A_NUMBER.fullmatch(text) is not None
        or _INFINITE.fullmatch(text) is not None
    )
