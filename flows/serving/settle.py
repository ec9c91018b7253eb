"""Before a server of our own is stopped: let it write down what it was told, which it does with a delay.

Task runs and logs travel in the background and are lost when the server stops too soon. The run log
has everything anyway, so this waits a few seconds for the picture, not for the truth.
"""

from __future__ import annotations

import logging
import time
from uuid import UUID

import httpx
from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import FlowRunFilter, FlowRunFilterId
from prefect.logging.handlers import APILogHandler

from lib.runlog import connect, sql_text
from lib.settings import Settings

LIMIT_S = 10.0


def settle(settings: Settings, limit_s: float = LIMIT_S) -> bool:
    """Wait until the server shows every task of the last flow run as ended; return whether it does.

    ``limit_s``: how long [s] it may take.
    """
    for handler in logging.getLogger("prefect.flow_runs").handlers:
        if isinstance(handler, APILogHandler):
            handler.flush()
    with connect(settings.data_dir) as connection:
        row = connection.execute(sql_text("resume/last_flow_run_tasks")).fetchone()
    if row is None:
        return True
    prefect_flow_run_id, tasks = row
    deadline_s = time.monotonic() + limit_s
    try:
        with get_client(sync_client=True) as client:
            while _ended_tasks(client, prefect_flow_run_id) < tasks:
                if time.monotonic() > deadline_s:
                    return False
                time.sleep(0.2)
    except httpx.HTTPError:  # no server, no picture
        return False
    return True


def _ended_tasks(client: SyncPrefectClient, flow_run_id: str) -> int:
    runs = client.read_task_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=[UUID(flow_run_id)])))
    return sum(run.state is not None and run.state.is_final() for run in runs)
