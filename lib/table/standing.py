"""Where each kept scan stands: to be merged, in the table, or kept out of it and why.

- ``merged``: a version in use holds its rows, by this or an earlier reading;
- ``rolled back``: a version holds them, which is not in use;
- ``set aside``: a person said that it is not to be merged;
- ``pending``: it will be merged; where an audit stopped it last, people see it as ``blocked``.

A scan that was rolled back or set aside is merged only by its name.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import duckdb

from lib.errors import BadInput
from lib.runlog import connect, fk_file, run_log, sql_text
from lib.scan import KeptScan, ScanStore, holding, shown
from lib.settings import Settings
from lib.table.acceptance import merge_command
from lib.table.staged import merge_lock
from lib.table.version import Version, read_versions

Standing = Literal["pending", "merged", "rolled back", "set aside"]


def standing(scan: KeptScan, versions: Sequence[Version], in_use: Sequence[int]) -> Standing:
    """Return where a scan stands; ``in_use`` is the current version with its ancestors."""
    holding = [version for version in versions if version.scan_md5 == scan.md5]
    if any(version.version in in_use for version in holding):
        return "merged"
    if any(version.scan_reading == scan.reading for version in holding):
        return "rolled back"
    return "pending" if scan.set_aside_at is None else "set aside"


def standing_in(connection: duckdb.DuckDBPyConnection, scan: KeptScan) -> Standing:
    """Return where a scan stands by a table that is open."""
    return standing(scan, read_versions(connection), _in_use(connection))


def pending_scans(settings: Settings) -> list[KeptScan]:
    """Return the kept scans that wait to be merged, in the order they came in."""
    kept = ScanStore(settings.data_dir).kept()
    versions: Sequence[Version] = []
    in_use: Sequence[int] = []
    if fk_file.path(settings.data_dir).exists():
        with fk_file.open_read(settings.data_dir) as connection:
            versions, in_use = read_versions(connection), _in_use(connection)
    return [scan for scan in kept if standing(scan, versions, in_use) == "pending"]


def kept_scans(settings: Settings) -> list[dict[str, object]]:
    """Return every kept scan as `scan list` shows it, oldest first: columns of the relation ``scan``."""
    with connect(settings.data_dir) as connection:
        answer = connection.execute(sql_text("scans/list"))
        names = [column[0] for column in answer.description or []]
        return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]


def set_aside(settings: Settings, scan: KeptScan, reason: str) -> KeptScan:
    """Keep a scan out of every merge that does not name it, and the reason with it; return it so.

    Raises BadInput where it does not wait to be merged, Busy while a merge runs.
    """
    if not reason.strip():
        raise BadInput("--reason is empty: say why the scan is not to be merged, for whoever asks later")
    with merge_lock(settings.data_dir, settings.merge.lock_wait_s):
        _refuse_what_is_not_pending(settings, scan)
        scan = ScanStore(settings.data_dir).set_aside(scan.md5, reason.strip())
    run_log(settings.data_dir).append(
        "scan_event",
        file=scan.file,
        md5=scan.md5,
        reading=scan.reading,
        status="set aside",
        rows=scan.rows,
        reason=scan.set_aside_because,
        problems=[],
    )
    return scan


def _refuse_what_is_not_pending(settings: Settings, scan: KeptScan) -> None:
    held = holding(settings.data_dir, scan.md5)
    if held.in_use:
        raise BadInput(
            f"{shown(scan.file)} is in version {held.in_use[0]}, which is in use; `nightpick table rollback "
            f"{held.back_to}` goes back to before it, and then it is merged only by its name"
        )
    if scan.reading in held.readings:
        raise BadInput(
            f"{shown(scan.file)} was rolled back with version {max(held.versions)}: it is merged only by its "
            f"name, `{merge_command(scan.md5)}`"
        )


def _in_use(connection: duckdb.DuckDBPyConnection) -> list[int]:
    current = fk_file.current_version(connection)
    return fk_file.ancestors(connection, current) if current is not None else []
