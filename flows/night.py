"""Flow night: scans, table, homing, batch, report; at 22:00 by its schedule, or by hand."""

from __future__ import annotations

from datetime import timedelta

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.runtime import flow_run

from flows.recorded import recorded_flow
from flows.stop_the_arm import stop_the_arm
from flows.whole_night import run_due
from lib.runlog import Schedule


@flow(
    name="night",
    flow_run_name="night",
    persist_result=False,
    on_failure=[stop_the_arm],
    on_crashed=[stop_the_arm],
    on_cancellation=[stop_the_arm],
)
def night(seed: int | None = None, window_h: float | None = None, runs: int | None = None) -> State[None]:
    """Run the night that is due; one that was killed is finished first.

    ``seed``: of the simulated cell, instead of the setting's.
    ``window_h``: given by the schedule, how many hours [h] after its time a night may still begin.
    ``runs``: pick-place runs, instead of the setting's.
    """
    with recorded_flow("night") as settings:
        schedule = until = None
        if window_h is not None:
            schedule = Schedule(flow_run.scheduled_start_time, window_h)
            until = schedule.start + timedelta(hours=settings.batch.window_h)
        return run_due(settings, "night", seed=seed, runs=runs, schedule=schedule, until=until)
