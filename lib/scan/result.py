"""What came of one file offered to `scan ingest`."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from typing import Literal

from lib.errors import Problem
from lib.scan.kept import KeptScan
from lib.scan.refusal import ScanRefused

Status = Literal["ingested", "already known", "refused"]


@dataclass(frozen=True)
class IngestResult:
    """One entry of what `scan ingest --json` prints; counts are those of `KeptScan`, 0 when refused.

    ``problems`` are the first ten of ``problem_count``: what was set aside, or why it was refused.
    """

    file: str
    md5: str | None
    rows: int
    quarantined: int
    duplicates_in_file: int
    content_md5: str | None
    out_of_limits: int | None
    expected_rows: int | None
    status: Status
    problems: tuple[Problem, ...]
    problem_count: int
    sequence: int | None
    notes: tuple[str, ...]
    reading: int | None

    def as_json(self) -> dict[str, object]:
        """Return the entry as plain JSON values."""
        return asdict(self)


def kept_result(file: str, scan: KeptScan, status: Status, notes: tuple[str, ...]) -> IngestResult:
    """Tell what was kept of ``file``, now or earlier."""
    return IngestResult(
        file=file,
        md5=scan.md5,
        rows=scan.rows,
        quarantined=scan.quarantined,
        duplicates_in_file=scan.duplicates_in_file,
        content_md5=scan.content_md5,
        out_of_limits=scan.out_of_limits,
        expected_rows=scan.expected_rows,
        status=status,
        problems=scan.problems,
        problem_count=scan.problem_count,
        sequence=scan.sequence,
        notes=notes,
        reading=scan.reading,
    )


def refused_result(error: ScanRefused) -> IngestResult:
    """Tell why a file was refused, as an entry beside those that were kept."""
    return IngestResult(
        file=error.file,
        md5=error.md5,
        rows=0,
        quarantined=0,
        duplicates_in_file=0,
        content_md5=None,
        out_of_limits=None,
        expected_rows=error.expected_rows,
        status="refused",
        problems=error.problems,
        problem_count=error.problem_count,
        sequence=None,
        notes=(),
        reading=None,
    )
