"""Runs that died with their process: the run log and the Prefect UI are told that they ended."""

from __future__ import annotations

import logging
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.states import Crashed

from lib.runlog import LostRun, reconcile
from lib.runlog.reconcile import CRASHED
from lib.settings import Settings

LOGGER = logging.getLogger(__name__)


def settle_lost_runs(settings: Settings) -> list[LostRun]:
    """Record every lost run of this data folder as crashed, here and in Prefect; return them.

    A run that Prefect forgot, or a server that does not answer, changes nothing about our own record.
    """
    lost = reconcile(settings.data_dir)
    if lost:
        with get_client(sync_client=True) as client:
            for run in lost:
                if run.prefect_id is None:
                    continue
                set_state = (
                    client.set_flow_run_state if run.relation == "flow_run" else client.set_task_run_state
                )
                try:
                    set_state(UUID(run.prefect_id), Crashed(message=CRASHED), force=True)
                except Exception as error:  # Prefect's picture of the past is not worth stopping for
                    LOGGER.warning("Prefect does not take the end of run %s: %s", run.prefect_id, error)
    return lost
