"""What a person can say about a scan file that the file does not say itself."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lib.errors import BadInput, one_of
from lib.scan.content import COLUMNS

AngleUnit = Literal["deg", "rad"]
LengthUnit = Literal["m", "mm"]


@dataclass(frozen=True)
class ScanOptions:
    """How to read one scan; the defaults believe nothing that the file does not prove.

    - ``angle_unit``, ``length_unit``: the file's units. None: degrees and metres, and a file that
      looks like radians or millimetres is refused. A given unit is believed and converted once.
    - ``columns``: the file's column name -> one of COLUMNS, for names that differ.
    - ``column_order``: the names, in order, of a file without a header; names that are not in
      COLUMNS are columns to ignore. Empty: the file has a header.
    - ``quarantine``: bad rows are set aside and the good ones are read, instead of refusing the file.
    - ``partial``: fewer or more rows than the request asks for are accepted.
    - ``request``: the scan request that the file answers; None: ``X.request.csv`` beside ``X.csv``.
    """

    angle_unit: AngleUnit | None = None
    length_unit: LengthUnit | None = None
    columns: Mapping[str, str] | None = None
    column_order: tuple[str, ...] = ()
    quarantine: bool = False
    partial: bool = False
    request: Path | None = None


def parse_columns(text: str) -> tuple[dict[str, str] | None, tuple[str, ...]]:
    """Read what ``--columns`` says: ``(columns, column_order)`` of `ScanOptions`.

    ``q1=j0,q2=j1,x=ee_x`` renames columns of the header; ``ee_x,ee_y,ee_z,j0,...`` without any
    ``=`` says that the file has no header and what its columns are, in order.
    Raises BadInput naming the item.
    """
    items = [item.strip() for item in text.split(",")]
    if not any("=" in item for item in items):
        return None, _order(items)
    columns: dict[str, str] = {}
    for item in items:
        name, equals, target = (part.strip() for part in item.partition("="))
        if not (name and equals and target):
            raise BadInput(f"--columns: {item!r}; expected NAME=COLUMN, like q1=j0")
        target = target.lower()
        if target not in COLUMNS:
            raise BadInput(f"--columns: {item!r} names no column of a scan; expected {one_of(COLUMNS)}")
        if target in columns.values():
            raise BadInput(f"--columns: {target} is given twice; each column has one source")
        if name.lower() in (known.lower() for known in columns):
            raise BadInput(f"--columns: {name} is mapped twice; a column has one meaning")
        columns[name] = target
    return columns, ()


def _order(names: list[str]) -> tuple[str, ...]:
    lowered = [name.lower() for name in names]
    missing = [column for column in COLUMNS if column not in lowered]
    if missing:
        raise BadInput(
            f"--columns: an order for a file without a header names all of {', '.join(COLUMNS)}; "
            f"missing {', '.join(missing)} (to rename columns of a header: q1=j0,...)"
        )
    return tuple(names)
