"""Pieces of Markdown as the Prefect UI shows it: its tables do not wrap, and fonts may lack emoji."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence

from lib.visible import visible

# What Markdown takes for its own where it stands inside a line; a pipe only in a table, and an
# underscore not inside a word.
_MEANS_SOMETHING = re.compile(r"[\\`*\[\]<>#~&]|(?<![A-Za-z0-9])_|_(?![A-Za-z0-9])")

OK, NO, NOT_APPLICABLE = "✓", "✗", "n/a"


def table(head: Sequence[str], rows: Iterable[Sequence[object]], right: Sequence[int] = ()) -> str:
    """Return a table; columns whose number is in ``right`` are aligned right, as numbers are."""
    ruler = ["---:" if n in right else "---" for n in range(len(head))]
    lines = [head, ruler, *([_cell(value) for value in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def bullets(lines: Iterable[str]) -> str:
    """Return a list, a line each."""
    return "\n".join(f"- {line}" for line in lines)


def mark(ok: bool | None) -> str:
    """Return the mark of a verdict; None is "not applicable"."""
    return {True: OK, False: NO, None: NOT_APPLICABLE}[ok]


def millimetres(distance_m: float | None) -> str:
    """Return a distance [m] in mm with the digits that mean something; None is out of reach."""
    if distance_m is None:
        return "out of reach"
    if 0 < abs(distance_m) < 1e-5:
        return f"{distance_m * 1e3:.4f} mm"
    return f"{distance_m * 1e3:.2f} mm"


def plain(text: str) -> str:
    """Return text that others wrote, such as a file's name or a message with one, to be read as it is."""
    return _MEANS_SOMETHING.sub(r"\\\g<0>", visible(text))


def code(text: str) -> str:
    """Return text as code, also where it holds backticks itself."""
    text = visible(text)
    if "`" not in text:
        return f"`{text}`"
    fence = "`" * (1 + max(map(len, re.findall("`+", text))))
    return f"{fence} {text} {fence}"


def _cell(value: object) -> str:
    return str(value).replace("|", "\\|").replace("\n", " ")
