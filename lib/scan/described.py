"""What is told of a scan: its manifest when it is kept, the answer where it was kept before."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime

from lib.robot import Robot, outside_limits
from lib.scan.content import content_md5
from lib.scan.held import Holding
from lib.scan.kept import KeptScan
from lib.scan.options import ScanOptions
from lib.scan.reading import ScanReading
from lib.scan.refusal import shown
from lib.scan.repeats import count_repeats
from lib.scan.result import IngestResult, kept_result
from lib.scan.source import suffix_of

_JOINTS = slice(3, 9)


def described(
    name: str, data: bytes, md5: str, reading: ScanReading, options: ScanOptions, robot: Robot | None
) -> KeptScan:
    """Write the manifest of a file's first reading, all but its sequence number."""
    return KeptScan(
        sequence=0,
        md5=md5,
        file=shown(name, limit=255),
        raw=md5 + suffix_of(data),
        ingested_at=datetime.now(UTC).isoformat(),
        rows=len(reading.points),
        quarantined=len(reading.rejects),
        duplicates_in_file=count_repeats(reading.points),
        content_md5=content_md5(reading.points),
        out_of_limits=int(outside_limits(robot, reading.points[:, _JOINTS]).sum()) if robot else None,
        robot=robot.name if robot else None,
        expected_rows=reading.expected_rows,
        angle_unit=reading.angle_unit,
        length_unit=reading.length_unit,
        columns=dict(options.columns) if options.columns else None,
        column_order=tuple(options.column_order),
        quarantine=options.quarantine,
        partial=options.partial,
        encoding=reading.encoding,
        line_end=reading.line_end,
        delimiter=reading.delimiter,
        decimal_mark=reading.decimal_mark,
        problems=reading.problems,
        problem_count=reading.problem_count,
        notes=reading.notes,
    )


def numbered(scan: KeptScan, earlier: Sequence[KeptScan]) -> KeptScan:
    """Give a new scan the next number, and any the note that its rows came before, if they did."""
    others = [other for other in earlier if other.md5 != scan.md5]
    same = next((other for other in others if other.content_md5 == scan.content_md5), None)
    note = (f"the same rows as scan {same.sequence}, {same.file}, in other bytes",) if same else ()
    number = scan.sequence or max((other.sequence for other in earlier), default=0) + 1
    return replace(scan, sequence=number, notes=(*scan.notes, *note))


def known_result(file: str, scan: KeptScan, options: ScanOptions, holding: Holding) -> IngestResult:
    """Tell that a file's bytes are kept, how they were read, where they stand and what can be done."""
    notes = [f"the same bytes are scan {scan.sequence}, {scan.file}, since {scan.ingested_at[:19]} UTC"]
    if differing := scan.differences(options):
        notes.append(
            f"it was read with another {', '.join(differing)} then; what is given now changes nothing, "
            "--again reads it anew"
        )
    merge = f"`nightpick table merge --scan {scan.short_md5}`"
    if holding.in_use:
        notes.append(f"its rows are in version {holding.in_use[0]}")
    elif scan.reading in holding.readings:
        notes.append(f"its rows are in version {max(holding.versions)}, not in use; {merge} brings them back")
    elif scan.set_aside_at is not None:
        notes.append(f"it is set aside, because: {scan.set_aside_because}; {merge} merges it all the same")
    return kept_result(file, scan, "already known", (*scan.notes, *notes))
