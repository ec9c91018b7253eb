"""The log of a batch that ran before nightpick did: a CSV with one row a run, keyed by run_stem."""

from __future__ import annotations

import csv
import math
import re
from collections.abc import Callable, Iterable
from datetime import UTC, datetime
from pathlib import Path

from lib.errors import BadInput

_STEM = re.compile(r"run_(\d{1,9})_(\d{8}_\d{6})")
_POSE = re.compile(r"fk_row_(\d{1,18})")
_CELL = re.compile(r"place_x-?\d+_z-?\d+")

Value = str | int | float | None


def run_number(stem: str) -> int:
    """Return the number of a run_stem such as ``run_0001_20260712_190121``."""
    return int(_matched(_STEM, stem)[1])


def started_utc(stem: str) -> datetime:
    """Return when a run started, its stem taken as this machine's local time."""
    local = datetime.strptime(_matched(_STEM, stem)[2], "%Y%m%d_%H%M%S")
    return local.astimezone().astimezone(UTC)


def _stem(text: str) -> str:
    started_utc(text)
    return text


def _answer(text: str) -> str:
    if text not in ("yes", "no", "unknown"):
        raise ValueError("expected yes, no or unknown")
    return text


def _number(text: str) -> float:
    if not re.fullmatch(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", text, re.ASCII):
        raise ValueError("expected a number")
    number = float(text)
    if not math.isfinite(number):
        raise ValueError("expected a finite number")
    return number


def _share(text: str) -> float:
    number = _number(text)
    if not 0 <= number <= 1:
        raise ValueError("expected 0 to 1")
    return number


def _distance(text: str) -> float:
    number = _number(text)
    if number < 0:
        raise ValueError("expected millimetres, zero or more")
    return number


def _pose(text: str) -> str:
    _matched(_POSE, text)
    return text


def _cell(text: str) -> str:
    _matched(_CELL, text)
    return text


def _matched(pattern: re.Pattern[str], text: str) -> re.Match[str]:
    match = pattern.fullmatch(text)
    if match is None:
        raise ValueError(f"expected the form {pattern.pattern}")
    return match


# A column of the legacy log -> the column of `place` and how its text is read.
COLUMNS: dict[str, tuple[str, Callable[[str], Value]]] = {
    "run_stem": ("run_stem", _stem),
    "place": ("place", _answer),
    "conf": ("confidence", _share),
    "in_box_dist": ("in_box_dist_mm", _distance),
    "pose_id": ("pose_id", _pose),
    **{f"place_used_j{k}": (f"j{k}_deg", _number) for k in range(6)},
    "hgt_cell": ("memory_cell", _cell),
    "dee_y": ("height_correction_mm", _number),
    "j4_sel": ("j4_selected_deg", _number),
}
NEEDED = ("run_stem", "place")


def read_legacy_log(path: Path) -> Iterable[dict[str, Value]]:
    """Yield the rows of a legacy log as columns of `place`; what was not logged is left out.

    Raises BadInput with line, column and what was found.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except OSError as error:
        raise BadInput(f"{path}: cannot be read: {error.strerror}; expected a CSV of legacy runs") from None
    except UnicodeDecodeError:
        raise BadInput(f"{path}: is not UTF-8 text; expected a CSV of legacy runs") from None
    lines = csv.reader(text.splitlines(), strict=True)
    try:
        yield from _rows(path, lines)
    except csv.Error as error:
        raise BadInput(f"{path}:{lines.line_num}: {error}; expected a CSV of legacy runs") from None


def _rows(path: Path, lines: Iterable[list[str]]) -> Iterable[dict[str, Value]]:
    header: list[str] = []
    seen: set[Value] = set()
    for number, cells in enumerate(lines, start=1):
        if not header:
            header = _header(path, [cell.strip() for cell in cells])
            continue
        if not any(cell.strip() for cell in cells):
            continue
        if len(cells) != len(header):
            raise BadInput(f"{path}:{number}: {len(cells)} values, expected {len(header)} as in the header")
        row = _row(path, number, dict(zip(header, cells, strict=True)))
        if row["run_stem"] in seen:
            raise BadInput(f"{path}:{number}: {row['run_stem']} stands there twice; expected one row a run")
        seen.add(row["run_stem"])
        yield row
    if not header:
        raise BadInput(f"{path}: is empty; expected a header with {', '.join(COLUMNS)}")


def _header(path: Path, names: list[str]) -> list[str]:
    missing = [name for name in NEEDED if name not in names]
    if missing:
        raise BadInput(f"{path}:1: no column {', '.join(missing)}; expected {', '.join(COLUMNS)}")
    doubled = sorted({name for name in names if names.count(name) > 1})
    if doubled:
        raise BadInput(f"{path}:1: column {', '.join(doubled)} stands there twice")
    return names


def _row(path: Path, number: int, cells: dict[str, str]) -> dict[str, Value]:
    row: dict[str, Value] = {}
    for name, (column, read) in COLUMNS.items():
        text = cells.get(name, "").strip()
        if not text and name not in NEEDED:
            continue  # not logged: unknown stays unknown
        try:
            row[column] = read(text)
        except ValueError as error:
            raise BadInput(f"{path}:{number}: {name} = {text!r}: {error}") from None
    if "pose_id" in row:
        row["fk_row"] = int(_matched(_POSE, str(row["pose_id"]))[1])
    return row
