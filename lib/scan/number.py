"""What a number is in a scan file, and what a cell is that is not one.

A number is an optional sign, digits, optionally a decimal mark with digits behind it, optionally an
exponent; nothing else. ``.5``, ``5.`` and ``1_000`` are what a lost byte or another program's habit
leaves behind, so they are not guessed at.
"""

from __future__ import annotations

import math
import re

POINT, COMMA = ".", ","

_GRAMMAR = {
    mark: re.compile(rf"[+-]?[0-9]+(?:{re.escape(mark)}[0-9]+)?(?:[eE][+-]?[0-9]+)?")
    for mark in (POINT, COMMA)
}
_GROUPED = re.compile(r"[+-]?[0-9]{1,3}(?:[.,'][0-9]{3})+(?:[.,][0-9]+)?")
_NOT_A_NUMBER = re.compile(r"[+-]?(?:nan(?:\(.*\))?|1[.,]#(?:ind|[qs]nan).*|n\.? ?def\.?)", re.IGNORECASE)
_INFINITE = re.compile(r"[+-]?(?:inf(?:inity|inito|ini|inie)?|unendlich|∞|1[.,]#inf.*)", re.IGNORECASE)
_NAMED = {POINT: "decimal point", COMMA: "decimal comma"}


def read_number(cell: str, decimal_mark: str) -> float | None:
    """Return the double nearest to the cell's decimal text, -0.0 as 0.0; None if it is not a number."""
    text = cell.strip(" \t")
    if _GRAMMAR[decimal_mark].fullmatch(text) is None:
        return None
    value = float(text if decimal_mark == POINT else text.replace(COMMA, POINT)) + 0.0
    return value if math.isfinite(value) else None


def why_not_a_number(cell: str, decimal_mark: str) -> str:
    """Name the rule that a cell breaks for which `read_number` returned None."""
    text = cell.strip(" \t")
    other = COMMA if decimal_mark == POINT else POINT
    if _GRAMMAR[decimal_mark].fullmatch(text):
        return "too large for a double"
    rules = (
        (re.compile(""), "blank cell"),
        (_NOT_A_NUMBER, "NaN is not a measurement"),
        (_INFINITE, "an infinity is not a measurement"),
        (_GRAMMAR[other], f"{_NAMED[other]} in a file of {_NAMED[decimal_mark]}s"),
        (_GROUPED, "grouped digits: point and comma cannot be told apart"),
        (re.compile('.*".*'), "quoted cell"),
    )
    return next((rule for pattern, rule in rules if pattern.fullmatch(text)), "not a number")


def looks_like_a_value(cell: str) -> bool:
    """Say whether a cell belongs to a row of values rather than to a header line."""
    text = cell.strip(" \t")
    return (
        any(grammar.fullmatch(text) for grammar in _GRAMMAR.values())
        or _NOT_A_NUMBER.fullmatch(text) is not None
        or _INFINITE.fullmatch(text) is not None
    )
