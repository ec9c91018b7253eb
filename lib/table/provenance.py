"""Where a row comes from: scan file, line, merge."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lib.errors import BadInput
from lib.runlog import fk_file
from lib.scan import COLUMNS


@dataclass(frozen=True)
class Provenance:
    """The origin of one row."""

    fk_row: int
    point: dict[str, float]
    """The row's nine values [m, deg] by column."""
    version: int
    scan_file: str
    scan_md5: str
    line: int
    merged_at: datetime
    in_current: bool
    """Whether the version in use holds the row."""

    def as_json(self) -> dict[str, object]:
        """Return what `table where --json` prints."""
        return {**vars(self), "merged_at": self.merged_at.astimezone(UTC).isoformat()}


def where(data_dir: Path, fk_row: int) -> Provenance:
    """Find the origin of a row by its number; raises BadInput where there is no such row."""
    names = ", ".join(f"p.{name}" for name in COLUMNS)
    with fk_file.open_read(data_dir) as connection:
        found = connection.execute(
            f"SELECT {names}, p.version, v.scan_file, v.scan_md5, p.line, v.created_at "
            "FROM fk_point AS p JOIN fk_version AS v USING (version) WHERE p.fk_row = ?",
            [fk_row],
        ).fetchone()
        if found is None:
            last = connection.execute("SELECT max(fk_row) FROM fk_point").fetchone()
            raise BadInput(f"no row {fk_row}; the table's rows are 0 to {last[0] if last else -1}")
        current = fk_file.current_version(connection)
        lineage = fk_file.ancestors(connection, current) if current is not None else []
    *values, version, scan_file, scan_md5, line, merged_at = found
    return Provenance(
        fk_row,
        dict(zip(COLUMNS, values, strict=True)),
        version,
        scan_file,
        scan_md5,
        line,
        merged_at,
        version in lineage,
    )
