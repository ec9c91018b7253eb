"""What the night shift does, in order. Read `run_night` as the table of contents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from datetime import UTC, datetime

from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed
from prefect.utilities.urls import url_for

from flows.answer_requests import answer_requests
from flows.arm_lock import arm_name, holding_the_arm
from flows.arm_slot import arm_slot
from flows.arm_stages import work_at_the_arm
from flows.ingest_scans import take_in_inbox
from flows.merge_table import merge_pending
from flows.recorded import name_run
from flows.trouble import Trouble
from lib.runlog import Night, Schedule, due_nights, record_night, tied
from lib.settings import Settings
from tasks.close_logs import close_logs
from tasks.doctor_checks import doctor_checks
from tasks.progress import PROGRESS
from tasks.write_report import write_report


def run_due(
    settings: Settings,
    kind: str,
    *,
    seed: int | None = None,
    runs: int | None = None,
    schedule: Schedule | None = None,
    until: datetime | None = None,
) -> State[None]:
    """Run what is due of the settings' arm, which is held meanwhile: nights that were killed, then a new one.

    ``kind``: ``night``, or ``batch``. ``runs`` and ``seed``: instead of the settings'.
    ``until``: no pick-place run begins later.
    """
    PROGRESS.info("watch it at %s", url_for("flow-run", obj_id=flow_run.id))
    arm = arm_name(settings)
    if seed is not None:
        settings = replace(settings, cell=replace(settings.cell, seed=seed))
    runs = settings.batch.runs if runs is None else runs
    trouble = Trouble()
    with holding_the_arm(settings), arm_slot(arm):
        now = datetime.now().astimezone()
        asked_utc = now.astimezone(UTC)
        for due in due_nights(settings.data_dir, arm, now, schedule, runs=runs, kind=kind):
            if due.started_utc < asked_utc:
                PROGRESS.info("%s", _goes_on(due, kind))
            name_run(f"{due.kind} {due.night_id}")
            run_night(settings, due, trouble, until)
    if trouble:
        return Completed(name="Attention", message="; ".join(trouble.lines))
    return Completed()


def _goes_on(due: Night, kind: str) -> str:
    """Say that a night that was cut off is finished, and not what was asked for now."""
    runs = "" if due.runs is None else f" of {due.runs} runs"
    return (
        f"going on with the {due.kind}{runs} that was cut off, {due.night_id}; "
        f"for a new {kind} give the command again afterwards"
    )


def run_night(settings: Settings, due: Night, trouble: Trouble, until: datetime | None) -> None:
    """Run one night. Only the doctor refuses it; any other stage's trouble is told, and the next one runs.

    ``until``: no pick-place run begins later.
    """
    with _recorded(settings, due, trouble):
        doctor_checks(settings)
        if due.kind == "night":
            answer_requests(settings, trouble)  # the simulated cell: its twin scans what was asked for
            take_in_inbox(settings, trouble)
            merge_pending(settings, trouble)
        work_at_the_arm(settings, due, until, trouble)


@contextmanager
def _recorded(settings: Settings, due: Night, trouble: Trouble) -> Iterator[None]:
    """Record the night around its stages, then write its page and close the logs.

    A killed or stopped night stays ``unfinished``, and the next start resumes it.
    """
    before = len(trouble)
    with tied(night_id=due.night_id):
        record_night(settings.data_dir, due, "unfinished")
        try:
            yield
        except Exception as error:
            record_night(settings.data_dir, due, "failed", ended_utc=datetime.now(UTC), error=str(error))
            raise
        ended_utc = datetime.now(UTC)
        record_night(settings.data_dir, due, "unfinished", ended_utc=ended_utc)  # the page tells when
        page = write_report(settings, due.night_id)
        close_logs(settings)
        state = "finished" if len(trouble) == before else "attention"
        within = page.relative_to(settings.data_dir)  # the data folder may be moved
        record_night(settings.data_dir, due, state, ended_utc=ended_utc, report_path=within)
