"""A run that died with its process is found and said to have crashed; one that goes on is left alone."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from lib.runlog import connect, reconcile, run_log

WRITER = """
import os, signal, sys
from pathlib import Path
from lib.runlog import close_logs, run_log
data_dir = Path(sys.argv[1])
log = run_log(data_dir)
log.append("flow_run", flow_run_id="f", prefect_flow_run_id="p-f", flow="night", state="unfinished")
if sys.argv[2] == "closed between":
    close_logs(data_dir)
log.append("task_run", task_run_id="t1", flow_run_id="f", task="ingest scan", state="unfinished")
log.append("task_run", task_run_id="t1", duration_s=1.0, state="finished")
log.append("task_run", task_run_id="t2", flow_run_id="f", task="merge table", state="unfinished")
print("written", flush=True)
if sys.argv[2] == "alive":
    sys.stdin.read()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_what_was_running_when_its_process_was_killed_is_recorded_as_crashed(tmp_path: Path) -> None:
    _writer(tmp_path, "killed").wait()
    lost = reconcile(tmp_path)
    assert {(run.relation, run.run_id, run.prefect_id) for run in lost} == {
        ("flow_run", "f", "p-f"),
        ("task_run", "t2", None),
    }
    assert _states(tmp_path) == {"f": "crashed", "t1": "finished", "t2": "crashed"}
    assert reconcile(tmp_path) == []


def test_a_flow_run_whose_first_row_is_already_closed_is_found_too(tmp_path: Path) -> None:
    _writer(tmp_path, "closed between").wait()
    reconcile(tmp_path)
    assert _states(tmp_path) == {"f": "crashed", "t1": "finished", "t2": "crashed"}


def test_a_run_whose_process_lives_is_left_alone(tmp_path: Path) -> None:
    writer = _writer(tmp_path, "alive")
    assert reconcile(tmp_path) == []
    writer.kill()
    writer.wait()
    assert len(reconcile(tmp_path)) == 2


def test_this_process_s_own_unfinished_run_is_left_alone(tmp_path: Path) -> None:
    run_log(tmp_path).append("flow_run", flow_run_id="mine", flow="night", state="unfinished")
    assert reconcile(tmp_path) == []


def _writer(data_dir: Path, manner: str) -> subprocess.Popen[bytes]:
    writer = subprocess.Popen(
        [sys.executable, "-c", WRITER, str(data_dir), manner],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        cwd=Path(__file__).parents[3],
    )
    assert writer.stdout is not None
    assert writer.stdout.readline() == b"written\n"
    return writer


def _states(data_dir: Path) -> dict[str, str]:
    with connect(data_dir) as con:
        rows = con.execute(
            "SELECT flow_run_id, state FROM flow_run UNION ALL SELECT task_run_id, state FROM task_run"
        ).fetchall()
    return dict(rows)
