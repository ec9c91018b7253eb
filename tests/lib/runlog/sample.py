"""A small data folder with something in every relation: two versions, one blocked merge, runs, a night."""

from __future__ import annotations

import json
from datetime import UTC, date, datetime
from pathlib import Path

import duckdb

from lib.runlog import RunLog, fk_file
from lib.runlog.sql_file import sql_files

FIRST_UTC = datetime(2026, 3, 1, 20, 0, tzinfo=UTC)
SECOND_UTC = datetime(2026, 3, 2, 21, 0, tzinfo=UTC)
BLOCKED_UTC = datetime(2026, 3, 3, 22, 0, 0, 250_000, tzinfo=UTC)


VERSIONS = ((1, None, 3, 3, FIRST_UTC), (2, 1, 5, 2, SECOND_UTC))


def insert(con: duckdb.DuckDBPyConnection, relation: str, **values: object) -> None:
    marks = ", ".join("?" for _ in values)
    con.execute(f"INSERT INTO {relation} ({', '.join(values)}) VALUES ({marks})", list(values.values()))


def effect(mode: str, before: int, before_m: float, after: int, after_m: float) -> dict[str, object]:
    return {
        "mode": mode,
        "target_x_m": -0.17,
        "target_z_m": 0.19,
        "before_fk_row": before,
        "before_xz_distance_m": before_m,
        "before_method": "fk_nearest",
        "after_fk_row": after,
        "after_xz_distance_m": after_m,
        "after_method": "fk_nearest",
        "binding_filter": "j0_lock",
    }


def publish_table(data_dir: Path) -> None:
    """Publish a table of two versions, 3 + 2 rows, the second in use."""
    data_dir.mkdir(parents=True, exist_ok=True)
    staged = data_dir / "fk.duckdb.staged"
    staged.unlink(missing_ok=True)
    with duckdb.connect(str(staged)) as con:
        for file in sql_files("schema/table"):
            con.execute(file.text)
        for row in range(5):
            con.execute(
                "INSERT INTO fk_point VALUES (?, 0.1, 0.2, 0.3, 10, 20, 30, 40, 50, ?, ?, ?)",
                [row, row, 1 if row < 3 else 2, row + 2],
            )
        for version, parent, rows, added, created_utc in VERSIONS:
            insert(
                con,
                "fk_version",
                version=version,
                parent=parent,
                rows=rows,
                first_row=rows - added,
                scanned=4,
                added=added,
                duplicates=4 - added,
                scan_md5=f"scan{version}",
                scan_file=f"s{version}.csv",
                angle_unit="deg",
                length_unit="m",
                content_md5=f"content{version}",
                block_digests=b"",
                created_at=created_utc,
                fit_rows=4,
                fit_sum_squares_m2=1e-8,
                fit_worst_m=2e-4,
            )
        audit = {"message": "worst 0.2 mm", "figures": '{"worst_m": 0.0002}', "findings": "[]"}
        insert(con, "fk_audit", version=1, name="prefix", ok=True, **audit)
        insert(con, "fk_audit", version=2, name="prefix", ok=True, **audit)
        insert(con, "fk_audit", version=2, name="conflicts", ok=False, accepted_because="new twin", **audit)
        insert(con, "fk_effect", version=2, verdict="improved", **effect("place", 1, 0.0079, 4, 0.0059))
        insert(con, "fk_effect", version=2, verdict="unchanged", **effect("pick", 0, 0.001, 0, 0.001))
        insert(con, "fk_current", version=2)
    staged.replace(fk_file.path(data_dir))


def write_records(data_dir: Path) -> None:
    """Log a night with a flow, three tasks, a published merge and one that an audit blocked."""
    log = RunLog(data_dir)
    log.append("night", night_id="n1", arm="left", local_date=date(2026, 3, 1), sequence=0)
    log.append("night", night_id="n1", started_utc=FIRST_UTC, state="unfinished")
    log.append("flow_run", flow_run_id="f1", prefect_flow_run_id="p1", night_id="n1", flow="night")
    log.append("flow_run", flow_run_id="f1", started_utc=FIRST_UTC, state="unfinished")
    for task_run_id, task in (("t1", "merge table"), ("t2", "merge table"), ("t3", "report")):
        run = {"task_run_id": task_run_id, "flow_run_id": "f1", "night_id": "n1", "task": task}
        log.append("task_run", **run, started_utc=FIRST_UTC, state="unfinished")
    log.append("task_run", task_run_id="t1", duration_s=2.0, state="finished")
    log.append("task_run", task_run_id="t2", duration_s=6.0, state="failed", error="no")
    log.append("observation", name="rows added", value=2, unit="rows", task="merge table", task_run_id="t1")
    log.append("scan_event", file="s1.csv", md5="scan1", status="ingested", rows=4, problems=[])
    _write_merge(log, "m2", "published", 2, SECOND_UTC)
    _write_merge(log, "m3", "blocked", 3, BLOCKED_UTC)
    log.append("flow_run", flow_run_id="f1", ended_utc=BLOCKED_UTC, state="finished")
    log.append("night", night_id="n1", ended_utc=BLOCKED_UTC, state="finished", report_path="reports/n1.html")
    log.close()


def _write_merge(log: RunLog, merge_id: str, state: str, version: int, time_utc: datetime) -> None:
    audit = {"merge_id": merge_id, "message": "adds up or not", "findings": ["line 7"]}
    log.append("merge_audit", name="prefix", ok=True, figures={"rows": 3}, **audit)
    log.append("merge_audit", name="count", ok=state == "published", figures={"rows": 5}, **audit)
    log.append("merge_effect", merge_id=merge_id, verdict="worse", **effect("place", 4, 0.0059, 5, 0.0079))
    log.append(
        "merge",
        merge_id=merge_id,
        scan_md5=f"scan{version}",
        scan_file=f"s{version}.csv",
        state=state,
        dry_run=False,
        promoted=state == "published",
        version=version,
        parent=version - 1,
        rows=5,
        scanned=4,
        added=2,
        duplicates=2,
        probes=1,
        worse=1,
        time_utc=time_utc,
    )


def write_scan(data_dir: Path, md5: str, sequence: int, **changes: object) -> None:
    """Keep one scan's manifest, as ingest leaves it."""
    folder = data_dir / "scans"
    folder.mkdir(parents=True, exist_ok=True)
    manifest = {"md5": md5, "sequence": sequence, "file": f"{md5}.csv", "rows": 4, **changes}
    (folder / f"{md5}.json").write_text(json.dumps(manifest), encoding="utf-8")


def write_sample(data_dir: Path) -> Path:
    """Write all of it."""
    publish_table(data_dir)
    write_records(data_dir)
    for sequence, md5 in enumerate(("scan1", "scan2", "scan3"), start=1):
        write_scan(data_dir, md5, sequence)
    return data_dir
