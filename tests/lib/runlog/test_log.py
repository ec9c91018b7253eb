"""The writer: names and types checked when written, whole lines whatever happens."""

from __future__ import annotations

import json
import multiprocessing
import os
import signal
import subprocess
import sys
import threading
from datetime import UTC, date, datetime, timedelta, timezone
from pathlib import Path
from typing import Any

import duckdb
import numpy as np
import pytest

from lib.errors import NightpickError
from lib.runlog import RunLog, connect, run_log
from lib.runlog.folder import open_logs
from lib.runlog.reading import create_recorded


def records(data_dir: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for log in open_logs(data_dir) for line in log.read_text().splitlines()]


def test_no_file_before_the_first_record(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    assert not (tmp_path / "runlog").exists()
    log.append("observation", name="rows", value=3, unit="rows")
    assert len(open_logs(tmp_path)) == 1


def test_a_record_is_one_line_with_relation_time_and_a_number_that_grows(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    before = datetime.now(UTC)
    log.append("observation", name="rows", value=3, unit="rows")
    log.append("night", night_id="n1", state="unfinished", local_date=date(2026, 3, 1))
    after = datetime.now(UTC)
    first, second = records(tmp_path)
    assert (first["relation"], first["name"], first["value"], first["unit"]) == (
        "observation",
        "rows",
        3.0,
        "rows",
    )
    assert (second["relation"], second["local_date"]) == ("night", "2026-03-01")
    times = [datetime.fromisoformat(record["time_utc"]) for record in (first, second)]
    assert before - timedelta(microseconds=1) <= times[0] <= times[1] <= after
    assert first["seq"] < second["seq"]


@pytest.mark.parametrize(
    ("relation", "values", "said"),
    [
        ("observaton", {"name": "x"}, "did you mean observation"),
        ("robots", {"name": "x"}, "there are night, flow_run"),
        ("observation", {"nam": "x"}, "did you mean name"),
        ("observation", {"zzz": "x"}, "it has name, value, unit"),
        ("observation", {"seq": 3}, "no column 'seq'"),
    ],
)
def test_what_the_schema_does_not_declare_is_refused(
    tmp_path: Path, relation: str, values: dict[str, object], said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        RunLog(tmp_path).append(relation, **values)
    assert open_logs(tmp_path) == []


@pytest.mark.parametrize(
    ("relation", "values"),
    [
        ("observation", {"value": "3"}),
        ("observation", {"value": True}),
        ("observation", {"value": 10**400}),
        ("observation", {"name": 3}),
        ("observation", {"time_utc": datetime(2026, 3, 1)}),
        ("observation", {"time_utc": "2026-03-01"}),
        ("night", {"local_date": datetime(2026, 3, 1, tzinfo=UTC)}),
        ("night", {"sequence": 2**31}),
        ("night", {"sequence": 1.0}),
        ("merge", {"rows": 2**63}),
        ("merge", {"promoted": 1}),
        ("merge_audit", {"figures": {"a": object()}}),
    ],
)
def test_a_value_that_does_not_fit_its_column_is_refused(
    tmp_path: Path, relation: str, values: dict[str, object]
) -> None:
    with pytest.raises(TypeError, match=f"{relation}\\.{next(iter(values))} is"):
        RunLog(tmp_path).append(relation, **values)
    assert open_logs(tmp_path) == []


def test_values_come_back_as_written(tmp_path: Path) -> None:
    east = timezone(timedelta(hours=5, minutes=30))
    log = RunLog(tmp_path)
    log.append(
        "merge",
        time_utc=datetime(2026, 3, 1, 3, 30, 0, 123456, tzinfo=east),
        merge_id='naïve \N{ROBOT FACE} \x00 "quoted"\nline',
        rows=np.int64(2**62),
        version=np.int32(-3),
        promoted=np.bool_(True),
        duration_s=np.float32(0.1),
    )
    log.append(
        "merge_audit", figures={"worst": float("nan"), "rows": [1, np.int64(2)], "tip": np.array([0.1, 0.2])}
    )
    log.append("observation", name="no number", value=float("-inf"))
    con = connect(tmp_path)
    assert con.execute(
        "SELECT time_utc, merge_id, rows, version, promoted, duration_s, parent FROM merge"
    ).fetchall() == [
        (
            datetime(2026, 2, 28, 22, 0, 0, 123456, tzinfo=UTC),
            'naïve \N{ROBOT FACE} \x00 "quoted"\nline',
            2**62,
            -3,
            True,
            float(np.float32(0.1)),
            None,
        )
    ]
    (figures,) = con.execute("SELECT figures FROM merge_audit").fetchall()[0]
    assert json.loads(figures) == {"worst": None, "rows": [1, 2], "tip": [0.1, 0.2]}
    assert con.execute("SELECT value FROM observation").fetchall() == [(float("-inf"),)]


def test_a_file_name_that_is_no_unicode_does_not_cost_its_record(tmp_path: Path) -> None:
    RunLog(tmp_path).append("scan_event", file=os.fsdecode(b"scan\xff.csv"), status="refused")
    assert connect(tmp_path).execute("SELECT file, status FROM scan_event").fetchall() == [
        ("scan\\udcff.csv", "refused")
    ]


def test_a_batch_with_a_wrong_row_writes_none_of_it(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.append_all("observation", [])
    assert open_logs(tmp_path) == []
    with pytest.raises(ValueError, match="valu"):
        log.append_all("observation", [{"name": "a"}, {"valu": 1}])
    assert open_logs(tmp_path) == []


def test_a_process_has_one_log_a_data_folder(tmp_path: Path) -> None:
    assert run_log(tmp_path) is run_log(tmp_path)
    assert run_log(tmp_path) is not run_log(tmp_path / "other")


def test_threads_share_a_log_and_every_record_is_whole(tmp_path: Path) -> None:
    log = RunLog(tmp_path)

    def write(thread: int) -> None:
        for i in range(200):
            log.append("observation", name=f"{thread}", value=i, unit="x" * (i % 50))

    threads = [threading.Thread(target=write, args=(t,)) for t in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    found = records(tmp_path)
    assert sorted((r["name"], r["value"]) for r in found) == sorted(
        (str(t), i) for t in range(8) for i in range(200)
    )
    seqs = [record["seq"] for record in found]
    assert seqs == sorted(set(seqs))


def test_a_forked_child_writes_a_file_of_its_own(tmp_path: Path) -> None:
    log = RunLog(tmp_path)
    log.append("observation", name="parent", value=1)
    child = multiprocessing.get_context("fork").Process(
        target=lambda: log.append("observation", name="child", value=2)
    )
    child.start()
    child.join()
    log.append("observation", name="parent", value=3)
    assert child.exitcode == 0
    names = [
        {json.loads(line)["name"] for line in path.read_text().splitlines()} for path in open_logs(tmp_path)
    ]
    assert sorted(names, key=str) == [{"child"}, {"parent"}]


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from lib.errors import NightpickError
from lib.runlog import RunLog
from lib.runlog.folder import open_logs
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
log = RunLog(Path(sys.argv[1]))
log.append("observation", name="first", value=1)
size = open_logs(Path(sys.argv[1]))[0].stat().st_size
resource.setrlimit(resource.RLIMIT_FSIZE, (size + 40, resource.RLIM_INFINITY))
try:
    log.append("observation", name="lost", value=2)
except NightpickError as error:
    print(error)
resource.setrlimit(resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))
log.append("observation", name="again", value=3)
"""


def test_a_full_disk_is_said_and_tears_no_later_record(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", FULL_DISK, str(tmp_path)], capture_output=True, text=True, check=True
    )
    assert "the run log cannot be written: File too large" in done.stdout
    assert [r["name"] for r in records(tmp_path)] == ["first", "again"]


def test_a_folder_that_cannot_be_made_is_one_clear_line(tmp_path: Path) -> None:
    (tmp_path / "runlog").write_text("a file where the folder should be")
    with pytest.raises(NightpickError, match=r"runlog/open: the run log cannot be written: .*make room"):
        RunLog(tmp_path).append("observation", name="x")


KILLED = """
import sys
from pathlib import Path
from lib.runlog import RunLog
log = RunLog(Path(sys.argv[1]))
i = 0
while True:
    log.append("observation", name="tick", value=i, unit="x" * (i % 400))
    sys.stdout.write(f"{i}\\n"); sys.stdout.flush()
    i += 1
"""


@pytest.mark.parametrize("kills", [5, pytest.param(20, marks=pytest.mark.slow)])
def test_kill_9_at_random_moments_loses_at_most_the_record_being_written(tmp_path: Path, kills: int) -> None:
    rng = np.random.default_rng(20)
    for trial in range(kills):
        data_dir = tmp_path / str(trial)
        writer = subprocess.Popen(
            [sys.executable, "-c", KILLED, str(data_dir)],
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            text=True,
        )
        assert writer.stdout is not None
        lines = [writer.stdout.readline() for _ in range(int(rng.integers(1, 400)))]
        writer.send_signal(signal.SIGKILL)
        lines += writer.stdout.readlines()
        writer.wait()
        said = [int(line) for line in lines if line.endswith("\n")]
        with duckdb.connect() as con:
            create_recorded(con, data_dir)
            question = "SELECT value, name FROM recorded.observation ORDER BY seq"
            read = con.execute(question).fetchall()
        assert [value for value, _ in read] == list(range(len(read)))
        assert len(read) - len(said) in (0, 1)
        assert all(name == "tick" for _, name in read)


SYNCED = """
import os, sys
from pathlib import Path
from lib.runlog import RunLog
synced, real = [], os.fsync
def fsync(descriptor):
    synced.append(os.readlink(f"/proc/self/fd/{descriptor}"))
    real(descriptor)
os.fsync = fsync
log = RunLog(Path(sys.argv[1]))
log.append("observation", name="a", value=1)
print(*synced, sep="\\n")
print("--")
log.append("observation", name="b", value=1)
log.append("night", night_id="n", state="unfinished")
print(*synced[1:], sep="\\n")
"""


def test_a_state_is_flushed_to_disk_and_with_it_what_came_before(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", SYNCED, str(tmp_path)], capture_output=True, text=True, check=True
    )
    made, flushed = done.stdout.split("--")
    assert made.split() == [str(tmp_path / "runlog" / "open")]
    assert flushed.split() == [str(open_logs(tmp_path)[0])]


def test_a_clock_set_back_does_not_reorder_what_happened(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = RunLog(tmp_path)
    log.append("night", night_id="n", state="unfinished")
    monkeypatch.setattr("lib.runlog.log.time.time_ns", lambda: 1_000_000_000_000_000_000)
    log.append("night", night_id="n", state="done")
    first, second = records(tmp_path)
    assert second["time_utc"] < first["time_utc"]
    assert second["seq"] == first["seq"] + 1
    assert connect(tmp_path).execute("SELECT state FROM night").fetchall() == [("done",)]
