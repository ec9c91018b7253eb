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
PIECE_BYTES = 256 * 1024
# About as many lines as the strict reading does in the time the fast one needs for a piece at all.
STRICT_LINES = 64


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

    def values_at(self, line: int) -> Points:
        """Return the point that stands on a line, of shape (9,)."""
        return self.points[np.searchsorted(self.lines, line)]


def read_rows(text: PlainText, layout: Layout, *, keep_rejects: bool) -> Rows:
    """Read every row below the header. Raises Unreadable at a second, different header."""
    _keep_freed_memory()
    collected = _Collected(text, layout, keep_rejects=keep_rejects)
    for piece, is_cut in _pieces(text, layout.start):
        collected.read(piece, is_cut)
    return collected.rows()


def _keep_freed_memory() -> None:
    """Let malloc keep what one piece's arrays leave for the next piece's.

    glibc raises its limits to the size of a block that is freed (mallopt(3), M_MMAP_THRESHOLD). In a fresh
    process they are so low that every array of every piece is faulted in from the system anew: 530,000
    page faults and half of the time for a full-size scan. Elsewhere this does nothing.
    """
    np.empty(32 * PIECE_BYTES, dtype=np.uint8)


def _pieces(text: PlainText, start: int) -> Iterator[tuple[bytes, bool]]:
    """Cut the text at line ends; yield each piece, ended by one, and whether the file lacks that end."""
    data = text.data
    while end := data.find(b"\n", start + PIECE_BYTES) + 1:
        yield data[start:end], False
        start = end
    if start < len(data):
        yield data[start:] + b"\n" * text.cut, text.cut


class _Collected:
    """The rows read so far, in arrays that have room for every line of the file."""

    def __init__(self, text: PlainText, layout: Layout, *, keep_rejects: bool) -> None:
        room = text.data.count(b"\n", layout.start) + text.cut
        self._points = np.empty((room, len(COLUMNS)))
        self._lines = np.empty(room, dtype=np.int64)
        self._filled = 0
        self._next_line = layout.first_line
        self._layout = layout
        self._keep_rejects = keep_rejects
        self._rejects: list[Reject] = []
        self._problems: list[Problem] = []
        self._problem_count = 0

    def rows(self) -> Rows:
        """Return what was collected."""
        points, lines = self._points[: self._filled], self._lines[: self._filled]
        return Rows(points, lines, tuple(self._rejects), tuple(self._problems), self._problem_count)

    def read(self, piece: bytes, is_cut: bool) -> None:
        """Read the next piece: fast, or by halves until what is not plain is in few lines, then strictly."""
        layout = self._layout
        plain = None
        if not (is_cut and piece.rstrip(b" \t\n").endswith(layout.decimal_mark.encode())):
            plain = read_plainly(
                piece, len(layout.names), layout.positions, layout.delimiter, layout.decimal_mark
            )
        middle = piece.find(b"\n", len(piece) // 2) + 1
        if plain is not None:
            count = len(plain)
            self._take(plain, np.arange(self._next_line, self._next_line + count))
            self._next_line += count
        elif middle < len(piece) and piece.count(b"\n") > STRICT_LINES:
            self.read(piece[:middle], False)
            self.read(piece[middle:], is_cut)
        else:
            self._read_strictly(piece, is_cut)

    def _read_strictly(self, piece: bytes, is_cut: bool) -> None:
        texts = piece[:-1].decode(errors="backslashreplace").split("\n")
        strict = read_strictly(texts, self._next_line, self._layout, last_is_cut=is_cut)
        if strict.points:
            self._take(np.array(strict.points), np.array(strict.lines))
        if self._keep_rejects:
            self._rejects += strict.rejects
        self._problems += strict.problems[: SHOWN_PROBLEMS - len(self._problems)]
        self._problem_count += len(strict.problems)
        self._next_line += len(texts)

    def _take(self, points: Points, lines: NDArray[np.int64]) -> None:
        rows = slice(self._filled, self._filled + len(points))
        self._points[rows], self._lines[rows] = points, lines
        self._filled = rows.stop
