"""A run whose process was killed while the server lives is Crashed in the UI, by the automation."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path
from uuid import UUID

import pytest
from prefect.client.orchestration import get_client

from flows.serving import prefect_environment
from flows.serving.server import Server
from flows.serving.server_setup import prepare_server
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


def _state(run_id: UUID) -> str | None:
    with get_client(sync_client=True) as client:
        return client.read_flow_run(run_id).state_name
