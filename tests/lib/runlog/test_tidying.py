"""Many small logs are closed by whoever comes along: seldom, without waiting, and none of a run."""

from __future__ import annotations

import fcntl
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from flows.cli import main
from lib.runlog import RunLog, close_logs, connect, reconcile, run_log, tidy_logs
from lib.runlog.folder import closed_folder, open_logs
from lib.runlog.tidying import MANY_LOGS

TIDIES = """
import sys
from pathlib import Path
from lib.runlog import run_log, tidy_logs
run_log(Path(sys.argv[1])).append("observation", name=sys.argv[2], value=1)
print("written", flush=True)
sys.stdin.read()
tidy_logs(Path(sys.argv[1]))
"""


def test_a_machine_that_only_ingests_keeps_few_open_logs_and_every_record(
    data_dir: Path, tmp_path: Path
) -> None:
    expected = _written(data_dir, MANY_LOGS - 1)
    assert main(["scan", "ingest", str(tmp_path / "none.csv")]) == 2
    assert len(open_logs(data_dir)) == MANY_LOGS  # not yet too many
    expected += _written(data_dir, 1)
    assert main(["scan", "ingest", str(tmp_path / "none.csv")]) == 2
    assert len(open_logs(data_dir)) == 1  # this process's own
    assert _read(data_dir) == expected
    assert connect(data_dir).execute("SELECT count(*) FROM scan_event").fetchone() == (2,)


def test_who_only_asks_closes_nothing(data_dir: Path, capsys: pytest.CaptureFixture[str]) -> None:
    _written(data_dir, MANY_LOGS + 8)
    assert main(["sql", "SELECT count(*) AS n FROM observation"]) == 0
    assert capsys.readouterr().out == f"n\n{MANY_LOGS + 8}\n"
    assert len(open_logs(data_dir)) == MANY_LOGS + 8


def test_a_run_that_died_is_left_for_the_night_which_tells_prefect(data_dir: Path) -> None:
    dead = RunLog(data_dir)
    dead.append("flow_run", flow_run_id="dead", flow="night", state="unfinished")
    dead.close()
    _written(data_dir, MANY_LOGS)
    _record(data_dir, "own")
    assert tidy_logs(data_dir).logs == MANY_LOGS
    assert [run.run_id for run in reconcile(data_dir)] == ["dead"]


def test_while_another_process_closes_it_does_not_wait(data_dir: Path) -> None:
    _written(data_dir, MANY_LOGS)
    close_logs(data_dir)
    _written(data_dir, MANY_LOGS)
    _record(data_dir, "own")
    with (closed_folder(data_dir) / ".closing").open("a") as closing:
        fcntl.flock(closing, fcntl.LOCK_EX)
        started = time.monotonic()
        assert tidy_logs(data_dir).logs == 0
        assert time.monotonic() - started < 0.5
    assert tidy_logs(data_dir).logs == MANY_LOGS


def test_what_cannot_be_closed_now_stays_and_fails_no_command(data_dir: Path) -> None:
    expected = _written(data_dir, MANY_LOGS)
    closed_folder(data_dir).write_text("a file where the folder should be")
    _record(data_dir, "own")
    assert tidy_logs(data_dir).logs == 0
    closed_folder(data_dir).unlink()
    assert tidy_logs(data_dir).logs == MANY_LOGS
    assert _read(data_dir) == [*expected, "own"]


def test_two_at_once_and_one_killed_in_the_middle_keep_every_record_once(data_dir: Path) -> None:
    expected = []
    for wait_s in (0.0, 0.05, 0.2):
        expected += _written(data_dir, MANY_LOGS + 5, prefix=f"{wait_s}-")
        names = [f"{wait_s}-killed", f"{wait_s}-whole"]
        killed, whole = (_tidying(data_dir, name) for name in names)
        for process in (killed, whole):
            assert process.stdin is not None
            process.stdin.close()
        time.sleep(wait_s)
        killed.send_signal(signal.SIGKILL)
        killed.wait()
        assert whole.wait(timeout=60) == 0
        expected += names
        assert sorted(_read(data_dir)) == sorted(expected)
    close_logs(data_dir)
    assert sorted(_read(data_dir)) == sorted(expected)


def _written(data_dir: Path, logs: int, prefix: str = "") -> list[str]:
    """Write finished logs as that many commands leave them; return their records' names, in order."""
    names = [f"{prefix}{time.time_ns()}" for _ in range(logs)]
    for name in names:
        log = RunLog(data_dir)
        log.append("observation", name=name, value=1, unit="times")
        log.close()
    return names


def _record(data_dir: Path, name: str) -> None:
    run_log(data_dir).append("observation", name=name, value=1)


def _read(data_dir: Path) -> list[str]:
    with connect(data_dir) as con:
        return [name for (name,) in con.execute("SELECT name FROM observation ORDER BY seq").fetchall()]


def _tidying(data_dir: Path, name: str) -> subprocess.Popen[bytes]:
    """Start a process that has recorded something and tidies when its input ends."""
    process = subprocess.Popen(
        [sys.executable, "-c", TIDIES, str(data_dir), name], stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None
    assert process.stdout.readline() == b"written\n"
    return process
