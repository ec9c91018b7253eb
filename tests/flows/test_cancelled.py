"""A night that is cancelled in the UI stops, also where it runs in a person's terminal."""

from __future__ import annotations

import time
from pathlib import Path
from uuid import UUID

import pytest
from prefect import flow
from prefect.client.orchestration import get_client
from prefect.runtime import flow_run
from prefect.states import Cancelling

from flows.cancelled import heeding_cancellation
from flows.serving.server import Server
from lib.stop import Stopped, asked_to_stop, forget_wishes

pytestmark = pytest.mark.xdist_group("prefect")


@flow(name="long", persist_result=False)
def long(cancelled: bool) -> float:
    began_s = time.monotonic()
    with heeding_cancellation():
        if cancelled:
            with get_client(sync_client=True) as client:
                client.set_flow_run_state(UUID(flow_run.id), Cancelling(), force=True)
        while asked_to_stop() is None and time.monotonic() - began_s < (20 if cancelled else 0.2):
            time.sleep(0.05)
    return time.monotonic() - began_s


def test_the_wish_reaches_whoever_asks_between_states_and_ends_the_flow(
    prefect_api: Server, data_dir: Path
) -> None:
    forget_wishes()
    try:
        began_s = time.monotonic()
        with pytest.raises(Stopped, match="stopped by SIGTERM"):
            long(True)
        assert time.monotonic() - began_s < 15
    finally:
        forget_wishes()
    assert long(False) < 5
