"""What every test may use: one real Prefect server for the session; Prefect is kept off the home folder."""

from __future__ import annotations

import atexit
import os
import shutil
import signal
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import hypothesis
import pytest

from flows.serving import prefect_environment
from flows.serving.child import Child
from flows.serving.server import Server, any_free_port, start_child
from lib.settings import Settings
from tests.one_server import pytest_xdist_make_scheduler

__all__ = ["pytest_xdist_make_scheduler"]

# A shell starts background jobs deaf to Ctrl-C, and what they start is deaf too; some tests send it.
if signal.getsignal(signal.SIGINT) == signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)

# What an example takes tells of the machine's other work.
hypothesis.settings.register_profile("untimed", deadline=None)
hypothesis.settings.load_profile("untimed")

# Before anything imports Prefect: no test ever talks to a server of the person who runs it.
os.environ.update(prefect_environment.CLIENT)
os.environ["PREFECT_HOME"] = tempfile.mkdtemp(prefix="nightpick-prefect-")
atexit.register(shutil.rmtree, os.environ["PREFECT_HOME"], ignore_errors=True)
os.environ.pop("PREFECT_API_URL", None)


@pytest.fixture(scope="session")
def prefect_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Server]:
    """A Prefect server of our own making that answers; mark its users ``xdist_group("prefect")``."""
    settings = Settings(data_dir=tmp_path_factory.mktemp("prefect-data"))
    server = start_child(settings, "tests", any_free_port())
    assert isinstance(server.child, Child)
    try:
        server.wait_ready()
        _copy_database(settings.data_dir)
        yield server
    finally:
        server.child.stop()


@pytest.fixture(scope="session")
def migrated_database(prefect_server: Server) -> Path:
    """A database without any run: a server started on a copy of it saves itself 12 s of migrations."""
    assert prefect_server.child is not None
    return prefect_server.child.log.parents[1] / "migrated.db"


def _copy_database(data_dir: Path) -> None:
    home = data_dir / "prefect"
    with (
        closing(sqlite3.connect(home / "prefect.db")) as source,
        closing(sqlite3.connect(home / "migrated.db")) as target,
    ):
        source.backup(target)


@pytest.fixture
def prefect_api(prefect_server: Server) -> Iterator[Server]:
    """The server, with this process's flows reporting to it."""
    from prefect.settings import PREFECT_API_URL, temporary_settings

    with temporary_settings({PREFECT_API_URL: prefect_server.api_url}):
        yield prefect_server


@pytest.fixture
def data_dir(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data folder of the test's own, which flows find by the environment."""
    folder = tmp_path / "data"
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(folder))
    monkeypatch.setenv("NIGHTPICK_BATCH__RUNS", "0")  # nothing moves but where a test asks for it
    return folder
