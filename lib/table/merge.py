"""Merge one kept scan: stage, audit, publish in one step, or leave the table exactly as it was."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime

import numpy as np
from numpy.typing import NDArray

from lib.errors import NightpickError
from lib.lookup import Table
from lib.lookup.index import Segment, open_parts, renew
from lib.robot import Robot, load_robot
from lib.runlog import fk_file
from lib.scan import BLOCK_ROWS, ContentDigest, KeptScan, ScanStore
from lib.settings import Settings
from lib.table.audits.audit import Audit
from lib.table.audits.conflicts import conflicts
from lib.table.audits.integrity import count, prefix
from lib.table.audits.pick_regression import pick_regression
from lib.table.audits.selection_regression import selection_regression
from lib.table.audits.self_consistency import self_consistency
from lib.table.blocked import grounds_of
from lib.table.chain_fit import ChainFit, fit_tips, implied_tips
from lib.table.effect import compare, effect_audit
from lib.table.record import insert_findings, record_merge
from lib.table.result import MergeOptions, MergeResult
from lib.table.staged import Staged, merge_lock, staged_table
from lib.table.staging import Appended, append_scan
from lib.table.standing import standing_in
from lib.table.version import (
    Version,
    fit_columns,
    insert_version,
    read_versions,
    replace_version,
    set_current,
)

Progress = Callable[[str], None]

# Rows hashed at once: each lot is copied row by row first.
_HASHED_ROWS = 4 * BLOCK_ROWS


def _silent(_: str) -> None:
    pass


def merge_scan(
    settings: Settings,
    scan: KeptScan,
    options: MergeOptions | None = None,
    progress: Progress = _silent,
) -> MergeResult | None:
    """Merge one kept scan on top of the current version.

    None where it is not to be merged, or not any more: another merge took it, it was set aside or read
    anew meanwhile. One that was named may have been set aside or rolled back.

    Raises Busy where somebody else holds the table, DiskRefused where the disk does not take it. A
    failed audit raises nothing: the result says so and the table is as it was.
    """
    options = options or MergeOptions()
    robot = load_robot(settings.robot)
    with merge_lock(settings.data_dir, settings.merge.lock_wait_s):
        with staged_table(settings.data_dir) as staged:
            if not _is_wanted(settings, staged, scan, options):
                return None
            started = datetime.now(UTC)
            result, added = _merge_staged(settings, staged, scan, options, robot, progress)
            if result.promoted:
                progress("publish")
                staged.publish()
        try:
            record_merge(settings.data_dir, result, started)
        except NightpickError as error:
            if not result.promoted:
                raise
            raise NightpickError(
                f"version {result.version} is published, only its record is missing: {error}"
            ) from error
        if result.promoted:
            renew(settings.data_dir, {result.version: added})
    return result


def _is_wanted(settings: Settings, staged: Staged, scan: KeptScan, options: MergeOptions) -> bool:
    """Tell whether a scan is to be merged by what is kept now, whatever was known when it was chosen."""
    now = next((other for other in ScanStore(settings.data_dir).kept() if other.md5 == scan.md5), None)
    if now is None or now.reading != scan.reading:
        return False
    stands = standing_in(staged.connection, now)
    return stands == "pending" or (options.named and stands != "merged")


def _merge_staged(
    settings: Settings,
    staged: Staged,
    scan: KeptScan,
    options: MergeOptions,
    robot: Robot | None,
    progress: Progress,
) -> tuple[MergeResult, Segment]:
    connection = staged.connection
    versions = read_versions(connection)
    current = fk_file.current_version(connection)
    parent = next((v for v in versions if v.version == current), None)
    number = max((v.version for v in versions), default=0) + 1

    progress("append the new rows")
    points_file = ScanStore(settings.data_dir).points_path(scan.key)
    appended = append_scan(connection, points_file, current, number)
    draft = _draft(number, parent, appended, scan, robot)
    insert_version(connection, draft)

    progress("read the staged table back")
    staged.reopen()
    fk_rows, points = fk_file.read_points(connection, number)
    parent_rows = parent.rows if parent else 0
    with ThreadPoolExecutor(1) as aside:  # hashing leaves the interpreter to the audits
        hashing = aside.submit(_digest_of, points[:parent_rows])
        in_staged = [
            count(parent_rows, appended.scanned, appended.duplicates, len(points)),
            conflicts(connection, settings.merge.conflict_limit_m),
            pick_regression(points[:parent_rows], points, settings),
        ]
        progress("compare lookups before and after")
        added = Segment.of(points[parent_rows:].T.copy(), fk_rows[parent_rows:].copy())
        parts = open_parts(settings.data_dir, parent.version)[1] if parent else []
        effect = compare(settings, *Table.staged(parts, added))
        digest = hashing.result()
    audits = [
        prefix(parent.content_md5 if parent else None, digest.hexdigest(), parent_rows),
        *in_staged,
        selection_regression(effect, settings, options.accept_worse),
    ]
    progress("fit the chain")
    consistency, fit = _consistency(settings, robot, parent, scan, points[:parent_rows])
    audits += [consistency, effect_audit(effect, options.must_improve)]
    audits = [options.judge(audit) for audit in audits]

    digest.update(points[parent_rows:])
    version = replace(
        draft,
        rows=len(points),
        content_md5=digest.hexdigest(),
        block_digests=b"".join(digest.full_blocks),
        **fit_columns(fit),
    )
    promoted = not options.dry_run and not any(audit.blocks for audit in audits)
    if promoted:
        replace_version(connection, version)
        set_current(connection, number)
        insert_findings(connection, number, audits, effect)
    result = MergeResult(
        version=number,
        parent=draft.parent,
        rows=version.rows,
        scanned=appended.scanned,
        added=appended.added,
        duplicates=appended.duplicates,
        content_md5=version.content_md5,
        audits=tuple(audits),
        effect=effect,
        promoted=promoted,
        dry_run=options.dry_run,
        scan_md5=scan.md5,
        scan_file=scan.file,
        scan_reading=scan.reading,
        grounds=grounds_of(settings, scan, options, robot.file_md5 if robot else None, parent),
    )
    return result, added


def _digest_of(points: NDArray[np.float64]) -> ContentDigest:
    digest = ContentDigest()
    for start in range(0, len(points), _HASHED_ROWS):
        digest.update(points[start : start + _HASHED_ROWS])
    return digest


def _draft(
    number: int, parent: Version | None, appended: Appended, scan: KeptScan, robot: Robot | None
) -> Version:
    """Return the version's row before its content was read back; hash and fit are filled in later."""
    return Version(
        version=number,
        parent=parent.version if parent else None,
        rows=0,
        first_row=appended.first_row,
        scanned=appended.scanned,
        added=appended.added,
        duplicates=appended.duplicates,
        scan_md5=scan.md5,
        scan_file=scan.file,
        scan_reading=scan.reading,
        angle_unit=scan.angle_unit,
        length_unit=scan.length_unit,
        content_md5="",
        block_digests=b"",
        created_at=datetime.now(UTC),
        robot=robot.name if robot else None,
        robot_md5=robot.file_md5 if robot else None,
        **fit_columns(None),
    )


def _consistency(
    settings: Settings,
    robot: Robot | None,
    parent: Version | None,
    scan: KeptScan,
    parent_points: NDArray[np.float64],
) -> tuple[Audit, ChainFit | None]:
    """Judge the scan's rows, all of them and not only the new ones, by the parent's fit."""
    limit_m = settings.merge.suspect_distance_m
    fit = None
    if robot is not None and parent is not None:
        fit = parent.fit
        if fit is None or parent.robot_md5 != robot.file_md5:  # made without this robot: fit it now
            fit = fit_tips(robot, implied_tips(robot, parent_points), limit_m)
    points, lines = ScanStore(settings.data_dir).points(scan.key)
    return self_consistency(robot, fit, points, lines, limit_m, settings.merge.suspect_share)
