"""Closing into Parquet: every record once, before, during and after, also when the closer is killed."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import duckdb
import pytest

from lib.runlog import RunLog, close_logs, connect, run_log
from lib.runlog.closing import PARTS_TOGETHER, READERS_DONE_AFTER_S
from lib.runlog.folder import archive_folder, closed_folder, open_folder, open_logs
from lib.runlog.parts import all_parts, live_parts, manifest_path
from lib.runlog.reading import create_recorded

HOLDS_A_LOG = """
import sys
from pathlib import Path
from lib.runlog import RunLog
log = RunLog(Path(sys.argv[1]))
log.append("observation", name="alive", value=1)
print("written", flush=True)
sys.stdin.read()
log.append("observation", name="alive", value=2)
"""


def written(data_dir: Path, names: list[str]) -> None:
    """Write one finished log."""
    log = RunLog(data_dir)
    for name in names:
        log.append("observation", name=name, value=1, unit="times")
    log.append("night", night_id=names[0], state="done")
    log.close()


def names_read(data_dir: Path) -> list[str]:
    with duckdb.connect() as con:
        create_recorded(con, data_dir)
        rows = con.execute("SELECT name FROM recorded.observation ORDER BY seq").fetchall()
        nights = con.execute("SELECT count(*) FROM recorded.night").fetchone()
    assert nights is not None
    assert nights[0] == len({name for (name,) in rows if name.endswith("-0")})
    return [name for (name,) in rows]


def test_rows_are_the_same_open_and_closed_and_the_log_moves_to_the_archive(tmp_path: Path) -> None:
    written(tmp_path, ["a-0", "a-1"])
    before = connect(tmp_path).execute("SELECT * FROM observation ORDER BY seq").fetchall()
    stem = open_logs(tmp_path)[0].stem
    closed = close_logs(tmp_path)
    assert (closed.logs, closed.rows, closed.left) == (1, 3, ())
    assert open_logs(tmp_path) == []
    assert [path.stem for path in archive_folder(tmp_path).iterdir()] == [stem]
    assert connect(tmp_path).execute("SELECT * FROM observation ORDER BY seq").fetchall() == before
    assert len(before) == 2


def test_closing_again_or_with_nothing_to_close_does_nothing(tmp_path: Path) -> None:
    assert close_logs(tmp_path).logs == 0
    assert not (tmp_path / "runlog").exists()
    written(tmp_path, ["a-0"])
    close_logs(tmp_path)
    assert close_logs(tmp_path).logs == 0
    assert names_read(tmp_path) == ["a-0"]


def test_this_process_closes_its_own_log_and_goes_on_in_another(tmp_path: Path) -> None:
    log = run_log(tmp_path)
    log.append("observation", name="before", value=1)
    assert close_logs(tmp_path).logs == 1
    log.append("observation", name="after", value=2)
    assert len(open_logs(tmp_path)) == 1
    assert names_read(tmp_path) == ["before", "after"]


def test_a_log_is_left_alone_while_its_writer_lives_and_closed_once_it_was_killed(tmp_path: Path) -> None:
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS_A_LOG, str(tmp_path)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as writer:
        assert writer.stdout is not None
        assert writer.stdout.readline() == "written\n"
        assert close_logs(tmp_path).logs == 0
        assert len(open_logs(tmp_path)) == 1
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    assert close_logs(tmp_path).logs == 1
    assert names_read(tmp_path) == ["alive"]


@pytest.mark.parametrize(
    "tail",
    [
        b'{"relation":"observation","name":"to',
        b'{"relation":"observation","name":"torn","value":1',
        b"{",
        b"\x00" * 4096,
        b'{"relation":"observation"' + b"\x00" * 64,
        bytes(range(128, 256)),
        b"\n\n",
        b'null\n17\n[]\n"text"\n{}\n{"relation":null}\n',
    ],
    ids=["name", "value", "brace", "zeros", "half zeros", "bytes", "empty lines", "no records"],
)
def test_a_torn_line_yields_no_row_open_or_closed(tmp_path: Path, tail: bytes) -> None:
    written(tmp_path, ["a-0", "a-1"])
    with open_logs(tmp_path)[0].open("ab") as log:
        log.write(tail)
    written(tmp_path, ["b-0"])
    assert names_read(tmp_path) == ["a-0", "a-1", "b-0"]
    assert close_logs(tmp_path).rows == 5
    assert names_read(tmp_path) == ["a-0", "a-1", "b-0"]


def test_a_log_of_a_newer_version_stays_open_and_loses_nothing(tmp_path: Path) -> None:
    written(tmp_path, ["a-0"])
    written(tmp_path, ["b-0"])
    newer = open_logs(tmp_path)[-1]
    with newer.open("ab") as log:
        log.write(
            json.dumps({"relation": "observation", "seq": 2**62, "name": "c", "colour": "red"}).encode()
            + b"\n"
        )
    assert close_logs(tmp_path).left == (newer.name,)
    assert open_logs(tmp_path) == [newer]
    assert sorted(names_read(tmp_path)) == ["a-0", "b-0", "c"]


def test_parquet_from_before_a_column_existed_reads_as_null_there(tmp_path: Path) -> None:
    written(tmp_path, ["a-0"])
    close_logs(tmp_path)
    (part,) = live_parts(tmp_path)
    file = closed_folder(tmp_path) / "observation" / f"{part.name}.parquet"
    with duckdb.connect() as con:
        con.execute(f"CREATE TABLE old AS SELECT * EXCLUDE (unit, night_id) FROM '{file}'")
        con.execute(f"COPY old TO '{file}' (FORMAT parquet)")
    written(tmp_path, ["b-0"])
    close_logs(tmp_path)
    rows = (
        connect(tmp_path)
        .execute("SELECT name, value, unit, night_id FROM observation ORDER BY seq")
        .fetchall()
    )
    assert rows == [("a-0", 1.0, None, None), ("b-0", 1.0, "times", None)]


def test_ten_parts_become_one_and_the_ten_go_when_no_reader_can_need_them(tmp_path: Path) -> None:
    expected = []
    for i in range(PARTS_TOGETHER):
        written(tmp_path, [f"{i}-0", f"{i}-1"])
        expected += [f"{i}-0", f"{i}-1"]
        close_logs(tmp_path)
    (part,) = live_parts(tmp_path)
    assert part.level == 1
    assert len(all_parts(tmp_path)) == PARTS_TOGETHER + 1
    assert names_read(tmp_path) == expected
    a_day_ago_s = manifest_path(tmp_path, part.name).stat().st_mtime - READERS_DONE_AFTER_S - 1
    os.utime(manifest_path(tmp_path, part.name), (a_day_ago_s, a_day_ago_s))
    close_logs(tmp_path)
    assert all_parts(tmp_path) == [part]
    assert len(list(closed_folder(tmp_path).glob("*/*.parquet"))) == 2
    assert names_read(tmp_path) == expected


def test_what_killed_processes_left_half_made_is_removed_once_it_is_old(tmp_path: Path) -> None:
    written(tmp_path, ["a-0"])
    close_logs(tmp_path)
    unnamed, young = open_folder(tmp_path) / ".unnamed", open_folder(tmp_path) / ".young"
    uncommitted = closed_folder(tmp_path) / "night" / "uncommitted.parquet"
    for file in (unnamed, young, uncommitted, closed_folder(tmp_path) / ".half.json"):
        file.write_bytes(b"half")
    os.utime(unnamed, (0, 0))
    assert names_read(tmp_path) == ["a-0"]
    close_logs(tmp_path)
    assert list(open_folder(tmp_path).iterdir()) == [young]
    assert not uncommitted.exists()
    assert [path.name for path in closed_folder(tmp_path).glob(".*")] == [".closing"]
    assert names_read(tmp_path) == ["a-0"]


def test_an_open_connection_goes_on_answering_through_closing_and_putting_together(tmp_path: Path) -> None:
    written(tmp_path, ["a-0"])
    with connect(tmp_path) as con:
        for i in range(2 * PARTS_TOGETHER + 1):
            written(tmp_path, [f"{i}-0"])
            close_logs(tmp_path)
            assert con.execute("SELECT name FROM observation").fetchall() == [("a-0",)]
    assert len(names_read(tmp_path)) == 2 * PARTS_TOGETHER + 2


FULL_DISK = """
import resource, signal, sys
from pathlib import Path
from lib.errors import NightpickError
from lib.runlog import close_logs
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
resource.setrlimit(resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
try:
    close_logs(Path(sys.argv[1]))
except NightpickError as error:
    print(error)
"""


def test_a_disk_that_is_full_while_closing_loses_nothing_and_is_said(tmp_path: Path) -> None:
    written(tmp_path, ["a-0", "a-1"])
    run = [sys.executable, "-c", FULL_DISK, str(tmp_path)]
    done = subprocess.run(run, capture_output=True, text=True, check=True)
    assert "runlog/closed: the run log cannot be closed: " in done.stdout
    assert done.stdout.count("\n") == 1
    assert names_read(tmp_path) == ["a-0", "a-1"]
    assert close_logs(tmp_path).rows == 3
    assert names_read(tmp_path) == ["a-0", "a-1"]


class Killed(BaseException):
    """Stands for the moment at which the process is gone."""


def killed_at(monkeypatch: pytest.MonkeyPatch, step: int) -> None:
    """Let the process die before the ``step``-th change it makes to the folder."""
    count = 0

    def counted(change: Callable[..., object]) -> Callable[..., object]:
        def run(*args: object, **kwargs: object) -> object:
            nonlocal count
            count += 1
            if count == step:
                raise Killed
            return change(*args, **kwargs)

        return run

    for name in ("replace", "unlink", "mkdir", "write_text"):
        monkeypatch.setattr(Path, name, counted(getattr(Path, name)))
    monkeypatch.setattr(os, "fsync", counted(os.fsync))


def prepare_for_everything(data_dir: Path) -> list[str]:
    """Leave a folder where the next close closes two logs, puts ten parts together and removes ten."""
    names = []
    for i in range(2 * PARTS_TOGETHER - 1):
        written(data_dir, [f"{i}-0"])
        close_logs(data_dir)
        names.append(f"{i}-0")
    (combined,) = [part for part in live_parts(data_dir) if part.level == 1]
    os.utime(manifest_path(data_dir, combined.name), (0, 0))
    for name in ("x", "y"):
        written(data_dir, [f"{name}-0", f"{name}-1"])
        names += [f"{name}-0", f"{name}-1"]
    return names


@pytest.mark.parametrize("stride", [17, pytest.param(1, marks=pytest.mark.slow)])
def test_killed_before_any_of_its_steps_closing_neither_loses_nor_doubles_a_row(
    tmp_path: Path, stride: int
) -> None:
    prepared = tmp_path / "prepared"
    expected = prepare_for_everything(prepared)
    step = 1 - stride
    finished = False
    while not finished:
        step += stride
        data_dir = tmp_path / str(step)
        shutil.copytree(prepared, data_dir)  # keeps the times of the files
        with pytest.MonkeyPatch.context() as patch:
            killed_at(patch, step)
            try:
                close_logs(data_dir)
                finished = True
            except Killed:
                pass
        assert names_read(data_dir) == expected, step
        close_logs(data_dir)
        assert names_read(data_dir) == expected, step
        assert list(open_folder(data_dir).iterdir()) == []
        shutil.rmtree(data_dir)
    assert step > 40
