"""Prove the table from scratch: every version's hash again, and where damage sits, down to the value."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb
import numpy as np
from numpy.typing import NDArray

from lib.errors import Damaged
from lib.runlog import fk_file
from lib.scan import BLOCK_ROWS, COLUMNS, ContentDigest, ScanStore, damaged_raw_files, damaged_rows
from lib.table.version import Version, read_versions

Array = NDArray[np.float64]
Rows = NDArray[np.int64]


@dataclass(frozen=True)
class VersionCheck:
    """One version's hash, stored and recomputed."""

    version: int
    rows: int
    stored_md5: str
    recomputed_md5: str

    @property
    def ok(self) -> bool:
        """Whether the version still is what it was when it was published."""
        return self.stored_md5 == self.recomputed_md5


@dataclass(frozen=True)
class Verification:
    """What a verification of the whole table found."""

    checks: tuple[VersionCheck, ...]
    damage: tuple[str, ...]
    """Where the damage is, a line each: the row, the column, what it is and what its scan says."""
    scans: tuple[str, ...]
    """Which files of the kept scans are gone or not what was ingested, a line each."""

    @property
    def ok(self) -> bool:
        """Whether every version holds and every kept scan is whole."""
        return self.table_ok and not self.scans

    @property
    def table_ok(self) -> bool:
        """Whether every version holds."""
        return all(check.ok for check in self.checks) and not self.damage

    def as_json(self) -> dict[str, object]:
        """Return what `table verify --json` prints."""
        return {
            "ok": self.ok,
            "versions": [
                {
                    "version": c.version,
                    "rows": c.rows,
                    "ok": c.ok,
                    "content_md5": c.recomputed_md5,
                    "stored_md5": c.stored_md5,
                }
                for c in self.checks
            ],
            "damage": list(self.damage),
            "scans": list(self.scans),
        }


def verify(data_dir: Path, progress: Callable[[str], None] = lambda _: None) -> Verification:
    """Recompute the content md5 of every version of the published table, and those of the kept scans.

    Raises BadInput where there is no table, Damaged where its file is not readable as one.
    """
    with fk_file.open_read(data_dir) as connection:
        versions = {v.version: v for v in read_versions(connection)}
        checks: dict[int, VersionCheck] = {}
        damage: list[str] = _numbering(connection)
        parents = {v.parent for v in versions.values()}
        for leaf in sorted(number for number in versions if number not in parents):
            progress(f"version {leaf}")
            fk_rows, points = fk_file.read_points(connection, leaf)
            chain = [versions[v] for v in reversed(fk_file.ancestors(connection, leaf))]
            digest = _check_chain(chain, points, checks)
            if not all(checks[v.version].ok for v in chain):
                damage += _locate(data_dir, connection, chain[-1], digest, fk_rows, points)
    store = ScanStore(data_dir)
    scans = [
        *damaged_raw_files(store, lambda file: progress(f"raw file of {file}")),
        *damaged_rows(store, lambda file: progress(f"rows of {file}")),
    ]
    return Verification(tuple(checks[v] for v in sorted(checks)), tuple(dict.fromkeys(damage)), tuple(scans))


def _check_chain(chain: list[Version], points: Array, checks: dict[int, VersionCheck]) -> ContentDigest:
    digest = ContentDigest()
    done = 0
    for version in chain:
        # The newest one owns everything behind its parent, also rows that nobody merged.
        stop = len(points) if version is chain[-1] else version.rows
        digest.update(points[done:stop])
        done = stop
        checks[version.version] = VersionCheck(
            version.version, version.rows, version.content_md5, digest.hexdigest()
        )
    return digest


def _numbering(connection: duckdb.DuckDBPyConnection) -> list[str]:
    row = connection.execute("SELECT count(*), count(DISTINCT fk_row), max(fk_row) FROM fk_point").fetchone()
    assert row is not None
    rows, different, last = row
    if rows and (rows != different or last != rows - 1):
        numbers = f"{rows:,} rows with {different:,} different numbers up to {last:,}"
        return [f"fk_point has {numbers}: rows are gone or doubled"]
    return []


def _locate(
    data_dir: Path,
    connection: duckdb.DuckDBPyConnection,
    version: Version,
    digest: ContentDigest,
    fk_rows: Rows,
    points: Array,
) -> list[str]:
    """Find the damaged blocks by their digests, the damaged values by the kept scans."""
    stored = [version.block_digests[k : k + 16] for k in range(0, len(version.block_digests), 16)]
    damaged = [k for k, block in enumerate(digest.full_blocks) if stored[k : k + 1] != [block]]
    found = []
    for block in damaged or [len(stored)]:  # all full blocks hold: it is in the rows behind them
        rows = slice(block * BLOCK_ROWS, min((block + 1) * BLOCK_ROWS, len(points)))
        values = _against_scans(data_dir, connection, fk_rows[rows], points[rows])
        found += values or [
            f"rows {rows.start:,} to {rows.stop - 1:,} are not what version {version.version} was made of"
        ]
    return found


def _against_scans(
    data_dir: Path, connection: duckdb.DuckDBPyConnection, fk_rows: Rows, points: Array
) -> list[str]:
    store = ScanStore(data_dir)
    known = {scan.key: scan for scan in store.readings()}
    keys = {version.version: version.scan_key for version in read_versions(connection)}
    if not len(fk_rows):
        return []
    origin = connection.execute(
        "SELECT fk_row, line, version FROM fk_point WHERE fk_row BETWEEN ? AND ? ORDER BY fk_row",
        [int(fk_rows[0]), int(fk_rows[-1])],
    ).fetchall()
    place = {row: (line, keys.get(version)) for row, line, version in origin}
    found = []
    for key in {key for _, key in place.values()}:
        if key is None or key not in known:
            continue
        try:
            scan_points, scan_lines = store.points(key)
        except Damaged:  # told with the other scans
            continue
        at = {int(line): k for k, line in enumerate(scan_lines)}
        mine = [(i, at[place[int(r)][0]]) for i, r in enumerate(fk_rows) if place[int(r)][1] == key]
        here, there = (np.array(k) for k in zip(*mine, strict=True))
        for i, column in np.argwhere(points[here] != scan_points[there])[:10]:
            found.append(
                f"fk_row {int(fk_rows[here[i]])}: {COLUMNS[column]} is {points[here[i], column]!r}, "
                f"line {int(scan_lines[there[i]])} of its scan {known[key].file} "
                f"says {scan_points[there[i], column]!r}"
            )
    return found
