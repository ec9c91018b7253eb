"""Which runs of a night there are already: what it did is not done twice, what was cut off is ``unknown``."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from lib.runlog.connect import connect
from lib.runlog.log import run_log
from lib.runlog.sql_file import sql_text

INTERRUPTED = "its process ended in the middle of it"


@dataclass(frozen=True)
class RecordedRun:
    """A pick-place run as the run log has it."""

    run_stem: str
    number: int
    state: str


def run_stem(number: int, now: datetime) -> str:
    """Return the name of a run that begins now: ``run_0003_20261130_221500``, local time."""
    return f"run_{number:04d}_{now.astimezone():%Y%m%d_%H%M%S}"


def runs_of_night(data_dir: Path, night_id: str) -> list[RecordedRun]:
    """Return the runs of a night that were begun, in order."""
    with connect(data_dir) as con:
        rows = con.execute(sql_text("resume/runs_of_night"), {"night_id": night_id}).fetchall()
    return [RecordedRun(*row) for row in rows]


def runs_left(begun: list[RecordedRun], runs: int) -> list[int]:
    """Return the numbers of the runs still to do, of ``runs`` in all; what was cut off is not repeated."""
    taken = {run.number for run in begun}
    return [number for number in range(1, runs + 1) if number not in taken]


def settle_interrupted(data_dir: Path, arm: str) -> list[str]:
    """Record the runs of an arm that never ended as ``unknown`` and return their stems.

    Where the block is nobody can say. Call while nobody else can run the arm.
    """
    with connect(data_dir) as con:
        rows = con.execute(sql_text("resume/interrupted_runs"), {"arm": arm}).fetchall()
    log = run_log(data_dir)
    for stem, night_id, flow_run_id, task_run_id in rows:
        log.append(
            "run",
            run_stem=stem,
            night_id=night_id,
            flow_run_id=flow_run_id,
            task_run_id=task_run_id,
            state="unknown",
            reason=INTERRUPTED,
            ended_utc=datetime.now(UTC),
        )
    return [stem for stem, *_ in rows]
