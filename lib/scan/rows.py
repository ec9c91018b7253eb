"""From a file's plain text to its rows, piece by piece: fast where it can be, strict where it must."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.errors import Problem
from lib.scan.content import COLUMNS, Points
from lib.scan.dialect import PlainText
from lib.scan.layout import Layout
from lib.scan.plain_rows import read_plainly
from lib.scan.refusal import SHOWN_PROBLEMS
from lib.scan.strict import Reject, read_strictly

# A piece and its temporary arrays fit the processor's cache.
PIECE_BYTES = 96 * 1024


@dataclass(frozen=True)
class Rows:
    """The good rows with their line numbers, and the bad ones.

    ``points`` has shape (n, 9), ``lines`` (n,); ``problems`` are the first ten of ``problem_count``.
    ``rejects`` is empty where they were only counted.
    """

    points: Points
    lines: NDArray[np.int64]
    rejects: tuple[Reject, ...]
    problems: tuple[Problem, ...]
    problem_count: int


def read_rows(text: PlainText, layout: Layout, *, keep_rejects: bool) -> Rows:
    """Read every row below the header. Raises Unreadable at a second, different header."""
    most = text.data.count(b"\n", layout.start) + text.cut
    points = np.empty((most, len(COLUMNS)))
    lines = np.empty(most, dtype=np.int64)
    rejects: list[Reject] = []
    problems: list[Problem] = []
    problem_count = 0
    filled, line = 0, layout.first_line
    for piece, is_cut in _pieces(text, layout.start):
        count = piece.count(b"\n")
        plain = read_plainly(
            piece, len(layout.names), layout.positions, layout.delimiter, layout.decimal_mark
        )
        if plain is not None:
            points[filled : filled + count] = plain
            lines[filled : filled + count] = np.arange(line, line + count)
            filled += count
        else:
            texts = piece[:-1].decode(errors="backslashreplace").split("\n")
            strict = read_strictly(texts, line, layout, last_is_cut=is_cut)
            end = filled + len(strict.points)
            if strict.points:
                points[filled:end] = strict.points
                lines[filled:end] = strict.lines
            filled = end
            rejects += strict.rejects if keep_rejects else []
            problems = (problems + strict.problems)[:SHOWN_PROBLEMS]
            problem_count += len(strict.problems)
        line += count
    return Rows(points[:filled], lines[:filled], tuple(rejects), tuple(problems), problem_count)


def _pieces(text: PlainText, start: int) -> Iterator[tuple[bytes, bool]]:
    """Cut the text at line ends; yield each piece, ended by one, and whether the file lacks that end."""
    data = text.data
    while end := data.find(b"\n", start + PIECE_BYTES) + 1:
        yield data[start:end], False
        start = end
    if start < len(data):
        yield data[start:] + b"\n" * text.cut, text.cut
