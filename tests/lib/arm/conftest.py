"""Emulated arms on pseudo-terminals for the tests: the real pymycobot runs against every one of them."""

from __future__ import annotations

import json
import multiprocessing
import signal
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, replace
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import pytest

from lib.arm.firmware import Emulated, Faults, emulation
from lib.errors import NightpickError
from lib.settings import Settings


@dataclass(frozen=True)
class Bench:
    """One emulated arm and the settings by which a driver reaches it."""

    settings: Settings
    socket: str
    pid: int

    def ask(self, question: str, **more: Any) -> dict[str, Any]:
        return ask(self.socket, question, **more)

    def faults(self, **switches: Any) -> None:
        self.ask("faults", set=switches)

    def encoders_deg(self) -> list[float]:
        encoders: list[float] = self.ask("state")["encoders_deg"]
        return encoders

    def motions_asked(self) -> list[str]:
        """Motion frames as they came from the driver, before any fault on the wire."""
        return [frame for frame in self.ask("log")["asked"] if frame.split()[3] in ("21", "22")]


def ask(path: str, question: str, **more: Any) -> dict[str, Any]:
    """Ask the firmware one question over its socket; raises NightpickError where it refuses."""
    with socket.socket(socket.AF_UNIX, socket.SOCK_STREAM) as client:
        client.settimeout(30.0)
        client.connect(path)
        client.sendall(json.dumps({"ask": question, **more}).encode() + b"\n")
        answer: dict[str, Any] = json.loads(client.makefile("rb").readline())
    if "error" in answer:
        raise NightpickError(str(answer["error"]))
    return answer


MakeBench = Callable[..., Bench]


# A firmware of its own for each test, without each loading NumPy and MuJoCo again.
_SERVER = multiprocessing.get_context("forkserver")
_SERVER.set_forkserver_preload(["lib.arm.firmware", "tests.lib.arm.conftest"])


def _serve(settings: Settings, more: dict[str, Any], told: Connection) -> None:
    for name in (signal.SIGINT, signal.SIGHUP):
        signal.signal(name, signal.SIG_IGN)
    faults = Faults().with_changes(more.pop("faults", {}))
    with emulation(settings, body="ideal", faults=faults, lifeline=told.fileno(), **more) as (where, arm):
        signal.signal(signal.SIGTERM, lambda *_: arm.end())
        told.send(where)
        arm.run()


@contextmanager
def making_benches(folder: Path) -> Iterator[MakeBench]:
    """Yield what makes emulated arms with an ideal body; more arguments go to the firmware."""
    with ExitStack() as ends:

        def make(
            time_scale: float = 20.0,
            seed: int = 0,
            link_failures: int = 3,
            powered: bool = False,
            **more: Any,
        ) -> Bench:
            settings = Settings(data_dir=folder / "data")
            cell = replace(settings.cell, time_scale=time_scale, seed=seed)
            settings = replace(settings, cell=cell)
            ours, its = _SERVER.Pipe()
            process = _SERVER.Process(
                target=_serve, args=(settings, {"powered": powered, **more}, its), daemon=True
            )
            process.start()
            its.close()
            ends.callback(process.join, 10.0)
            ends.callback(process.terminate)
            where: Emulated = ours.recv()
            ends.callback(ours.close)
            arm = replace(settings.arm, kind="serial", port=where.port, link_failures=link_failures)
            return Bench(replace(settings, arm=arm), where.socket, where.pid)

        yield make


@pytest.fixture
def make_bench(tmp_path: Path) -> Iterator[MakeBench]:
    """Make emulated arms with an ideal body; more arguments go to the firmware."""
    with making_benches(tmp_path) as make:
        yield make


@pytest.fixture
def bench(make_bench: MakeBench) -> Bench:
    """An emulated arm without faults, 20 times faster than a real one."""
    return make_bench()
