"""A night under kill -9: its processes, what is killed when, and what must hold afterwards."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path

from lib.cell import CellLink
from lib.runlog import connect
from lib.settings import Settings, load

ROOT = Path(__file__).parents[2]
STILL_DEG = 0.02


@dataclass(frozen=True)
class Night:
    """A data folder with an arm that outlives whoever drives it, and the settings it is run with."""

    data_dir: Path
    output: Path
    time_scale: float
    more: Mapping[str, str] = field(default_factory=dict)
    """Further settings, as environment variables."""

    def environment(self) -> dict[str, str]:
        """Return the environment of its commands."""
        kept = {
            name: value
            for name, value in os.environ.items()
            if not name.startswith(("PREFECT_", "NIGHTPICK_"))
        }
        return {
            **kept,
            "PYTHONPATH": str(ROOT),
            "NIGHTPICK_DATA_DIR": str(self.data_dir),
            "NIGHTPICK_CELL__TIME_SCALE": str(self.time_scale),
            **self.more,
        }

    def start(self, *words: str, name: str) -> subprocess.Popen[bytes]:
        """Start a command of ours; what it says goes to a file of that name."""
        with (self.output / f"{name}.txt").open("wb") as file:
            return subprocess.Popen(
                [sys.executable, "-m", "flows.cli", *words],
                env=self.environment(),
                cwd=self.output,
                stdout=file,
                stderr=subprocess.STDOUT,
            )

    def prefect(self, *words: str) -> None:
        """Run a command of Prefect's own against the server that `up` runs."""
        where = json.loads((self.data_dir / "prefect" / "server.json").read_text())
        environment = {**self.environment(), "PREFECT_API_URL": where["api_url"]}
        environment["PREFECT_HOME"] = str(self.data_dir / "prefect")
        subprocess.run(
            [sys.executable, *words], env=environment, check=True, capture_output=True, timeout=120
        )

    def settings(self) -> Settings:
        """Return the settings its commands have."""
        return load(None, self.environment())

    def said(self, name: str) -> str:
        """Return what a command said so far."""
        return (self.output / f"{name}.txt").read_text(errors="replace")

    @contextmanager
    def emulated_arm(self) -> Iterator[tuple[CellLink, str]]:
        """Run the data folder's emulated arm for a block, as a process: its cell and its socket."""
        arm = subprocess.Popen(
            [sys.executable, "-m", "flows.cli", "arm", "emulate", "--json"],
            env=self.environment(),
            cwd=self.output,
            stdout=subprocess.PIPE,
        )
        try:
            assert arm.stdout is not None
            where = json.loads(arm.stdout.readline())
            with CellLink(where["socket"]) as cell:
                yield cell, where["socket"]
        finally:
            arm.send_signal(signal.SIGINT)
            with suppress(subprocess.TimeoutExpired):
                arm.wait(timeout=20)
            arm.kill()
            arm.wait()

    def processes(self, *words: str) -> list[int]:
        """Return the processes of this data folder whose command line has all of these words."""
        mark = f"NIGHTPICK_DATA_DIR={self.data_dir}\0".encode()
        found = []
        for process in Path("/proc").glob("[0-9]*"):
            with suppress(OSError):
                command = (process / "cmdline").read_bytes().decode(errors="replace")
                if mark in (process / "environ").read_bytes() + b"\0" and all(
                    word in command for word in words
                ):
                    found.append(int(process.name))
        return found

    def runs(self) -> list[tuple[int, str, str, str | None]]:
        """Return number, stem, state and verdict of every run."""
        with connect(self.data_dir) as con:
            return con.execute(
                "SELECT run_number, run_stem, run.state, place.place "
                "FROM run LEFT JOIN place USING (run_stem) ORDER BY run_stem"
            ).fetchall()


def stands_still_within_s(cell: CellLink, limit_s: float) -> float | None:
    """Return how long [s] the arm still moved, None where it moved on to the limit."""
    began_s = time.monotonic()
    before, still_since_s = cell.truth()["joints_deg"], began_s
    while time.monotonic() - began_s < limit_s + 0.5:
        time.sleep(0.05)
        now = cell.truth()["joints_deg"]
        if max(abs(a - b) for a, b in zip(now, before, strict=True)) > STILL_DEG:
            still_since_s = time.monotonic()
        before = now
        if time.monotonic() - still_since_s > 0.5:
            return still_since_s - began_s
    return None


def kill(*pids: int) -> None:
    """Kill -9, whoever is still there."""
    for pid in pids:
        with suppress(ProcessLookupError):
            os.kill(pid, signal.SIGKILL)
