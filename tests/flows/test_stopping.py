"""Stopping: said at once, done in order and soon, with the cause, its exit code and one document."""

from __future__ import annotations

import json
import os
import signal
import sqlite3
import subprocess
import sys
import threading
import time
from contextlib import closing
from pathlib import Path

import duckdb
import pytest
from prefect import flow

from flows.serving.server import Server
from flows.stopping import stopping_in_order
from lib.runlog import connect
from lib.settings import Settings
from lib.stop import Stopped
from tasks.evidence import Evidence, evidence_task
from tests.flows.processes import ROOT, nightpick, processes_of, wait_until, with_database

TWENTY_BASES = "".join(f"{33 + k / 4},57,20,-12,-86,-30\n" for k in range(20))
ENDLESS = "SELECT count(*) FROM range(10000000) a, range(10000000) b WHERE a.range % 7 = b.range % 3"


@pytest.mark.xdist_group("prefect")
def test_a_second_night_is_refused_before_a_server_starts_and_the_first_stops_in_order(
    tmp_path: Path, migrated_database: Path
) -> None:
    data_dir = tmp_path / "data"
    with_database(data_dir, migrated_database)
    (data_dir / "requests").mkdir()
    (data_dir / "requests" / "twenty-bases.csv").write_text(TWENTY_BASES)
    said = tmp_path / "first.txt"
    first = nightpick("night", "--json", data_dir=data_dir, output=said)
    wait_until(lambda: "starting the Prefect server" in said.read_text(), 60, "the first night has begun")

    second = nightpick("night", "--json", data_dir=data_dir, output=tmp_path / "second.txt")
    assert second.wait(timeout=60) == 4
    document, line = (tmp_path / "second.txt").read_text().splitlines()
    assert json.loads(document)["error"]["kind"] == "busy"
    assert line.startswith("nightpick: a night already runs for arm mecharm270")
    assert "watch it at" not in said.read_text()  # it was told before the first one's server answered

    wait_until(lambda: _is_merging(data_dir), 240, "the merge has begun")
    first.send_signal(signal.SIGTERM)
    assert first.wait(timeout=60) == 128 + signal.SIGTERM, said.read_text()
    assert processes_of(data_dir) == []
    lines = said.read_text().splitlines()
    (stopping,) = [line for line in lines if line.startswith("stopping, SIGTERM: ")]
    assert ": merge twenty-bases.csv" in stopping and "`nightpick night` goes on from there" in stopping
    assert "merge scan: stopped by SIGTERM" in lines
    (document,) = [line for line in lines if line.startswith("{")]
    assert json.loads(document)["error"] == {"message": "stopped by SIGTERM", "code": 143, "kind": "stopped"}
    assert lines[-1] == "nightpick: stopped by SIGTERM"

    with connect(data_dir) as con:
        assert con.execute("SELECT state FROM night").fetchall() == [("unfinished",)]  # resumed by the next
        assert con.execute("SELECT state, error FROM flow_run").fetchall() == [
            ("failed", "stopped by SIGTERM")
        ]
        failed = con.execute("SELECT task, error FROM task_run WHERE state <> 'finished'").fetchall()
    assert failed == [("merge scan", "stopped by SIGTERM")]
    with closing(sqlite3.connect(data_dir / "prefect" / "prefect.db")) as prefect:
        assert prefect.execute("SELECT state_name FROM flow_run").fetchall() == [("Crashed",)]


@pytest.mark.xdist_group("prefect")
def test_a_stop_is_told_as_one_also_where_the_database_calls_it_an_error_of_its_own(
    prefect_api: Server, data_dir: Path
) -> None:
    @evidence_task("count for ever")
    def count(settings: Settings) -> Evidence[None]:
        threading.Timer(0.5, os.kill, (os.getpid(), signal.SIGINT)).start()
        with duckdb.connect() as con:
            con.execute(ENDLESS)
        return Evidence(None, headline="counted")

    @flow(name="endless")
    def endless() -> None:
        count(Settings(data_dir=data_dir))

    with stopping_in_order(last_word=lambda wish: None), pytest.raises(Stopped, match="Ctrl-C"):
        endless()
    with connect(data_dir) as con:
        rows = con.execute("SELECT state, error FROM task_run").fetchall()
    assert rows == [("failed", "stopped by Ctrl-C (SIGINT)")]


@pytest.mark.parametrize("name", ["SIGINT", "SIGTERM", "SIGHUP"])
def test_every_verb_ends_with_its_cause_its_code_and_one_document(tmp_path: Path, name: str) -> None:
    said = tmp_path / "said.txt"
    asking = nightpick("sql", ENDLESS, "--json", data_dir=tmp_path / "data", output=said)
    wait_until(lambda: _catches(asking.pid, signal.SIGTERM), 30, "the verb runs")
    time.sleep(0.5)
    number = signal.Signals[name]
    asking.send_signal(number)
    assert asking.wait(timeout=30) == 128 + number
    document, line = said.read_text().splitlines()
    error = json.loads(document)["error"]
    assert (error["code"], error["kind"]) == (128 + number, "stopped")
    assert name in error["message"] and line == f"nightpick: {error['message']}"


STUBBORN = """
import time
from flows.stopping import stopping_in_order, waiting_for
with stopping_in_order(last_word=lambda wish: print(wish, flush=True)), waiting_for(lambda: "a long sleep"):
    try:
        print("begun", flush=True)
        time.sleep(60)
    except KeyboardInterrupt:
        time.sleep(60)
"""


def test_the_same_wish_twice_is_one_and_one_more_later_ends_on_the_spot() -> None:
    stubborn = subprocess.Popen(
        [sys.executable, "-c", STUBBORN], cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    assert stubborn.stdout is not None
    assert stubborn.stdout.readline() == b"begun\n"
    for _ in range(2):
        stubborn.send_signal(signal.SIGTERM)
        time.sleep(0.2)
    assert stubborn.poll() is None
    time.sleep(1.1)
    stubborn.send_signal(signal.SIGINT)
    out, err = stubborn.communicate(timeout=10)
    assert (stubborn.returncode, out) == (128 + signal.SIGTERM, b"stopped by SIGTERM\n")
    assert err == b"stopping, SIGTERM: a long sleep; once more ends it on the spot\n"


def _is_merging(data_dir: Path) -> bool:
    with connect(data_dir) as con:
        return con.execute("SELECT 1 FROM task_run WHERE task = 'merge scan'").fetchone() is not None


def _catches(pid: int, number: int) -> bool:
    """Tell whether a process has a handler of its own for a signal."""
    try:
        status = Path(f"/proc/{pid}/status").read_text()
    except FileNotFoundError:
        return True  # it has ended, and what it says tells why
    (caught,) = [line.split()[1] for line in status.splitlines() if line.startswith("SigCgt:")]
    return bool(int(caught, 16) >> (number - 1) & 1)
