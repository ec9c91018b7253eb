"""The kept scans: raw bytes, rows, rejected lines and manifest, all named by the raw bytes' md5.

``scans/<md5>.csv`` (or .csv.gz, .parquet...)  the bytes as they came
``scans/<md5>.points.parquet``                line, ee_x..j5 in metres and degrees, file order
``scans/<md5>.rejects.parquet``               what quarantine set aside, if it did
``scans/<md5>.json``                          the manifest: with it the scan is kept, without it nothing is
``scans/<md5>.2.json`` and so on              of a second reading of the same bytes; the first one stays

Everything is prepared in a staging folder and renamed into place under one lock, the manifest last.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.disk import disk_refused
from lib.errors import Damaged, Problem
from lib.robot import Robot
from lib.scan.content import Points, content_md5
from lib.scan.described import described, known_result, numbered
from lib.scan.held import Holding, holding
from lib.scan.kept import KeptScan, read_manifest, reading_key
from lib.scan.options import ScanOptions
from lib.scan.points_file import count_rejects, damaged_points, read_points, write_points, write_rejects
from lib.scan.reading import ScanReading, read_bytes, request_for
from lib.scan.refusal import ScanRefused, Unreadable, shown
from lib.scan.result import IngestResult, kept_result
from lib.scan.source import file_bytes
from lib.scan.staging import flush_to_disk, one_at_a_time, staging_folder, write_durably

Progress = Callable[[str], None]


class _Offered(NamedTuple):
    """A file as it was offered: how to call it, its bytes and their md5."""

    path: Path
    data: bytes
    md5: str


class ScanStore:
    """The scans of one data folder."""

    def __init__(self, data_dir: Path) -> None:
        self._data_dir = data_dir
        self._folder = data_dir / "scans"

    def ingest(
        self,
        path: Path,
        options: ScanOptions | None = None,
        robot: Robot | None = None,
        progress: Progress = lambda step: None,
    ) -> IngestResult:
        """Read a scan file and keep it; the same bytes again change nothing.

        ``robot`` gives the limits to count rows against; None leaves that out. ``progress`` is told
        each step as it begins. Raises ScanRefused for a file that is not taken, of which nothing is
        kept, and DiskRefused where the store cannot be written.
        """
        options = options or ScanOptions()
        progress("take the bytes")
        offered = _offer(path)
        known = self._latest(offered.md5)
        if known is not None:
            return self._known(offered, known, options)
        progress("read the rows")
        reading = _read(offered, options)
        progress("count and hash the rows")
        scan = described(path.name, offered.data, offered.md5, reading, options, robot)
        progress("keep them")
        return self._keep(offered, reading, scan, options)

    def ingest_again(
        self, path: Path, options: ScanOptions | None = None, robot: Robot | None = None
    ) -> IngestResult:
        """Read a scan file anew that may be kept already: other rows become another reading of the scan.

        It takes the place of the earlier reading, which stays in the store. Raises as ``ingest``
        does, and ScanRefused where a version in use holds the scan's rows.
        """
        options = options or ScanOptions()
        offered = _offer(path)
        known = self._latest(offered.md5)
        if known is None:
            return self.ingest(path, options, robot)
        held = holding(self._data_dir, offered.md5)
        if held.in_use:
            raise _in_use(offered, held)
        reading = _read(offered, options, known.expected_rows)
        scan = described(known.file, offered.data, offered.md5, reading, options, robot)
        if scan.says_the_same(known):
            return self._known(offered, known, options)
        units = f"{known.angle_unit}, {known.length_unit}"
        note = f"read anew: reading {known.reading} was in {units} and stays kept"
        scan = replace(scan, sequence=known.sequence, reading=known.reading + 1, notes=(*scan.notes, note))
        return self._keep(offered, reading, scan, options)

    def set_aside(self, md5: str, because: str) -> KeptScan:
        """Write into a scan's manifest that it is set aside, if it is not yet; return it.

        Raises DiskRefused where that cannot be written.
        """
        with (
            self._told_of_the_disk(f"{md5} cannot be set aside"),
            staging_folder(self._folder) as staging,
            one_at_a_time(self._folder),
        ):
            scan = self._latest(md5)
            assert scan is not None, f"no kept scan {md5}"
            if scan.set_aside_at is None:
                now = datetime.now(UTC).isoformat()
                scan = replace(scan, set_aside_at=now, set_aside_because=because)
                self._write_manifest(staging, scan)
            return scan

    def _known(self, offered: _Offered, scan: KeptScan, options: ScanOptions) -> IngestResult:
        return known_result(str(offered.path), scan, options, holding(self._data_dir, scan.md5))

    def _keep(
        self, offered: _Offered, reading: ScanReading, scan: KeptScan, options: ScanOptions
    ) -> IngestResult:
        with self._told_of_the_disk(f"{shown(offered.path.name)} cannot be kept"):
            return self._kept_by_one(offered, reading, scan, options)

    @contextmanager
    def _told_of_the_disk(self, what: str) -> Iterator[None]:
        try:
            yield
        except (OSError, duckdb.IOException) as error:
            told = disk_refused(error, f"{self._folder}: {what}")
            if told is None:
                raise
            raise told from error

    def kept(self) -> list[KeptScan]:
        """Return every kept scan, as it was read last, in the order of ingest."""
        latest = {scan.md5: scan for scan in self.readings()}
        return list(latest.values())

    def readings(self) -> list[KeptScan]:
        """Return every reading of every kept scan, in the order of ingest, the last one of a scan last."""
        manifests = [read_manifest(path) for path in self._folder.glob("[!.]*.json")]
        return sorted(manifests, key=lambda scan: (scan.sequence, scan.reading))

    def points(self, key: str) -> tuple[Points, NDArray[np.int64]]:
        """Return the points of a reading, of shape (n, 9), and their lines, of shape (n,).

        ``key`` is the reading's, here and below: of a first one the scan's md5. Raises ScanDamaged where
        they are gone, unreadable, or not those that were ingested.
        """
        points, lines = read_points(self.points_path(key))
        found, ingested = content_md5(points), read_manifest(self._manifest_path(key)).content_md5
        if found != ingested:
            raise damaged_points(self.points_path(key), f"content md5 {found}, {ingested} was ingested")
        return points, lines

    def count_rejects(self, key: str) -> int:
        """Count the lines that were set aside by a reading; raises Damaged where they are not all there."""
        scan = read_manifest(self._manifest_path(key))
        found = count_rejects(self.rejects_path(key)) if scan.quarantined else 0
        if found != scan.quarantined:
            raise Damaged(
                f"{self.rejects_path(key)}: {found:,} lines set aside, expected {scan.quarantined:,}; put "
                "back a copy"
            )
        return found

    def points_path(self, key: str) -> Path:
        """Return where the rows of a reading are."""
        return self._folder / f"{key}.points.parquet"

    def rejects_path(self, key: str) -> Path:
        """Return where the lines set aside are; there is no file if there are none."""
        return self._folder / f"{key}.rejects.parquet"

    def raw_path(self, scan: KeptScan) -> Path:
        """Return where a kept scan's bytes are, as they came."""
        return self._folder / scan.raw

    def _manifest_path(self, key: str) -> Path:
        return self._folder / f"{key}.json"

    def _latest(self, md5: str) -> KeptScan | None:
        found, reading = None, 1
        while (manifest := self._manifest_path(reading_key(md5, reading))).exists():
            found, reading = read_manifest(manifest), reading + 1
        return found

    def _kept_by_one(
        self, offered: _Offered, reading: ScanReading, scan: KeptScan, options: ScanOptions
    ) -> IngestResult:
        with staging_folder(self._folder) as staging:
            write_durably(staging / scan.raw, offered.data)
            write_points(staging / self.points_path(scan.key).name, reading.points, reading.lines)
            if reading.rejects:
                write_rejects(staging / self.rejects_path(scan.key).name, reading.rejects)
            for file in staging.iterdir():
                flush_to_disk(file)
            with one_at_a_time(self._folder):
                latest = self._latest(scan.md5)
                if latest is not None and latest.reading >= scan.reading:  # another process was faster
                    return self._known(offered, latest, options)
                return self._publish(staging, scan, str(offered.path))

    def _publish(self, staging: Path, scan: KeptScan, file: str) -> IngestResult:
        scan = numbered(scan, self.kept())
        # Left by a publication that was killed before its manifest, perhaps of another reading.
        for orphan in (self.points_path(scan.key), self.rejects_path(scan.key)):
            orphan.unlink(missing_ok=True)
        for prepared in list(staging.iterdir()):
            prepared.replace(self._folder / prepared.name)
        flush_to_disk(self._folder)
        self._write_manifest(staging, scan)
        return kept_result(file, scan, "ingested", scan.notes)

    def _write_manifest(self, staging: Path, scan: KeptScan) -> None:
        write_durably(staging / "manifest", scan.as_text().encode())
        (staging / "manifest").replace(self._manifest_path(scan.key))
        flush_to_disk(self._folder)


def _offer(path: Path) -> _Offered:
    try:
        data = file_bytes(path)
    except Unreadable as error:
        raise ScanRefused(str(path), error.problems, len(error.problems), error.advice) from error
    return _Offered(path, data, hashlib.md5(data).hexdigest())


def _read(offered: _Offered, options: ScanOptions, known_rows: int | None = None) -> ScanReading:
    """Read what was offered; ``known_rows`` is what an earlier reading's request asked for."""
    expected_rows = known_rows
    try:
        request = request_for(offered.path, options)
        expected_rows = request.expected_rows if request else known_rows
        return read_bytes(offered.data, str(offered.path), expected_rows, options)
    except ScanRefused as error:
        error.file, error.md5 = str(offered.path), offered.md5  # also where its request is at fault
        error.expected_rows = expected_rows
        raise


def _in_use(offered: _Offered, held: Holding) -> ScanRefused:
    rule = f"its rows are in version {held.in_use[0]}, which is in use"
    advice = f"`nightpick table rollback {held.back_to}` first, then read it anew; nothing is deleted"
    refused = ScanRefused(str(offered.path), [Problem(None, None, "", rule)], 1, advice)
    refused.md5 = offered.md5
    return refused
