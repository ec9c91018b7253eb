"""Flow night: what the night shift does, in order. Read `run_night` as the table of contents."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run
from prefect.states import Completed
from prefect.utilities.urls import url_for

from flows.answer_requests import answer_requests
from flows.arm_lock import arm_name, holding_the_arm
from flows.arm_slot import arm_slot
from flows.ingest_scans import take_in_inbox
from flows.merge_table import merge_pending
from flows.recorded import name_run, recorded_flow
from flows.trouble import Trouble
from lib.runlog import Night, Schedule, due_nights, record_night, tied
from lib.settings import Settings
from tasks.close_logs import close_logs
from tasks.doctor_checks import doctor_checks
from tasks.progress import PROGRESS
from tasks.write_report import write_report


@flow(name="night", flow_run_name="night", persist_result=False)
def night(seed: int | None = None, window_h: float | None = None) -> State[None]:
    """Run the night that is due; one that was killed is finished first.

    ``seed``: of the simulated cell, instead of the setting's.
    ``window_h``: given by the schedule, how many hours [h] after its time a night may still begin.
    """
    with recorded_flow("night") as settings:
        PROGRESS.info("watch it at %s", url_for("flow-run", obj_id=flow_run.id))
        arm = arm_name(settings)
        schedule = None if window_h is None else Schedule(flow_run.scheduled_start_time, window_h)
        seed = settings.cell.seed if seed is None else seed
        trouble = Trouble()
        with holding_the_arm(settings), arm_slot(arm):
            for due in due_nights(settings.data_dir, arm, datetime.now().astimezone(), schedule):
                name_run(f"night {due.night_id}")
                run_night(settings, due, seed, trouble)
        if trouble:
            return Completed(name="Attention", message="; ".join(trouble.lines))
        return Completed()


def run_night(settings: Settings, due: Night, seed: int, trouble: Trouble) -> None:
    """Run one night. Only the doctor refuses it; any other stage's trouble is told, and the next one runs."""
    with _recorded(settings, due, trouble):
        doctor_checks(settings)
        answer_requests(settings, seed, trouble)  # the simulated cell: its twin scans what was asked for
        take_in_inbox(settings, trouble)
        merge_pending(settings, trouble)
        # home-arm comes here: nothing moves before the table is what it should be
        # pick-place-batch comes here


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
