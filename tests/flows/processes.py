"""What a test must know of processes: run a command of ours, see which of its processes live."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]


def nightpick(*arguments: str, data_dir: Path, output: Path) -> subprocess.Popen[bytes]:
    """Start a command of ours in another folder; both its outputs go to one file."""
    environment = {"NIGHTPICK_BATCH__RUNS": "0", **os.environ, "NIGHTPICK_DATA_DIR": str(data_dir)}
    # Set for this session's own flows; a command of ours brings its own.
    environment.pop("PREFECT_HOME", None)
    with output.open("wb") as file:
        return subprocess.Popen(
            [sys.executable, "-m", "flows.cli", *arguments],
            env={**environment, "PYTHONPATH": str(ROOT)},
            cwd=output.parent,
            stdout=file,
            stderr=subprocess.STDOUT,
        )


def with_database(data_dir: Path, database: Path) -> None:
    """Give a data folder a Prefect database that is migrated already."""
    (data_dir / "prefect").mkdir(parents=True, exist_ok=True)
    shutil.copy(database, data_dir / "prefect" / "prefect.db")


def processes_of(data_dir: Path) -> list[str]:
    """Return the commands of all processes that work for a data folder: server, worker, flows."""
    mark = f"PREFECT_HOME={data_dir / 'prefect'}\0".encode()
    found = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            if mark in (process / "environ").read_bytes() + b"\0":
                found.append((process / "cmdline").read_bytes().replace(b"\0", b" ").decode().strip())
        except (OSError, UnicodeDecodeError):
            continue  # gone meanwhile, or another user's
    return [command for command in found if command]  # a zombie has none


def wait_until(holds: Callable[[], bool], limit_s: float, what: str, every_s: float = 0.1) -> None:
    """Wait for a condition that is looked at every so often; fail saying what did not happen."""
    deadline_s = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < deadline_s, f"not within {limit_s} s: {what}"
        time.sleep(every_s)
