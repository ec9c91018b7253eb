"""`nightpick night` as a person runs it: killed, started again, with a server of its own."""

from __future__ import annotations

import os
import signal
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path

import pytest

from flows.serving import prefect_environment
from flows.serving.server import any_free_port, start_child
from lib.runlog import connect
from lib.settings import Settings
from tests.flows.processes import ROOT, nightpick, processes_of, wait_until, with_database

pytestmark = pytest.mark.xdist_group("prefect")

REQUEST = "36.215,57,20,-12,-86,-30\n-35,70,25,0,-85,-30\n"


def test_a_night_killed_in_the_middle_leaves_no_process_and_is_finished_by_the_next_start(
    tmp_path: Path, migrated_database: Path
) -> None:
    data_dir = tmp_path / "data"
    with_database(data_dir, migrated_database)
    (data_dir / "requests").mkdir()
    (data_dir / "requests" / "two-bases.csv").write_text(REQUEST)

    killed = nightpick("night", data_dir=data_dir, output=tmp_path / "killed.txt")
    wait_until(lambda: "ingest scan" in (tmp_path / "killed.txt").read_text(), 120, "the scan is taken in")
    killed.send_signal(signal.SIGKILL)
    killed.wait()
    wait_until(lambda: processes_of(data_dir) == [], 45, "the server ends with its night")

    resumed = nightpick("night", data_dir=data_dir, output=tmp_path / "resumed.txt")
    assert resumed.wait(timeout=180) == 0, (tmp_path / "resumed.txt").read_text()
    assert processes_of(data_dir) == []
    *_, report, advice = (tmp_path / "resumed.txt").read_text().splitlines()
    page = Path(report.removeprefix("report: "))
    assert page.is_file()
    assert advice.startswith("`nightpick up`")
    assert "watch it at http://127.0.0.1:" in (tmp_path / "resumed.txt").read_text()

    with connect(data_dir) as con:
        nights = con.execute("SELECT night_id, state, report_path FROM night").fetchall()
        flows = con.execute("SELECT state FROM flow_run ORDER BY started_utc").fetchall()
        versions = con.execute("SELECT version, rows FROM fk_version").fetchall()
        unfinished = con.execute("SELECT count(*) FROM task_run WHERE state = 'unfinished'").fetchone()
        tasks = con.execute("SELECT prefect_task_run_id FROM task_run").fetchall()
    assert [(night_id, state) for night_id, state, _ in nights] == [(page.stem, "finished")]
    assert data_dir / nights[0][2] == page
    assert flows == [("crashed",), ("finished",)]
    assert versions == [(1, 33_614)]
    assert unfinished == (0,)
    with closing(sqlite3.connect(data_dir / "prefect" / "prefect.db")) as prefect:
        states = prefect.execute("SELECT name, state_name FROM flow_run ORDER BY created").fetchall()
        shown = prefect.execute("SELECT id, state_name FROM task_run").fetchall()
    assert [state for _, state in states] == ["Crashed", "Completed"]
    assert states[-1][0] == f"night {page.stem}"
    assert {state for _, state in shown} <= {"Completed", "Crashed"}
    # Prefect may lose rows, the log does not; it may have been killed before its row of the task just begun.
    only_shown = [state for run, state in shown if run not in {row[0] for row in tasks}]
    assert only_shown in ([], ["Crashed"])


@pytest.mark.slow
def test_every_task_run_is_in_the_run_log_when_the_server_is_killed_at_the_end(
    tmp_path: Path, migrated_database: Path
) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    with_database(settings.data_dir, migrated_database)
    server = start_child(settings, "tests", any_free_port())
    assert server.child is not None
    try:
        server.wait_ready()
        program = subprocess.run(
            [sys.executable, "-c", MANY_TASKS, "200"],
            env={**os.environ, **prefect_environment.for_flows(settings, server.api_url, None)},
            cwd=ROOT,
            capture_output=True,
            check=False,
        )
        for line in server_pids(settings.data_dir):
            os.kill(line, signal.SIGKILL)
    finally:
        server.child.stop()
    ran = set(program.stdout.decode().split())
    assert len(ran) == 200, program.stderr.decode()
    with connect(settings.data_dir) as con:
        rows = con.execute("SELECT prefect_task_run_id, state FROM task_run").fetchall()
    assert {run for run, _ in rows} == ran
    assert {state for _, state in rows} == {"finished"}


MANY_TASKS = """
import os, sys
from prefect import flow
from prefect.runtime import task_run
from flows.recorded import recorded_flow
from tasks.evidence import Evidence, evidence_task

@evidence_task("count")
def count(settings, number: int):
    print(task_run.id, flush=True)
    return Evidence(number, headline=str(number), metrics={"number": (number, "tasks")})

@flow
def counting(tasks: int):
    with recorded_flow("counting") as settings:
        for number in range(tasks):
            count(settings, number)
        os._exit(0)  # at once: nothing of what is still queued for the server is sent

counting(int(sys.argv[1]))
"""


def server_pids(data_dir: Path) -> list[int]:
    """Return the process ids of the Prefect server of a data folder, not of its guardian."""
    mark = f"PREFECT_HOME={data_dir / 'prefect'}\0".encode()
    pids = []
    for process in Path("/proc").glob("[0-9]*"):
        try:
            command = (process / "cmdline").read_bytes()
            if mark in (process / "environ").read_bytes() + b"\0" and b"guardian" not in command:
                pids.append(int(process.name))
        except OSError:
            continue
    return pids


def test_runs_beyond_the_settings_bound_are_refused_at_once(tmp_path: Path) -> None:
    for verb in ("night", "batch"):
        refused = nightpick(verb, "--runs", "10001", data_dir=tmp_path / "data", output=tmp_path / "said.txt")
        assert refused.wait(timeout=60) == 2
        said = (tmp_path / "said.txt").read_text()
        assert "argument --runs: expected 0 to 10000, found '10001'" in said
    assert not (tmp_path / "data").exists()
