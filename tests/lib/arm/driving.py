"""A process that drives the arm to and fro, for the tests that end it: ``python -m tests.lib.arm.driving``.

The first argument is ``drive``, ``drive-and-fork``, or ``flow`` for a process that starts a driver and waits
for it, as a worker does; the second the data folder, the third the port, or ``emulated`` for an arm of the
driver's own.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

from lib.arm import connect
from lib.errors import NightpickError
from lib.settings import Settings

FROM_DEG, TO_DEG = [-60.0, 0.0, 0.0, 0.0, 0.0, 0.0], [60.0, 0.0, 0.0, 0.0, 0.0, 0.0]
SLOW = 12


def settings_for(data_dir: Path, port: str) -> Settings:
    settings = Settings(data_dir=data_dir)
    if port == "emulated":
        return replace(settings, arm=replace(settings.arm, body="ideal"))
    return replace(settings, arm=replace(settings.arm, kind="serial", port=port))


def drive(data_dir: Path, port: str, works_for: int | None, forks: bool) -> int:
    """Say who is who in one JSON line, then move until ended."""
    try:
        with connect(settings_for(data_dir, port), works_for=works_for) as arm:
            arm.mark_homed()
            who = {"driver": os.getpid(), "guardian": arm.guardian_pid}
            if forks:
                who["forked"] = _forked()
            print(json.dumps(who), flush=True)
            while True:
                arm.move(TO_DEG, SLOW)
                arm.move(FROM_DEG, SLOW)
    except NightpickError as error:
        print(f"{type(error).__name__}: {error}", file=sys.stderr, flush=True)
        return error.exit_code


def _forked() -> int:
    """Fork a process that sleeps with everything open that this one has open."""
    pid = os.fork()
    if pid == 0:
        time.sleep(60.0)
        os._exit(0)
    return pid


def flow(data_dir: Path, port: str) -> int:
    """Start a driver that works for this process, and wait for it."""
    command = [sys.executable, "-m", __spec__.name, "works-for-parent", str(data_dir), port]
    return subprocess.Popen(command).wait()


if __name__ == "__main__":
    role, folder, terminal = sys.argv[1:]
    if role == "flow":
        sys.exit(flow(Path(folder), terminal))
    parent = os.getppid() if role == "works-for-parent" else None
    sys.exit(drive(Path(folder), terminal, parent, forks=role == "drive-and-fork"))
