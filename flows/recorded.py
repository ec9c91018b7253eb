"""What every flow does around its stages: settings, a row in the run log beside Prefect's, a log file."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import UTC, datetime
from uuid import UUID, uuid4

import httpx
from prefect.client.orchestration import get_client
from prefect.runtime import flow_run

from flows.local_log import log_to
from flows.serving.prefect_environment import prefect_home
from flows.stopping import listen_again
from lib.runlog import run_log, tied
from lib.settings import Settings, load
from lib.stop import asked_to_stop


def name_run(name: str) -> None:
    """Give this flow run a name in the UI; where the server does not answer it keeps the one it has."""
    run_id = flow_run.get_id()
    if run_id is not None:
        with suppress(httpx.HTTPError), get_client(sync_client=True) as client:
            client.update_flow_run(UUID(run_id), name=name)


@contextmanager
def recorded_flow(flow: str) -> Iterator[Settings]:
    """Record the flow run around the block as ``unfinished``, then ``finished`` or ``failed``.

    Yields the settings that hold for the flow's process. An error is recorded in one line and
    goes on to Prefect, which shows the run as Failed.
    """
    settings = load()
    flow_run_id = str(uuid4())
    started_utc = datetime.now(UTC)
    log = run_log(settings.data_dir)

    def record(state: str, error: str | None = None) -> None:
        log.append(
            "flow_run",
            flow_run_id=flow_run_id,
            prefect_flow_run_id=flow_run.get_id(),
            flow=flow,
            started_utc=started_utc,
            ended_utc=None if state == "unfinished" else datetime.now(UTC),
            state=state,
            error=error,
        )

    listen_again()
    log_to(prefect_home(settings) / "logs" / f"{flow_run.get_id() or flow_run_id}.log")
    with tied(flow_run_id=flow_run_id):
        record("unfinished")
        try:
            yield settings
        except BaseException as error:  # also a Ctrl-C or Prefect's own stop signal
            stopped = asked_to_stop()
            record("failed", str(stopped or f"{type(error).__name__}: {error}").splitlines()[0])
            if stopped and error is not stopped:
                raise stopped from error
            raise
        record("finished")
