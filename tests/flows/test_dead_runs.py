"""A run whose process was killed while the server lives is Crashed in the UI, by the automation."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from datetime import UTC, datetime
from pathlib import Path
from uuid import UUID

import pytest
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.states import Running

from flows.serving import prefect_environment
from flows.serving.lost_runs import settle_lost_runs
from flows.serving.server import Server
from flows.serving.server_setup import prepare_server
from lib.runlog import run_log
from lib.settings import Settings
from tests.flows.processes import ROOT, wait_until

pytestmark = pytest.mark.xdist_group("prefect")

SLEEPING_FLOW = """
import time
from prefect import flow
from prefect.runtime import flow_run
@flow(name="sleeping")
def sleeping():
    print(flow_run.id, flush=True)
    time.sleep(600)
sleeping()
"""


@pytest.mark.slow
def test_a_run_whose_process_was_killed_is_crashed_within_two_and_a_half_minutes(
    prefect_api: Server, tmp_path: Path
) -> None:
    prepare_server("mecharm270")
    environment = prefect_environment.for_flows(Settings(data_dir=tmp_path), prefect_api.api_url, None)
    process = subprocess.Popen(
        [sys.executable, "-c", SLEEPING_FLOW],
        env={**os.environ, **environment},
        cwd=ROOT,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    run_id = UUID(process.stdout.readline().decode().strip())
    time.sleep(5)  # its first heartbeat is on its way
    process.kill()
    process.wait()
    assert _state(run_id) == "Running"
    wait_until(lambda: _state(run_id) == "Crashed", 150, "the automation ends the run")


def test_a_run_that_wrote_its_end_and_could_not_tell_prefect_is_ended_by_the_next_start(
    prefect_api: Server, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path)
    ids = {}
    with get_client(sync_client=True) as client:
        for name in ("stopped", "done", "at work", "another folder's"):
            ids[name] = client.create_flow_run(_nothing, state=Running()).id
    log = run_log(tmp_path)
    for name, state, error in (
        ("stopped", "failed", "SystemExit: 1"), ("done", "finished", None), ("at work", "unfinished", None)
    ):  # fmt: skip
        log.append(
            "flow_run", flow_run_id=name, flow="night", prefect_flow_run_id=str(ids[name]), state=state,
            error=error, started_utc=datetime.now(UTC),
        )  # fmt: skip
    settle_lost_runs(settings)
    assert {name: _state(run) for name, run in ids.items()} == {
        "stopped": "Crashed", "done": "Completed", "at work": "Running", "another folder's": "Running"
    }  # fmt: skip


@flow
def _nothing() -> None:
    """Only runs of it are wanted."""


def _state(run_id: UUID) -> str | None:
    with get_client(sync_client=True) as client:
        return client.read_flow_run(run_id).state_name
