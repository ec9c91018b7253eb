"""A kept scan's manifest: what was kept, how it was read, in which order it came."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path

from lib.errors import Damaged, Problem
from lib.scan.options import AngleUnit, LengthUnit, ScanOptions

# Of an md5's 32: fewer would hardly do, more are not typed.
SHORT_DIGITS = 8


@dataclass(frozen=True)
class KeptScan:
    """One scan in the store, as its manifest tells it.

    - ``sequence``: 1, 2, 3... in the order of ingest; ``file``: the name it came under, ``raw`` the
      name of its kept bytes; ``ingested_at``: UTC, ISO 8601;
    - ``rows`` kept, ``quarantined`` lines set aside, ``duplicates_in_file`` rows equal in all nine
      columns to an earlier one, ``out_of_limits`` rows with a joint outside ``robot``'s limits
      (None without a robot), ``expected_rows`` what the request asked for (None: not known);
    - ``angle_unit``, ``length_unit``: the file's units, converted once when it was read;
    - ``columns``, ``column_order``, ``quarantine``, ``partial``: the options it was read with;
    - ``reading``: 1, or more where the same bytes were read anew with other options;
    - ``set_aside_at``, ``set_aside_because``: when and why a person kept this reading out of the merges.
    """

    sequence: int
    md5: str
    file: str
    raw: str
    ingested_at: str
    rows: int
    quarantined: int
    duplicates_in_file: int
    content_md5: str
    out_of_limits: int | None
    robot: str | None
    expected_rows: int | None
    angle_unit: AngleUnit
    length_unit: LengthUnit
    columns: Mapping[str, str] | None
    column_order: tuple[str, ...]
    quarantine: bool
    partial: bool
    encoding: str
    line_end: str
    delimiter: str
    decimal_mark: str
    problems: tuple[Problem, ...]
    problem_count: int
    notes: tuple[str, ...]
    reading: int = 1
    set_aside_at: str | None = None
    set_aside_because: str | None = None

    @property
    def key(self) -> str:
        """What this reading's files in the store are called."""
        return reading_key(self.md5, self.reading)

    @property
    def short_md5(self) -> str:
        """As much of the md5 as people name the scan by."""
        return self.md5[:SHORT_DIGITS]

    def as_text(self) -> str:
        """Return the manifest file's content."""
        return json.dumps(asdict(self), indent=1) + "\n"

    def says_the_same(self, other: KeptScan) -> bool:
        """Say whether two readings of the same bytes came to the same rows."""
        mine = (self.content_md5, self.rows, self.quarantined, self.out_of_limits)
        return mine == (other.content_md5, other.rows, other.quarantined, other.out_of_limits)

    def differences(self, options: ScanOptions) -> list[str]:
        """Name the options in which a second reading would differ from the one that was kept."""
        asked: dict[str, tuple[object, object]] = {
            "--angle-unit": (options.angle_unit or "deg", self.angle_unit),
            "--length-unit": (options.length_unit or "m", self.length_unit),
            "--columns": (
                (dict(options.columns or {}), tuple(options.column_order)),
                (dict(self.columns or {}), self.column_order),
            ),
            "--quarantine": (options.quarantine, self.quarantine),
            "--partial": (options.partial, self.partial),
        }
        return [name for name, (now, then) in asked.items() if now != then]


def reading_key(md5: str, reading: int) -> str:
    """Return what the files of one reading of a scan are called."""
    return md5 if reading == 1 else f"{md5}.{reading}"


def read_manifest(path: Path) -> KeptScan:
    """Read one manifest. Raises Damaged where it is not one."""
    try:
        fields = json.loads(path.read_text(encoding="utf-8"))
        fields["problems"] = tuple(Problem(**problem) for problem in fields["problems"])
        for name in ("notes", "column_order"):
            fields[name] = tuple(fields[name])
        return KeptScan(**fields)
    except (ValueError, KeyError, TypeError) as error:
        raise Damaged(
            f"{path}: not readable as a kept scan's manifest: {error}; put back a copy of this file, "
            "or remove it and ingest the scan again"
        ) from error
