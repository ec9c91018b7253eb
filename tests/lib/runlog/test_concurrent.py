"""Real processes at once: several write, one closes, this one reads; no row doubled, none missing."""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from pathlib import Path

import pytest

from lib.errors import NightpickError
from lib.runlog import RunLog, close_logs, connect, reading
from lib.runlog.folder import open_logs
from lib.runlog.parts import Part, all_parts
from lib.runlog.reading import files_to_read
from lib.runlog.safe_query import ask_sql

from .sample import write_sample

WRITER = """
import sys, time
from pathlib import Path
from lib.runlog import RunLog
log = RunLog(Path(sys.argv[1]))
for i in range(int(sys.argv[3])):
    log.append("observation", name=sys.argv[2], value=i)
    print(sys.argv[2], i, flush=True)
    time.sleep(0.005)  # long enough for reads and closings to fall in between
    if i % 25 == 24:
        log.close()  # as a process that ends: the file may be closed, the next record starts another
"""

CLOSER = """
import sys
from pathlib import Path
from lib.runlog import close_logs
while True:
    print(close_logs(Path(sys.argv[1])).rows, flush=True)
"""

WRITERS = 3
RECORDS = 1000


def test_reading_while_processes_write_and_one_closes_sees_every_row_once(tmp_path: Path) -> None:
    said = [tmp_path / f"said-{w}" for w in range(WRITERS)]
    data_dir = tmp_path / "data"
    writers = [
        subprocess.Popen(
            [sys.executable, "-c", WRITER, str(data_dir), f"w{w}", str(RECORDS)], stdout=path.open("w")
        )
        for w, path in enumerate(said)
    ]
    closer = subprocess.Popen([sys.executable, "-c", CLOSER, str(data_dir)], stdout=subprocess.DEVNULL)
    reads = 0
    try:
        while any(writer.poll() is None for writer in writers):
            written_before = sum(path.read_text().count("\n") for path in said)
            with connect(data_dir) as con:
                rows = con.execute("SELECT name, value FROM observation").fetchall()
            reads += 1
            assert max(Counter(rows).values(), default=1) == 1
            assert len(rows) >= written_before
            for w in range(WRITERS):
                values = sorted(value for name, value in rows if name == f"w{w}")
                assert values == list(range(len(values)))
    finally:
        closer.terminate()
        closer.wait()
        for writer in writers:
            writer.wait()
    assert [writer.returncode for writer in writers] == [0] * WRITERS
    close_logs(data_dir)
    assert open_logs(data_dir) == []
    assert len(all_parts(data_dir)) > 3
    assert reads > 3
    with connect(data_dir) as con:
        rows = con.execute("SELECT name, value FROM observation").fetchall()
    assert sorted(rows) == sorted((f"w{w}", i) for w in range(WRITERS) for i in range(RECORDS))


def test_a_log_closed_between_being_listed_and_being_read_makes_the_reader_look_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = RunLog(tmp_path)
    log.append("observation", name="a", value=1)
    log.close()
    listings = []

    def listed_then_closed(data_dir: Path) -> tuple[list[Path], list[Part]]:
        listings.append(files_to_read(data_dir))
        close_logs(data_dir)
        return listings[-1]

    monkeypatch.setattr(reading, "files_to_read", listed_then_closed)
    with connect(tmp_path) as con:
        assert con.execute("SELECT name, value FROM observation").fetchall() == [("a", 1.0)]
    assert [(len(logs), len(parts)) for logs, parts in listings] == [(1, 0), (0, 1)]


def test_a_log_that_cannot_be_read_at_all_is_told_after_some_attempts(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading, "files_to_read", lambda data_dir: ([data_dir / "gone.jsonl"], []))
    with pytest.raises(NightpickError, match=r"cannot be read: .*gone\.jsonl"):
        connect(tmp_path)


HOLDER = """
import shutil, sys, duckdb
from pathlib import Path
data_dir = Path(sys.argv[1])
shutil.copyfile(data_dir / "fk.duckdb", data_dir / "fk.duckdb.staged")
with duckdb.connect(str(data_dir / "fk.duckdb.staged")) as con:
    con.execute("BEGIN; DELETE FROM fk_point WHERE fk_row < 2")
    print("held", flush=True)
    sys.stdin.readline()
    con.execute("COMMIT")
(data_dir / "fk.duckdb.staged").replace(data_dir / "fk.duckdb")
"""


def test_questions_are_answered_while_a_change_of_the_table_is_written_and_published(tmp_path: Path) -> None:
    data_dir = write_sample(tmp_path)
    asked = "SELECT count(*) FROM fk_point"
    with subprocess.Popen(
        [sys.executable, "-c", HOLDER, str(data_dir)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as holder:
        assert holder.stdout is not None
        assert holder.stdout.readline() == "held\n"
        before = connect(data_dir)
        assert before.execute(asked).fetchall() == [(5,)]
        assert list(ask_sql(data_dir, asked).rows) == [(5,)]
        holder.communicate("go on\n")
    assert holder.returncode == 0
    assert before.execute(asked).fetchall() == [(5,)]
    assert list(ask_sql(data_dir, asked).rows) == [(3,)]
