"""Runs that died with their process: the run log and the Prefect UI are told that they ended."""

from __future__ import annotations

import logging
from uuid import UUID

from prefect.client.orchestration import SyncPrefectClient, get_client
from prefect.client.schemas.filters import (
    FlowRunFilter,
    FlowRunFilterId,
    FlowRunFilterState,
    FlowRunFilterStateType,
)
from prefect.client.schemas.objects import State, StateType
from prefect.states import Completed, Crashed, Failed

from lib.runlog import CRASHED, LostRun, connect, reconcile, sql_text
from lib.settings import Settings

LOGGER = logging.getLogger(__name__)


def settle_lost_runs(settings: Settings) -> list[LostRun]:
    """Record every lost run of this data folder as crashed, here and in Prefect; return them.

    A run that Prefect forgot, or a server that does not answer, changes nothing about our own record.
    """
    lost = reconcile(settings.data_dir)
    flows = [UUID(run.prefect_id) for run in lost if run.relation == "flow_run" and run.prefect_id]
    try:
        if flows:
            _tell_prefect(settings, flows)
        _tell_untold_ends(settings)
    except Exception as error:  # Prefect's picture of the past is not worth stopping for
        LOGGER.warning("Prefect does not take the end of lost runs: %s", error)
    return lost


def _tell_untold_ends(settings: Settings) -> None:
    """End flow runs that wrote their end and are shown as Running: their process went too soon."""
    running = FlowRunFilterStateType(any_=[StateType.RUNNING])
    with get_client(sync_client=True) as client:
        shown = client.read_flow_runs(flow_run_filter=FlowRunFilter(state=FlowRunFilterState(type=running)))
        with connect(settings.data_dir) as connection:
            ids = {"ids": [str(run.id) for run in shown]}
            ends = connection.execute(sql_text("resume/flow_ends"), ids).fetchall()
        for flow_run, state, error in ends:
            told = _end(state) if state != "failed" else Crashed(message=str(error))
            client.set_flow_run_state(UUID(flow_run), told, force=True)


def _tell_prefect(settings: Settings, flow_runs: list[UUID]) -> None:
    """End lost flow runs as Crashed and their task runs as the run log says: Prefect lost some ends."""
    with connect(settings.data_dir) as connection:
        ids = {"ids": [str(run) for run in flow_runs]}
        ends = dict(connection.execute(sql_text("resume/task_ends"), ids).fetchall())
    with get_client(sync_client=True) as client:
        for flow_run in flow_runs:
            client.set_flow_run_state(flow_run, Crashed(message=CRASHED), force=True)
        for task_run in _open_task_runs(client, flow_runs):
            client.set_task_run_state(task_run, _end(ends.get(str(task_run))), force=True)


def _open_task_runs(client: SyncPrefectClient, flow_runs: list[UUID]) -> list[UUID]:
    runs = client.read_task_runs(flow_run_filter=FlowRunFilter(id=FlowRunFilterId(any_=flow_runs)))
    return [run.id for run in runs if run.state is None or not run.state.is_final()]


def _end(state: str | None) -> State[None]:
    if state == "finished":
        return Completed(message="so says the run log; Prefect was not told in time")
    if state == "failed":
        return Failed(message="so says the run log; Prefect was not told in time")
    return Crashed(message=CRASHED)
