"""The slow truth about rows: every line, every cell, every problem with its place.

Whatever the fast reading is not sure of comes here, and this decides.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from lib.errors import Problem
from lib.scan.cells import cells_of
from lib.scan.dialect import DELIMITERS, NAMED
from lib.scan.header import ends_with_header, normalised
from lib.scan.layout import Layout
from lib.scan.number import read_number, why_not_a_number
from lib.scan.refusal import Unreadable, shown

SECOND_HEADER = "second header line (was the twin restarted in append mode?)"
CUT_BY_HEADER = "line cut short and joined to a second header line (was the twin killed and restarted?)"
# The last cell of a row that was cut right behind a separator, a sign, a decimal mark or an exponent's e.
_BROKEN_OFF = re.compile(r"\s*\"?[+-]?[0-9]*[.,]?[0-9]*(?:[eE][+-]?)?")
# A rejected line is there to be looked at; the kept raw file has the rest of a longer one.
RAW_CHARACTERS = 4096


@dataclass(frozen=True)
class Reject:
    """One line that is no good row: its number, its text, and the first rule it breaks."""

    line: int
    raw: str
    column: str | None
    found: str
    rule: str


@dataclass
class StrictRows:
    """What the lines of a piece of a file came to."""

    points: list[list[float]] = field(default_factory=list)
    lines: list[int] = field(default_factory=list)
    rejects: list[Reject] = field(default_factory=list)
    problems: list[Problem] = field(default_factory=list)


def read_strictly(texts: Sequence[str], first_line: int, layout: Layout, *, last_is_cut: bool) -> StrictRows:
    """Read lines one by one; ``first_line`` is the number of the first.

    ``last_is_cut`` says that the last of them is the file's and has no line end: its problems are
    then a cut's. Raises Unreadable at a second header with other columns, for below it no cell's
    column is known.
    """
    rows = StrictRows()
    for line, text in enumerate(texts, start=first_line):
        cells = cells_of(text, layout.delimiter)
        values = (
            [read_number(cells[position], layout.decimal_mark) for position in layout.positions]
            if len(cells) == len(layout.names)
            else [None]
        )
        good = [value for value in values if value is not None]
        is_cut = last_is_cut and line == first_line + len(texts) - 1
        if len(good) == len(layout.positions) and not (is_cut and _breaks_off_in_a_number(text, layout)):
            rows.points.append(good)
            rows.lines.append(line)
            continue
        problems = _problems(text, cells, line, layout, is_cut=is_cut)
        first = problems[0]
        rows.problems += problems
        rows.rejects.append(Reject(line, text[:RAW_CHARACTERS], first.column, first.found, first.rule))
    return rows


def _breaks_off_in_a_number(text: str, layout: Layout) -> bool:
    """Say whether a line breaks off behind a decimal mark, where the next digit was to come."""
    is_wanted = len(layout.names) - 1 in layout.positions
    return is_wanted and text.rstrip(" \t").endswith(layout.decimal_mark)


def _problems(text: str, cells: Sequence[str], line: int, layout: Layout, *, is_cut: bool) -> list[Problem]:
    if not text.strip(" \t"):
        return [Problem(line, None, "", "blank line between rows")]
    if "\0" in text:
        return [Problem(line, None, shown(text), "NUL bytes (did the machine lose power as it wrote?)")]
    if header := _as_header(text, cells, line, layout):
        return [header]
    if is_cut and _is_beginning(text, cells, layout):
        return [_cut_short(text, cells, line, layout)]
    if len(cells) != len(layout.names):
        return [_miscounted(text, cells, line, layout)]
    return [
        Problem(
            line,
            shown(layout.names[p]),
            shown(cells[p].strip()),
            why_not_a_number(cells[p], layout.decimal_mark),
        )
        for p in layout.positions
        if read_number(cells[p], layout.decimal_mark) is None
    ]


def _as_header(text: str, cells: Sequence[str], line: int, layout: Layout) -> Problem | None:
    """Return the problem of a line that holds column names; None for any other line."""
    lowered = text.lower()
    if sum(name in lowered for name in layout.wanted_names) < 2:  # most bad lines, and fast
        return None
    if ends_with_header(cells, layout.names):
        whole = len(cells) == len(layout.names) and normalised(cells[0]) == normalised(layout.names[0])
        return Problem(line, None, shown(text), SECOND_HEADER if whole else CUT_BY_HEADER)
    if len(layout.wanted_names.intersection(map(normalised, cells))) < 2:
        return None
    raise Unreadable(
        Problem(line, None, shown(text), "second header line, with other columns than the first"),
        "cut the file in two at this line and ingest both",
    )


def _is_beginning(text: str, cells: Sequence[str], layout: Layout) -> bool:
    """Say whether the cells are what is left of a good row: fewer, or the last one broken off."""
    if len(cells) != len(layout.names):
        return len(cells) < len(layout.names)
    is_whole = read_number(cells[-1], layout.decimal_mark) is not None
    return _breaks_off_in_a_number(text, layout) or (
        not is_whole and _BROKEN_OFF.fullmatch(cells[-1]) is not None
    )


def _cut_short(text: str, cells: Sequence[str], line: int, layout: Layout) -> Problem:
    width = len(layout.names)
    rule = f"last line cut short: {len(cells)} of {width} fields and no line end"
    return Problem(line, shown(layout.names[min(len(cells), width - 1)]), shown(text), rule)


def _miscounted(text: str, cells: Sequence[str], line: int, layout: Layout) -> Problem:
    width = len(layout.names)
    rule = f"{len(cells)} field{'s' if len(cells) > 1 else ''} for {width} columns"
    for delimiter in DELIMITERS:
        if len(cells_of(text, delimiter)) == width:
            rule += f": separated by {NAMED[delimiter]}, the header by {NAMED[layout.delimiter]}"
            return Problem(line, None, shown(text), rule)
    if len(cells) < width:
        return Problem(line, shown(layout.names[len(cells)]), shown(text), f"{rule}: too few")
    if layout.delimiter == "," and "." not in text:
        rule += ": decimal commas between comma separators are the likely cause"
    return Problem(line, None, shown(text), rule)
