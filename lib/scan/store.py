"""The kept scans: raw bytes, rows, rejected lines and manifest, all named by the raw bytes' md5.

``scans/<md5>.csv`` (or .csv.gz, .parquet...)  the bytes as they came
``scans/<md5>.points.parquet``                line, ee_x..j5 in metres and degrees, file order
``scans/<md5>.rejects.parquet``               what quarantine set aside, if it did
``scans/<md5>.json``                          the manifest: with it the scan is kept, without it nothing is

Everything is prepared in a staging folder and renamed into place under one lock, the manifest last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.errors import NightpickError
from lib.robot import Robot, outside_limits
from lib.scan.content import Points, content_md5
from lib.scan.kept import KeptScan, read_manifest
from lib.scan.options import ScanOptions
from lib.scan.points_file import read_points, write_points, write_rejects
from lib.scan.reading import ScanReading, read_bytes, request_for
from lib.scan.refusal import ScanRefused, Unreadable, shown
from lib.scan.repeats import count_repeats
from lib.scan.result import IngestResult, kept_result
from lib.scan.source import file_bytes, suffix_of
from lib.scan.staging import flush_to_disk, one_at_a_time, staging_folder, write_durably

_JOINTS = slice(3, 9)


class _Offered(NamedTuple):
    """A file as it was offered: how to call it, its bytes and their md5."""

    path: Path
    data: bytes
    md5: str


class ScanStore:
    """The scans of one data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._folder = data_dir / "scans"

    def ingest(
        self, path: Path, options: ScanOptions | None = None, robot: Robot | None = None
    ) -> IngestResult:
        """Read a scan file and keep it; the same bytes again change nothing.

        ``robot`` gives the limits to count rows against; None leaves that out. Raises ScanRefused
        for a file that is not taken, of which nothing is kept, and NightpickError where the store
        cannot be written.
        """
        options = options or ScanOptions()
        offered = _offer(path)
        manifest = self._manifest_path(offered.md5)
        if manifest.exists():
            return _known(str(path), read_manifest(manifest), options)
        reading = _read(offered, options)
        scan = _described(offered, reading, options, robot)
        try:
            return self._keep(offered, reading, scan, options)
        except (OSError, duckdb.IOException) as error:
            said = getattr(error, "strerror", None) or str(error).partition("\n")[0]
            raise NightpickError(
                f"{self._folder}: {shown(path.name)} cannot be kept: {said}; make room or give the rights, "
                "then ingest it again"
            ) from error

    def kept(self) -> list[KeptScan]:
        """Return every kept scan in the order of ingest."""
        manifests = [read_manifest(path) for path in self._folder.glob("[!.]*.json")]
        return sorted(manifests, key=lambda scan: scan.sequence)

    def points(self, md5: str) -> tuple[Points, NDArray[np.int64]]:
        """Return a kept scan's points, of shape (n, 9), and their lines, of shape (n,)."""
        return read_points(self.points_path(md5))

    def points_path(self, md5: str) -> Path:
        """Return where a kept scan's rows are."""
        return self._folder / f"{md5}.points.parquet"

    def rejects_path(self, md5: str) -> Path:
        """Return where the lines set aside are; there is no file if there are none."""
        return self._folder / f"{md5}.rejects.parquet"

    def raw_path(self, scan: KeptScan) -> Path:
        """Return where a kept scan's bytes are, as they came."""
        return self._folder / scan.raw

    def _manifest_path(self, md5: str) -> Path:
        return self._folder / f"{md5}.json"

    def _keep(
        self, offered: _Offered, reading: ScanReading, scan: KeptScan, options: ScanOptions
    ) -> IngestResult:
        with staging_folder(self._folder) as staging:
            write_durably(staging / scan.raw, offered.data)
            write_points(staging / self.points_path(scan.md5).name, reading.points, reading.lines)
            if reading.rejects:
                write_rejects(staging / self.rejects_path(scan.md5).name, reading.rejects)
            for file in staging.iterdir():
                flush_to_disk(file)
            with one_at_a_time(self._folder):
                manifest = self._manifest_path(scan.md5)
                if manifest.exists():  # another process was faster with the same bytes
                    return _known(str(offered.path), read_manifest(manifest), options)
                return self._publish(staging, scan, str(offered.path))

    def _publish(self, staging: Path, scan: KeptScan, file: str) -> IngestResult:
        scan = _numbered(scan, self.kept())
        # Left by a publication that was killed before its manifest, perhaps of another reading.
        for orphan in self._folder.glob(f"{scan.md5}.*"):
            orphan.unlink()
        for prepared in list(staging.iterdir()):
            prepared.replace(self._folder / prepared.name)
        flush_to_disk(self._folder)
        write_durably(staging / "manifest", scan.as_text().encode())
        (staging / "manifest").replace(self._manifest_path(scan.md5))
        flush_to_disk(self._folder)
        return kept_result(file, scan, "ingested", scan.notes)


def _offer(path: Path) -> _Offered:
    try:
        data = file_bytes(path)
    except Unreadable as error:
        raise ScanRefused(str(path), error.problems, len(error.problems), error.advice) from error
    return _Offered(path, data, hashlib.md5(data).hexdigest())


def _read(offered: _Offered, options: ScanOptions) -> ScanReading:
    request = None
    try:
        request = request_for(offered.path, options)
        return read_bytes(offered.data, str(offered.path), request, options)
    except ScanRefused as error:
        error.file, error.md5 = str(offered.path), offered.md5  # also where its request is at fault
        error.expected_rows = request.expected_rows if request else None
        raise


def _described(
    offered: _Offered, reading: ScanReading, options: ScanOptions, robot: Robot | None
) -> KeptScan:
    """Write the manifest of a reading, all but its sequence number."""
    return KeptScan(
        sequence=0,
        md5=offered.md5,
        file=shown(offered.path.name, limit=255),
        raw=offered.md5 + suffix_of(offered.data),
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


def _numbered(scan: KeptScan, earlier: Sequence[KeptScan]) -> KeptScan:
    """Give a scan the next number, and the note that its rows came before, if they did."""
    same = next((other for other in earlier if other.content_md5 == scan.content_md5), None)
    note = (f"the same rows as scan {same.sequence}, {same.file}, in other bytes",) if same else ()
    number = max((other.sequence for other in earlier), default=0) + 1
    return replace(scan, sequence=number, notes=(*scan.notes, *note))


def _known(file: str, scan: KeptScan, options: ScanOptions) -> IngestResult:
    notes = [f"the same bytes are scan {scan.sequence}, {scan.file}, since {scan.ingested_at[:19]} UTC"]
    if differing := scan.differences(options):
        notes.append(
            f"it was read with another {', '.join(differing)} then; what is given now changes nothing"
        )
    return kept_result(file, scan, "already known", (*scan.notes, *notes))
