"""The dialect of a text scan: encoding, line ends, delimiter, decimal mark, each by a strict rule.

Nothing is guessed from a sample of the rows. A byte order mark or UTF-8 gives the encoding; the
header gives the delimiter, for names hold none; and where the delimiter leaves the decimal mark open
(a semicolon or tab file can be German or English) the first cell that has a mark decides for the
whole file: a cell with the other mark is then a problem of its own.
"""

from __future__ import annotations

import codecs
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lib.errors import Problem
from lib.scan.cells import QUOTE, cells_of
from lib.scan.header import normalised
from lib.scan.number import COMMA, POINT
from lib.scan.refusal import Unreadable, shown

# A semicolon or tab is never part of a number, a comma can be: it is asked last.
DELIMITERS = ("\t", ";", ",")
NAMED = {"\t": "tabs", ";": "semicolons", ",": "commas"}

# UTF-32 first: its little-endian mark begins with UTF-16's.
_BYTE_ORDER_MARKS = (
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)


@dataclass(frozen=True)
class PlainText:
    """A file's text as UTF-8 bytes with ``\\n`` between lines.

    The byte order mark and blank lines at the end are gone, every other line is in its place;
    ``cut`` says that the last line has no line end. Bytes that are not of the encoding read as
    their escape (``\\xff``), which no number contains.
    """

    data: bytes
    encoding: str
    line_end: str
    cut: bool

    @cached_property
    def _starts(self) -> NDArray[np.int64]:
        """Where each line begins in ``data``, of shape (lines,)."""
        ends = np.flatnonzero(np.frombuffer(self.data, dtype=np.uint8) == ord("\n"))
        return np.concatenate(([0], ends + 1))

    def line(self, number: int) -> str:
        """Return a line by its number, from 1."""
        start = int(self._starts[number - 1])
        end = self.data.find(b"\n", start)
        return self.data[start : end if end >= 0 else None].decode(errors="backslashreplace")


def plain_text(data: bytes) -> PlainText:
    """Undo the encoding and the line ends of a file's bytes."""
    mark, encoding = next(((m, e) for m, e in _BYTE_ORDER_MARKS if data.startswith(m)), (b"", "utf-8"))
    if mark:
        data = data[len(mark) :]
    if encoding.startswith(("utf-16", "utf-32")):
        data = data.decode(encoding, errors="backslashreplace").encode(errors="backslashreplace")
    line_end = _line_end(data)
    if line_end != "LF":
        data = data.replace(b"\r\n", b"\n").replace(b"\r", b"\n")
    written = len(data)
    while written and data[written - 1] in b" \t\n":
        written -= 1
    end = data.find(b"\n", written)
    return PlainText(data if end < 0 else data[: end + 1], encoding, line_end, cut=end < 0)


def _line_end(data: bytes) -> str:
    if b"\r" not in data:
        return "LF"
    crlf = data.count(b"\r\n")
    if data.count(b"\r") > crlf:
        return "CR" if crlf == 0 and b"\n" not in data else "mixed"
    return "CRLF" if data.count(b"\n") == crlf else "mixed"


def delimiter_of_header(line: str, names: Iterable[str]) -> str:
    """Return the delimiter under which the header line holds most of the wanted ``names``."""
    wanted = set(names)

    def wanted_names_and_cells(delimiter: str) -> tuple[int, int]:
        cells = cells_of(line, delimiter)
        return len(wanted.intersection(map(normalised, cells))), len(cells)

    return max(DELIMITERS, key=wanted_names_and_cells)


def delimiter_of_row(line: str, width: int, line_number: int) -> str:
    """Return the delimiter that cuts the first row of a file without a header into ``width`` cells.

    Raises Unreadable where none does.
    """
    for delimiter in DELIMITERS:
        if len(cells_of(line, delimiter)) == width:
            return delimiter
    counts = ", ".join(f"{len(cells_of(line, d))} by {NAMED[d]}" for d in DELIMITERS)
    raise Unreadable(
        Problem(line_number, None, shown(line), f"{width} cells expected by --columns, counted {counts}"),
        "name every column of the file in its order, also those to ignore",
    )


def decimal_mark(delimiter: str, data: bytes, start: int, positions: Sequence[int]) -> str:
    """Return the decimal mark of the rows in ``data`` from byte ``start`` on.

    ``positions`` are those of the wanted columns: a note or a date in another one has no say.
    """
    if delimiter == COMMA:
        if data.find(QUOTE.encode(), start) < 0:  # only quotes keep a comma in a cell
            return POINT
    elif data.find(b",", start) < 0:
        return POINT
    elif data.find(b".", start) < 0:
        return COMMA
    while start < len(data):
        end = data.find(b"\n", start)
        end = len(data) if end < 0 else end
        cells = cells_of(data[start:end].decode(errors="backslashreplace"), delimiter)
        for cell in (cells[p] for p in positions if p < len(cells)):
            if POINT in cell or COMMA in cell:
                return COMMA if cell.rfind(COMMA) > cell.rfind(POINT) else POINT
        start = end + 1
    return POINT
