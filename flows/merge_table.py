"""Flow merge-table: every kept scan that no version holds becomes one, behind its audits.

Runs when asked for; a night runs its stage too.
"""

from __future__ import annotations

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.recorded import recorded_flow
from flows.trouble import Trouble
from lib.settings import Settings
from lib.table import pending_scans
from tasks.merge_scan import merge_scan


@flow(name="merge-table", flow_run_name="merge-table", persist_result=False)
def merge_table() -> State[None]:
    """Merge the pending scans, one version each, in the order they came in."""
    with recorded_flow("merge-table") as settings:
        trouble = Trouble()
        pending = merge_pending(settings, trouble)
        trouble.raise_if_any(f"{len(trouble)} of {pending} scans not merged")
        return Completed(message=f"{pending} scans merged" if pending else "nothing to merge")


def merge_pending(settings: Settings, trouble: Trouble) -> int:
    """Merge every pending scan and return how many there were; a blocked one does not stop the others."""
    pending = pending_scans(settings)
    for scan in pending:
        with trouble.noted():
            merge_scan(settings, scan)
    return len(pending)
