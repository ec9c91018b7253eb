"""Keep what a merge found: beside the version it made, and in the run log whether or not it made one."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from uuid import uuid4

import duckdb

from lib.runlog import run_log
from lib.table.audits.audit import Audit
from lib.table.effect import Change, Effect
from lib.table.result import MergeResult


def insert_findings(
    connection: duckdb.DuckDBPyConnection, version: int, audits: Sequence[Audit], effect: Effect
) -> None:
    """Write a version's audits and effect into the staged table."""
    _insert(
        connection,
        "fk_audit",
        [
            {
                "version": version,
                "name": audit.name,
                "ok": audit.ok,
                "message": audit.message,
                "figures": json.dumps(dict(audit.figures)),
                "findings": json.dumps(list(audit.findings)),
                "accepted_because": audit.accepted_because,
            }
            for audit in audits
        ],
    )
    _insert(connection, "fk_effect", [{"version": version, **_change(c)} for c in effect.changes])


def _insert(connection: duckdb.DuckDBPyConnection, table: str, rows: Sequence[Mapping[str, object]]) -> None:
    """Insert rows in one statement: one a row costs milliseconds each."""
    if rows:
        names = list(rows[0])
        marks = ", ".join(f"({', '.join('?' for _ in names)})" for _ in rows)
        values = [row[name] for row in rows for name in names]
        connection.execute(f"INSERT INTO {table} ({', '.join(names)}) VALUES {marks}", values)


def record_merge(data_dir: Path, result: MergeResult, started_at: datetime) -> None:
    """Write an attempt to the run log: the merge, its audits, its effect."""
    merge_id = uuid4().hex
    effect = result.effect
    log = run_log(data_dir)
    log.append_all("merge_effect", [{"merge_id": merge_id, **_change(c)} for c in effect.changes])
    log.append_all("merge_audit", [{"merge_id": merge_id, **audit.as_json()} for audit in result.audits])
    # The merge itself comes last: whoever sees it sees all of it.
    log.append(
        "merge",
        merge_id=merge_id,
        scan_md5=result.scan_md5,
        scan_file=result.scan_file,
        scan_reading=result.scan_reading,
        grounds=result.grounds,
        state=result.state,
        dry_run=result.dry_run,
        promoted=result.promoted,
        version=result.version,
        parent=result.parent,
        rows=result.rows,
        scanned=result.scanned,
        added=result.added,
        duplicates=result.duplicates,
        content_md5=result.content_md5,
        probes=len(effect.changes),
        improved=effect.count("improved"),
        worse=effect.count("worse"),
        unchanged=effect.count("unchanged"),
        started_utc=started_at,
        duration_s=(datetime.now(UTC) - started_at).total_seconds(),
    )


def _change(change: Change) -> dict[str, object]:
    return {
        "mode": change.probe.mode,
        "target_x_m": change.probe.x_m,
        "target_z_m": change.probe.z_m,
        "verdict": change.verdict,
        "before_fk_row": change.before.fk_row,
        "before_xz_distance_m": change.before.xz_distance_m,
        "before_method": change.before.method,
        "after_fk_row": change.after.fk_row,
        "after_xz_distance_m": change.after.xz_distance_m,
        "after_method": change.after.method,
        "binding_filter": change.after.binding_filter,
    }
