"""Which server is used, what its processes get as settings, and what is said when it is not there."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
from pathlib import Path

import pytest

from flows.serving import prefect_environment, server
from flows.serving.server import Server, any_free_port, owning, running, serving
from lib.errors import BadInput, Busy, NightpickError
from lib.settings import PrefectServer, Settings
from tests.flows.processes import ROOT


@pytest.fixture(autouse=True)
def _as_if_prefect_were_not_imported(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(prefect_environment, "apply", lambda environment: None)


def test_a_configured_server_that_does_not_answer_is_named_with_what_to_do(tmp_path: Path) -> None:
    url = f"http://127.0.0.1:{any_free_port()}/api"
    settings = Settings(data_dir=tmp_path, prefect=PrefectServer(api_url=url))
    with pytest.raises(BadInput, match=f"prefect.api_url = '{url}' does not answer"):
        serving(settings, "night", None).__enter__()
    assert running(settings) is None


@pytest.mark.xdist_group("prefect")
def test_a_configured_server_that_answers_is_used_and_left_running(
    prefect_server: Server, tmp_path: Path
) -> None:
    settings = Settings(data_dir=tmp_path, prefect=PrefectServer(api_url=prefect_server.api_url))
    with serving(settings, "night", None) as used, owning(settings, "up", None) as owned:
        assert (used.api_url, used.child, owned.child) == (prefect_server.api_url, None, None)
    assert running(settings) is not None


def test_a_server_that_cannot_start_says_its_last_word_and_where_its_log_is(tmp_path: Path) -> None:
    (tmp_path / "prefect").mkdir()
    (tmp_path / "prefect" / "prefect.db").mkdir()  # a folder where the database should be
    broken = server.start_child(Settings(data_dir=tmp_path), "tests", any_free_port())
    assert broken.child is not None
    try:
        with pytest.raises(
            NightpickError, match=r"at start: .*unable to open database file; see .*server\.log"
        ):
            broken.wait_ready()
    finally:
        broken.child.stop()


def test_who_needs_a_server_of_its_own_is_told_who_has_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(server, "start_child", _a_server_without_a_process)
    settings = Settings(data_dir=tmp_path)
    with serving(settings, "night", None) as first:
        with serving(settings, "night", None) as second:  # another night shares it
            assert (second.api_url, second.child) == (first.api_url, None)
        with pytest.raises(Busy, match="`nightpick night` runs the Prefect server"):
            owning(settings, "up", None).__enter__()
    assert not (tmp_path / "prefect" / "server.json").exists()


def test_port_4200_is_given_to_one_only_and_not_while_somebody_listens(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.setattr(server, "PREFERRED_PORT", any_free_port())
    with server._free_port() as first, server._free_port() as second:
        assert first == server.PREFERRED_PORT
        assert second != server.PREFERRED_PORT
    with socket.socket() as listener:
        listener.bind((server.HOST, server.PREFERRED_PORT))
        listener.listen()
        with server._free_port() as third:
            assert third != server.PREFERRED_PORT


def test_the_settings_reach_prefect_s_own_as_written(tmp_path: Path) -> None:
    environment = prefect_environment.for_server(Settings(data_dir=tmp_path), "127.0.0.1", 4321)
    program = (
        "from prefect.settings import get_current_settings as g; s = g();"
        "print(s.server.ephemeral.enabled, s.server.analytics_enabled, s.flows.heartbeat_frequency,"
        " s.server.concurrency.lease_storage.rsplit('.', 1)[1],"
        " s.server.concurrency.initial_deployment_lease_duration, s.server.events.retention_period.days,"
        " s.server.services.db_vacuum.retention_period.days, sorted(s.server.services.db_vacuum.enabled),"
        " s.results.default_serializer, s.tasks.default_no_cache, s.server.ui.show_promotional_content,"
        " s.api.url, s.home)"
    )
    said = subprocess.run(
        [sys.executable, "-c", program],
        env={**os.environ, **environment},
        capture_output=True,
        cwd=ROOT,
        check=False,
    )
    assert said.stdout.decode().strip() == (
        "False False 30 filesystem 60.0 14 90 ['events', 'flow_runs'] json True False "
        f"http://127.0.0.1:4321/api {tmp_path / 'prefect'}"
    ), said.stderr.decode()


def test_a_setting_of_the_machine_wins_and_the_settings_file_travels_on(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PREFECT_FLOWS_HEARTBEAT_FREQUENCY", "60")
    monkeypatch.setenv("NO_PROXY", "example.org")
    environment = prefect_environment.for_flows(
        Settings(data_dir=tmp_path), "http://server/api", tmp_path / "n.toml"
    )
    assert environment["PREFECT_FLOWS_HEARTBEAT_FREQUENCY"] == "60"
    assert environment["NIGHTPICK_CONFIG"] == str(tmp_path / "n.toml")
    assert environment["NO_PROXY"] == "example.org,127.0.0.1,localhost"


def _a_server_without_a_process(settings: Settings, owner: str, port: int) -> Server:
    from flows.serving.child import Child
    from flows.serving.server import Record, _write_record

    child = Child([sys.executable, "-c", "input()"], settings.data_dir / "log", environment=dict(os.environ))
    _write_record(settings.data_dir / "prefect", Record(f"http://127.0.0.1:{port}/api", owner, os.getpid()))
    return Server(f"http://127.0.0.1:{port}/api", owner, child)
