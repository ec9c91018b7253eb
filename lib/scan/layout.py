"""The top of a text scan: where the rows begin and how each is to be cut."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

from lib.errors import Problem
from lib.scan.cells import cells_of
from lib.scan.content import COLUMNS
from lib.scan.dialect import DELIMITERS, PlainText, decimal_mark, delimiter_of_header, delimiter_of_row
from lib.scan.header import bare, normalised, positions_of, source_names
from lib.scan.number import looks_like_a_value
from lib.scan.options import ScanOptions
from lib.scan.refusal import Unreadable, shown


@dataclass(frozen=True)
class Layout:
    """How a row is cut: the file's column names, where COLUMNS stand among them, the two marks.

    The rows begin at byte ``start`` of the plain text, on line ``first_line`` of the file.
    """

    names: tuple[str, ...]
    positions: tuple[int, ...]
    delimiter: str
    decimal_mark: str
    start: int
    first_line: int

    @cached_property
    def wanted_names(self) -> frozenset[str]:
        """The file's names for COLUMNS, as they are compared."""
        return frozenset(normalised(self.names[position]) for position in self.positions)


def layout_of(text: PlainText, options: ScanOptions) -> Layout:
    """Read the header, or apply the order given for a file that has none.

    Raises Unreadable with the one reason why the file is no scan.
    """
    start, line_number = _first_written_line(text.data)
    end = text.data.find(b"\n", start)
    end = len(text.data) if end < 0 else end
    line = text.data[start:end].decode(errors="backslashreplace")
    _refuse_binary(line, line_number)
    if options.column_order:
        names: Sequence[str] = options.column_order
        _refuse_unexpected_header(line, names, line_number)
        delimiter = delimiter_of_row(line, len(names), line_number)
        row_start, first_line = start, line_number
    else:
        _refuse_values(line, line_number)
        delimiter = delimiter_of_header(line, source_names(options.columns).values())
        names = cells_of(line, delimiter)
        row_start, first_line = end + 1, line_number + 1
    positions = positions_of(names, options.columns, None if options.column_order else line_number)
    mark = decimal_mark(delimiter, text.data, row_start, positions)
    return Layout(tuple(map(bare, names)), positions, delimiter, mark, row_start, first_line)


def _first_written_line(data: bytes) -> tuple[int, int]:
    start, line_number = 0, 1
    while (end := data.find(b"\n", start)) >= 0:
        if data[start:end].strip(b" \t"):
            return start, line_number
        start, line_number = end + 1, line_number + 1
    if not data[start:].strip(b" \t"):
        raise Unreadable(Problem(None, None, "", "empty file"), "a scan has a header and rows")
    return start, line_number


def _refuse_binary(line: str, line_number: int) -> None:
    strange = next((c for c in line if c != "\t" and (c < " " or c == "\x7f")), None)
    if strange == "\0":
        raise Unreadable(
            Problem(line_number, None, shown(line), "NUL bytes: binary, or UTF-16 without a byte order mark"),
            "save the scan as UTF-8 text",
        )
    if strange is not None:
        raise Unreadable(
            Problem(line_number, None, shown(line), "control characters: not a text file"),
            "give the scan as CSV text (also gzip) or Parquet",
        )


def _refuse_values(line: str, line_number: int) -> None:
    if any(all(map(looks_like_a_value, cells_of(line, delimiter))) for delimiter in DELIMITERS):
        raise Unreadable(
            Problem(line_number, None, shown(line), "header missing: the first line holds numbers"),
            f"put the header line on top, or give the order of the columns: --columns {','.join(COLUMNS)}",
        )


def _refuse_unexpected_header(line: str, names: Sequence[str], line_number: int) -> None:
    known = {normalised(name) for name in names} | set(COLUMNS)
    if any(normalised(cell) in known for delimiter in DELIMITERS for cell in cells_of(line, delimiter)):
        raise Unreadable(
            Problem(line_number, None, shown(line), "a header where --columns says that there is none"),
            "leave --columns out, or rename columns: --columns q1=j0,...",
        )
