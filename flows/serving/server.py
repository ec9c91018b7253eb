"""The Prefect server of this machine: one that runs already, or a child for as long as it is needed.

Chosen in this order: ``prefect.api_url`` of the settings; the server another nightpick process runs
for the same data folder; a child ``prefect server start`` on loopback, on port 4200 where that is
free. Never Prefect's ephemeral server. Whoever runs the child holds a lock on
``data/prefect/server.lock`` for as long, so ``server.json`` beside it is believed only while its
writer lives. This module must not import Prefect: it sets what Prefect reads at import.
"""

from __future__ import annotations

import fcntl
import json
import os
import socket
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO

from flows.serving import prefect_environment
from flows.serving.child import Child
from lib.disk import disk, whole_file
from lib.errors import BadInput, Busy, NightpickError
from lib.settings import Settings

HOST = "127.0.0.1"
PREFECT = Path(__file__).with_name("prefect_process.py")
PREFERRED_PORT = 4200
# A fresh database takes about 20 s on two slow cores, a later start 8 s.
START_LIMIT_S = 180.0

Progress = Callable[[float], None]


@dataclass(frozen=True)
class Record:
    """What ``server.json`` says about the server of a data folder."""

    api_url: str
    owner: str
    pid: int


class Server:
    """A Prefect server to report to; ``child`` is set where this process runs it."""

    def __init__(self, api_url: str, owner: str, child: Child | None = None) -> None:
        self.api_url = api_url
        self.owner = owner
        self.child = child
        self._has_answered = False

    @property
    def ui_url(self) -> str:
        """Where a person watches: the address without ``/api``."""
        return self.api_url.removesuffix("/api")

    def wait_ready(self, progress: Progress = lambda waited_s: None) -> float:
        """Return the seconds [s] it took to answer; ``progress`` is told the seconds so far.

        Raises NightpickError where the child ended or the server does not answer in time.
        """
        started = time.monotonic()
        while not is_healthy(self.api_url):
            waited_s = time.monotonic() - started
            if self.child is not None and self.child.exit_code() is not None:
                raise NightpickError(
                    f"the Prefect server ended at start: {self.child.last_line()}; see {self.child.log}"
                )
            if waited_s > START_LIMIT_S:
                where = f"; its log is {self.child.log}" if self.child is not None else ""
                raise NightpickError(
                    f"no answer from {self.api_url}/health after {waited_s:.0f} s{where}; try again"
                )
            progress(waited_s)
            time.sleep(0.1)
        self._has_answered = True
        return time.monotonic() - started

    def stop(self) -> None:
        """End the child, where there is one.

        A server that starts hears nothing before it has started, 20 s later on a fresh database; but
        it migrates that one step a transaction, so it may be killed and goes on the next time.
        """
        if self.child is not None and self._has_answered:
            self.child.stop()
        elif self.child is not None:
            self.child.kill()


@contextmanager
def serving(settings: Settings, owner: str, config: Path | None) -> Iterator[Server]:
    """Choose or start the server, put its settings into this process's environment; stop it at the end.

    ``config`` is the settings file in force, for the processes that run flows. A started child
    answers only after ``wait_ready``: do what needs no Prefect in between.
    Raises BadInput where the configured address does not answer, DiskRefused where there can be no child.
    """
    if settings.prefect.api_url:
        yield _applied(settings, _configured(settings.prefect.api_url), config)
        return
    home = prefect_environment.prefect_home(settings)
    with disk(home):
        home.mkdir(parents=True, exist_ok=True)
        held = (home / "server.lock").open("w")
    with held as lock:
        if not _locked(lock):
            yield _applied(settings, _other(home), config)
            return
        with _free_port() as port, _no_record_left(home):
            with disk(home):
                server = start_child(settings, owner, port)
            try:
                yield _applied(settings, server, config)
            finally:
                server.stop()


@contextmanager
def owning(settings: Settings, owner: str, config: Path | None) -> Iterator[Server]:
    """Like ``serving``, for a process others will rely on: raises Busy where another runs the server."""
    with serving(settings, owner, config) as server:
        if server.child is None and not settings.prefect.api_url:
            raise Busy(
                f"`nightpick {server.owner}` runs the Prefect server of {settings.data_dir} "
                f"({server.ui_url}); stop it or wait for its end, then start `nightpick {owner}` again"
            )
        yield server


def running(settings: Settings) -> Server | None:
    """Return the server that answers for this data folder now, None where there is none."""
    if settings.prefect.api_url:
        url = settings.prefect.api_url
        return Server(url, "prefect.api_url") if is_healthy(url) else None
    record = _read_record(prefect_environment.prefect_home(settings))
    if record is None or not _is_alive(record.pid) or not is_healthy(record.api_url):
        return None
    return Server(record.api_url, record.owner)


def is_healthy(api_url: str, limit_s: float = 2.0) -> bool:
    """Ask ``/health``; never through a proxy."""
    opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
    try:
        with opener.open(f"{api_url}/health", timeout=limit_s) as answer:
            return bool(json.load(answer) is True)
    except (OSError, ValueError, urllib.error.URLError):
        return False


def start_child(settings: Settings, owner: str, port: int) -> Server:
    """Start a server on a loopback port; it does not answer yet, and the caller stops its child."""
    home = prefect_environment.prefect_home(settings)
    environment = prefect_environment.for_server(settings, HOST, port)
    command = [sys.executable, str(PREFECT), "server", "start", "--host", HOST, "--port", str(port)]
    api_url = f"http://{HOST}:{port}/api"
    home.mkdir(parents=True, exist_ok=True)
    _write_record(home, Record(api_url, owner, os.getpid()))  # before the child: a full disk says so here
    child = Child(
        command, home / "logs" / "server.log", environment={**os.environ, **environment}, grace_s=10.0
    )
    return Server(api_url, owner, child)


def _configured(api_url: str) -> Server:
    server = Server(api_url, "prefect.api_url")
    if not is_healthy(api_url, limit_s=10.0):
        raise BadInput(
            f"prefect.api_url = {api_url!r} does not answer {api_url}/health; start that server, "
            "correct the address, or unset it to have a child server"
        )
    return server


def _other(home: Path) -> Server:
    """Return the server of the process that holds the lock; its record follows within a moment."""
    for _ in range(50):
        record = _read_record(home)
        if record is not None:
            return Server(record.api_url, record.owner)
        time.sleep(0.1)
    raise Busy(f"another process holds {home / 'server.lock'} but has started no server; try again")


def _applied(settings: Settings, server: Server, config: Path | None) -> Server:
    prefect_environment.apply(prefect_environment.for_flows(settings, server.api_url, config))
    return server


def _locked(lock: IO[str]) -> bool:
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _read_record(home: Path) -> Record | None:
    try:
        return Record(**json.loads((home / "server.json").read_text(encoding="utf-8")))
    except (OSError, ValueError, TypeError):
        return None


def _write_record(home: Path, record: Record) -> None:
    with whole_file(home / "server.json") as beside:
        beside.write_text(json.dumps(asdict(record)), encoding="utf-8")


@contextmanager
def _no_record_left(home: Path) -> Iterator[None]:
    try:
        yield
    finally:
        (home / "server.json").unlink(missing_ok=True)


@contextmanager
def _free_port() -> Iterator[int]:
    """Give port 4200 where nobody listens and no other nightpick is about to, else any free one.

    Prefect binds its port only after migrating its database, 20 s later, so two starting servers
    would both find 4200 free: they agree by a lock file in the folder for temporary files.
    """
    claim = Path(tempfile.gettempdir()) / f"nightpick-port-{PREFERRED_PORT}.lock"
    try:
        lock = claim.open("w")
    except OSError:  # another user's, whose server has the port or will; or a disk that takes nothing
        yield any_free_port()
        return
    with lock:
        yield PREFERRED_PORT if _locked(lock) and _is_free(PREFERRED_PORT) else any_free_port()


def _is_free(port: int) -> bool:
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((HOST, port))
        except OSError:
            return False
        return True


def any_free_port() -> int:
    """Return a loopback port that nobody uses now."""
    with socket.socket() as probe:
        probe.bind((HOST, 0))
        return int(probe.getsockname()[1])
