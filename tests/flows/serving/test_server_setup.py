"""What the flows need on a server is there once, also when several ask for it at the same moment."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from contextvars import copy_context
from threading import Barrier
from uuid import uuid4

import pytest
from prefect.client.orchestration import get_client
from prefect.exceptions import ObjectNotFound

from flows.arm_slot import limit_name
from flows.serving.server import Server
from flows.serving.server_setup import POOL, ZOMBIES, prepare_server

pytestmark = pytest.mark.xdist_group("prefect")


@pytest.mark.parametrize("attempt", range(3))
def test_many_who_start_at_once_find_everything_there_once(prefect_api: Server, attempt: int) -> None:
    with get_client(sync_client=True) as client:
        with suppress(ObjectNotFound):
            client.delete_work_pool(POOL)
        for automation in client.read_automations_by_name(ZOMBIES):
            client.delete_automation(automation.id)
    arm, starters = f"arm-of-{uuid4()}", 6
    together = Barrier(starters)

    def start() -> None:
        together.wait()
        prepare_server(arm)

    with ThreadPoolExecutor(starters) as threads:
        for started in [threads.submit(copy_context().run, start) for _ in range(starters)]:
            started.result()
    with get_client(sync_client=True) as client:
        assert client.read_work_pool(POOL).type == "process"
        assert client.read_global_concurrency_limit_by_name(limit_name(arm)).limit == 1
        assert len(client.read_automations_by_name(ZOMBIES)) == 1
