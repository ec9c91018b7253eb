"""Reading one scan file: the file's bytes in, points in metres and degrees out, or one refusal."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.errors import Problem
from lib.scan.content import Points
from lib.scan.dialect import plain_text
from lib.scan.layout import layout_of
from lib.scan.options import AngleUnit, LengthUnit, ScanOptions
from lib.scan.plausible import without_implausible
from lib.scan.refusal import ScanRefused, Unreadable
from lib.scan.request import ScanRequest, read_request, request_beside
from lib.scan.rows import Rows, read_rows
from lib.scan.source import PARQUET_MAGIC, file_bytes, unpacked
from lib.scan.strict import SECOND_HEADER, Reject
from lib.scan.units import doubts, in_metres_and_degrees

NO_LAST_LINE_END = (
    "the last line has no line end: its cells were all read, but it may have been cut in its last digits"
)


@dataclass(frozen=True)
class ScanReading:
    """What a scan file says.

    - ``points``: shape (n, 9) in the order of COLUMNS, metres and degrees, file order;
    - ``lines``: shape (n,), the line (Parquet: the row) of each point, counted from 1;
    - ``rejects``: lines set aside (only with quarantine), ``problems`` the first ten of
      ``problem_count``;
    - ``source_columns``: the file's own names for COLUMNS; ``angle_unit``, ``length_unit``: the
      file's units; ``encoding``, ``line_end``, ``delimiter``, ``decimal_mark``: its dialect
      (empty for Parquet);
    - ``expected_rows``: what the request asks for, None when it is not known;
    - ``notes``: what a person should know although the file was read.
    """

    points: Points
    lines: NDArray[np.int64]
    rejects: tuple[Reject, ...]
    problems: tuple[Problem, ...]
    problem_count: int
    source_columns: tuple[str, ...]
    angle_unit: AngleUnit
    length_unit: LengthUnit
    encoding: str
    line_end: str
    delimiter: str
    decimal_mark: str
    expected_rows: int | None
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Content:
    rows: Rows
    source_columns: tuple[str, ...]
    raw_of: Callable[[int], str]
    """The text of a line, of a Parquet file's row."""
    encoding: str = ""
    line_end: str = ""
    delimiter: str = ""
    decimal_mark: str = ""
    notes: tuple[str, ...] = ()


def read_scan(path: Path, options: ScanOptions | None = None) -> ScanReading:
    """Read a scan file: CSV text in any of its dialects, also gzip, or Parquet.

    Raises ScanRefused with every problem's place where the file is not a whole, clean scan, and
    BadInput where the request it should answer cannot be read.
    """
    options = options or ScanOptions()
    try:
        data = file_bytes(path)
    except Unreadable as error:
        raise ScanRefused(str(path), error.problems, len(error.problems), error.advice) from error
    request = request_for(path, options)
    return read_bytes(data, str(path), request.expected_rows if request else None, options)


def read_back(path: Path) -> Points:
    """Read the points (n, 9) [m, deg] of a scan file that we wrote ourselves, whatever its numbers are.

    Raises ScanRefused where it is no whole scan.
    """
    try:
        rows = _content(file_bytes(path), ScanOptions()).rows
        _refuse_problems(rows, str(path), ScanOptions())
    except Unreadable as error:
        raise ScanRefused(str(path), error.problems, len(error.problems), error.advice) from error
    return rows.points


def request_for(path: Path, options: ScanOptions) -> ScanRequest | None:
    """Return the request a scan answers: the one given, or ``X.request.csv`` beside ``X.csv``."""
    beside = options.request or request_beside(path)
    return read_request(beside) if beside else None


def read_bytes(data: bytes, file: str, expected_rows: int | None, options: ScanOptions) -> ScanReading:
    """Read a file's bytes, which messages call ``file``. Raises ScanRefused.

    ``expected_rows`` is what its request asks for, None where that is not known.
    """
    try:
        content = _content(data, options)
        rows = without_implausible(content.rows, options, content.raw_of)
        _refuse_problems(rows, file, options)
        points = in_metres_and_degrees(rows.points, rows.lines, options.angle_unit, options.length_unit)
        count_notes = _compare_counts(rows, expected_rows, options)
    except Unreadable as error:
        raise ScanRefused(file, error.problems, len(error.problems), error.advice) from error
    return ScanReading(
        points=points,
        lines=rows.lines,
        rejects=rows.rejects,
        problems=rows.problems,
        problem_count=rows.problem_count,
        source_columns=content.source_columns,
        angle_unit=options.angle_unit or "deg",
        length_unit=options.length_unit or "m",
        encoding=content.encoding,
        line_end=content.line_end,
        delimiter=content.delimiter,
        decimal_mark=content.decimal_mark,
        expected_rows=expected_rows,
        notes=(*content.notes, *count_notes, *doubts(points, options.angle_unit, options.length_unit)),
    )


def _content(data: bytes, options: ScanOptions) -> _Content:
    data = unpacked(data)
    if data.startswith(PARQUET_MAGIC):
        # Only here: a text scan is read without the database.
        from lib.scan.parquet_scan import read_parquet

        rows, names = read_parquet(data, options)
        return _Content(rows, names, lambda row: ",".join(f"{value:g}" for value in rows.values_at(row)))
    text = plain_text(data)
    layout = layout_of(text, options)
    rows = read_rows(text, layout, keep_rejects=options.quarantine)
    ends_in_row = text.cut and len(rows.lines) > 0 and rows.lines[-1] == text.data.count(b"\n") + 1
    return _Content(
        rows,
        tuple(layout.names[p] for p in layout.positions),
        text.line,
        text.encoding,
        text.line_end,
        layout.delimiter,
        layout.decimal_mark,
        (NO_LAST_LINE_END,) if ends_in_row else (),
    )


def _refuse_problems(rows: Rows, file: str, options: ScanOptions) -> None:
    if not len(rows.points) and not rows.problem_count:
        raise Unreadable(Problem(None, None, "", "no rows below the header"), "scan again")
    if not len(rows.points):
        advice = "not one good row is left to keep: mend the file or scan again"
        raise ScanRefused(file, rows.problems, rows.problem_count, advice)
    if rows.problem_count and not options.quarantine:
        advice = "mend the file, or --quarantine sets bad rows aside"
        raise ScanRefused(file, rows.problems, rows.problem_count, advice)


def _compare_counts(rows: Rows, expected_rows: int | None, options: ScanOptions) -> tuple[str, ...]:
    """Refuse a scan with fewer or more rows than its request asks for; with ``partial`` note it.

    A row set aside was scanned, so it counts; a second header line was not.
    """
    scanned = len(rows.points) + sum(reject.rule != SECOND_HEADER for reject in rows.rejects)
    if expected_rows is None or scanned == expected_rows:
        return ()
    kind = "fewer" if scanned < expected_rows else "more"
    found = f"{scanned:,} of {expected_rows:,}"
    if options.partial:
        return (f"{kind} rows than the request asks for: {found}",)
    raise Unreadable(
        Problem(None, None, found, f"{kind} rows than the request asks for"),
        "scan again, or --partial keeps what is there",
    )
