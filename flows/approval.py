"""A person's word before anything moves, where a merge of this night left a probe worse."""

from __future__ import annotations

from prefect import pause_flow_run
from prefect.exceptions import FlowPauseTimeout
from prefect.input import RunInput

from lib.errors import CheckFailed
from lib.runlog import connect, sql_text
from lib.settings import Settings
from tasks.progress import PROGRESS


class Approval(RunInput):
    """What the UI asks for."""

    run_the_batch: bool
    """Whether the batch may run on the new table."""


def wait_for_approval(settings: Settings, night_id: str) -> None:
    """Wait for the word where the settings ask for it and there is reason to; raises CheckFailed for a no."""
    if not settings.batch.ask_approval:
        return
    worse = worse_probes(settings, night_id)
    if not worse:
        return
    said = f"{worse} probes are worse on the new table"
    PROGRESS.info("%s: the flow run in the UI waits for a word (Resume)", said)
    asked = Approval.with_initial_data(
        description=f"{said}: see the artifact effect-report. Run the batch on it?", run_the_batch=False
    )
    try:
        answer = pause_flow_run(
            wait_for_input=asked, timeout=int(settings.batch.approval_wait_s), key="approval"
        )
    except FlowPauseTimeout:
        raise CheckFailed(
            f"{said} and nobody said yes within batch.approval_wait_s: no run was begun"
        ) from None
    if not answer.run_the_batch:
        raise CheckFailed(f"{said} and a person said no: no run was begun")


def worse_probes(settings: Settings, night_id: str) -> int:
    """Return how many probes the merges published in a night left worse."""
    with connect(settings.data_dir) as con:
        row = con.execute(sql_text("resume/worse_probes"), {"night_id": night_id}).fetchone()
    return int(row[0]) if row else 0
