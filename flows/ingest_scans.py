"""Flow ingest-scans: whatever lies in the inbox is taken in, or refused with the reason.

Runs every hour by schedule; a night runs its stage too.
"""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.recorded import recorded_flow
from flows.trouble import Trouble
from lib.scan import taking_in, waiting_scans
from lib.settings import Settings
from tasks.ingest_scan import ingest_scan


@flow(name="ingest-scans", flow_run_name="ingest-scans", persist_result=False)
def ingest_scans() -> State[None]:
    """Take the scans of the inbox in, oldest first."""
    with recorded_flow("ingest-scans") as settings:
        trouble = Trouble()
        offered = take_in_inbox(settings, trouble)
        trouble.raise_if_any(f"{len(trouble)} of {offered} scans not taken in")
        return Completed(message=f"{offered} scans taken in" if offered else "nothing in the inbox")


def take_in_inbox(settings: Settings, trouble: Trouble) -> int:
    """Offer every waiting scan to the store and return how many there were; a refused one stops no other."""
    with taking_in(settings.data_dir):
        waiting = waiting_scans(settings.data_dir)
        for file in waiting:
            with trouble.noted():
                ingest_scan(settings, file)
        return len(waiting)
