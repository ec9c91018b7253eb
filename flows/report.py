"""Flow report: the morning page of the last night, or of the nights of a date; at 07:00 by its schedule."""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.recorded import recorded_flow
from lib.report import nights_asked
from tasks.write_report import write_report


@flow(name="report", flow_run_name="report", persist_result=False)
def report(date: str | None = None) -> State[None]:
    """Write the page of the night that ran last; ``date``: of the nights of that local date, or one's id."""
    with recorded_flow("report") as settings:
        nights = nights_asked(settings.data_dir, date)
        for night_id in nights:
            write_report(settings, night_id)
        return Completed(message=f"the page of {', '.join(nights)}" if nights else "no night has run yet")
