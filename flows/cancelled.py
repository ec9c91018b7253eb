"""A night that somebody cancels in the UI stops between states, also where no worker could signal it."""

from __future__ import annotations

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import copy_context
from uuid import UUID

from prefect.client.orchestration import get_client
from prefect.runtime import flow_run

from lib.stop import ask_to_stop, asked_to_stop

# Prefect is asked this often; an answer takes some milliseconds.
ASKED_EVERY_S = 2.0


@contextmanager
def heeding_cancellation() -> Iterator[None]:
    """While the block runs, a cancelled flow run is a wish to stop, like a SIGTERM; raises it at the end."""
    run_id = flow_run.get_id()
    if run_id is None:
        yield
        return
    over = threading.Event()
    here = copy_context()  # which server it is that Prefect reports to
    watch = threading.Thread(
        target=here.run, args=(_watch, UUID(run_id), over), name="cancellation", daemon=True
    )
    watch.start()
    try:
        yield
    finally:
        over.set()
    if (wish := asked_to_stop()) is not None:
        raise wish


def _watch(run_id: UUID, over: threading.Event) -> None:
    while not over.wait(ASKED_EVERY_S):
        if asked_to_stop() is None and _is_cancelled(run_id):
            ask_to_stop(signal.SIGTERM)
            return


def _is_cancelled(run_id: UUID) -> bool:
    try:
        with get_client(sync_client=True, httpx_settings={"timeout": ASKED_EVERY_S}) as client:
            state = client.read_flow_run(run_id).state
    except Exception:  # a server that is gone cancels nothing
        return False
    return state is not None and (state.is_cancelling() or state.is_cancelled())
