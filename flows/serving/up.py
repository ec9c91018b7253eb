"""One machine's nightpick in one process to stop: server, deployments, worker."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Callable

from flows.arm_lock import arm_name
from flows.serving import prefect_environment
from flows.serving.child import Child
from flows.serving.lost_runs import settle_lost_runs
from flows.serving.server import Server
from flows.serving.server_setup import POOL, prepare_server
from flows.serving.this_machine import project_folder
from flows.terminal import status
from lib.errors import NightpickError
from lib.settings import Settings

# A worker looks for work this often: a night asked for in the UI starts within seconds.
WORKER_QUERY_S = 5


def keep_up(
    settings: Settings, server: Server, tell: Callable[[list[str]], None], say: Callable[[str], None]
) -> None:
    """Serve the deployments and run a worker until an exception ends it: mostly a person's Ctrl-C.

    ``tell`` is called with the deployments' names when everything is up, ``say`` with what goes on.
    """
    with status("the Prefect server starts") as waiting:
        server.wait_ready(lambda waited_s: waiting(f"{waited_s:.0f} s"))
    prepare_server(arm_name(settings))
    settle_lost_runs(settings)
    say("starting the worker and deploying the flows")
    worker = start_worker(settings)
    try:
        tell(deploy_all())
        watch(server, worker)
    finally:
        say("stopping the worker, then the server")
        worker.stop()


def deploy_all() -> list[str]:
    """Run ``prefect deploy --all``; return the names of what is deployed.

    Raises NightpickError with Prefect's own last words where it fails.
    """
    folder = project_folder()
    if not (folder / "prefect.yaml").is_file():
        raise NightpickError(
            f"{folder}/prefect.yaml is missing: `nightpick up` runs from the project's folder"
        )
    done = subprocess.run(
        [sys.executable, "-m", "prefect", "--no-prompt", "deploy", "--all"],
        cwd=folder,
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line.strip() for line in (done.stdout + done.stderr).splitlines() if line.strip()]
    if done.returncode != 0:
        raise NightpickError(f"prefect deploy --all failed: {' '.join(said[-3:])}")
    return [line.split("'")[1] for line in said if "successfully created" in line]


def start_worker(settings: Settings) -> Child:
    """Start the worker that runs what is due; stopping it stops the flows it runs."""
    name = f"{socket.gethostname()}-{arm_name(settings)}"
    return Child(
        [
            sys.executable,
            "-m",
            "prefect",
            "worker",
            "start",
            "--pool",
            POOL,
            "--name",
            name,
            "--type",
            "process",
        ],
        prefect_environment.prefect_home(settings) / "logs" / "worker.log",
        environment={**os.environ, "PREFECT_WORKER_QUERY_SECONDS": str(WORKER_QUERY_S)},
        directory=project_folder(),
    )


def watch(server: Server, worker: Child) -> None:
    """Return only by an exception: a child that ended, or the KeyboardInterrupt of a person."""
    while True:
        for name, child in (("server", server.child), ("worker", worker)):
            if child is not None and child.exit_code() is not None:
                raise NightpickError(f"the {name} ended by itself: {child.last_line()}; see {child.log}")
        time.sleep(0.5)
