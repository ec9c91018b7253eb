"""Runs whose process is gone without a word: found by the locks their logs no longer hold."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path

from lib.runlog.closing import is_finished
from lib.runlog.connect import connect
from lib.runlog.folder import open_logs
from lib.runlog.log import run_log
from lib.runlog.sql_file import sql_text

CRASHED = "the process ended before it could say how"


@dataclass(frozen=True)
class LostRun:
    """A flow or task run that was recorded as started and never as ended."""

    relation: str
    run_id: str
    prefect_id: str | None


def reconcile(data_dir: Path) -> list[LostRun]:
    """Record every run that died with its process as ``crashed`` and return them.

    Only logs that nobody writes any more are looked at, so a run that is still going is left alone.
    """
    ids = {run_id for log in open_logs(data_dir) if is_finished(log) for run_id in _mentioned(log)}
    if not ids:
        return []
    with connect(data_dir) as connection:
        rows = connection.execute(sql_text("resume/unfinished_runs"), {"ids": sorted(ids)}).fetchall()
    lost = [LostRun(*row) for row in rows]
    log = run_log(data_dir)
    for run in lost:
        log.append(run.relation, **{f"{run.relation}_id": run.run_id}, state="crashed", error=CRASHED)
    return lost


def _mentioned(log: Path) -> set[str]:
    """Return the ids of flow and task runs in a log; a torn last line names none."""
    ids: set[str] = set()
    for line in log.read_bytes().splitlines():
        try:
            record = json.loads(line)
        except ValueError:
            continue
        ids |= {record[name] for name in ("flow_run_id", "task_run_id") if record.get(name)}
    return ids
