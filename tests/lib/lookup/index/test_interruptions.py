"""Killed or crowded, whoever builds the index leaves nothing that a lookup could take for whole."""

from __future__ import annotations

import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from lib.lookup import Table
from lib.lookup.index import renew
from tests.lib.lookup import crowded
from tests.lib.lookup.index.published import answers, publish, segments, straight

ROOT = Path(__file__).parents[4]
PROGRAM = """
import sys
from pathlib import Path
from lib.lookup import Table
from lib.runlog import fk_file
from tests.lib.lookup.index.published import answers
print("ready", flush=True)
for line in sys.stdin:
    found = answers(Table.open(Path(line.strip())))
    print([result.fk_row for result in found], flush=True)
"""


def asker() -> subprocess.Popen[str]:
    """Start a process that opens the table and asks, once told where: what follows is no start-up time."""
    process = subprocess.Popen(
        [sys.executable, "-c", PROGRAM], cwd=ROOT, text=True, stdin=subprocess.PIPE, stdout=subprocess.PIPE
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    return process


def tell(process: subprocess.Popen[str], data_dir: Path) -> None:
    assert process.stdin is not None
    process.stdin.write(f"{data_dir}\n")
    process.stdin.flush()


def told(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return process.stdout.readline().strip()


def rows(table: Table) -> str:
    return str([result.fk_row for result in answers(table)])


@pytest.fixture
def data_dir(tmp_path: Path) -> Path:
    parent = publish(tmp_path, crowded.points(np.random.default_rng(0), 40_000))
    publish(tmp_path, crowded.points(np.random.default_rng(1), 3_000), parent)
    return tmp_path


def test_processes_that_build_at_once_all_answer_right_and_leave_one_index(data_dir: Path) -> None:
    processes = [asker() for _ in range(3)]
    for process in processes:
        tell(process, data_dir)
    expected = rows(straight(data_dir, 2))
    assert [told(process) for process in processes] == [expected] * 3
    for process in processes:
        process.kill()
        process.communicate()
    whole = segments(data_dir)
    assert [name[0] for name in whole] == ["1", "2"]
    assert not list((data_dir / "index").glob("*.part"))
    for name in whole:
        (data_dir / "index" / name).unlink()
    Table.open(data_dir)
    assert segments(data_dir) == whole


@pytest.mark.parametrize("kills", [2, pytest.param(10, marks=pytest.mark.slow)])
def test_a_build_killed_at_any_moment_leaves_an_index_that_answers_right(data_dir: Path, kills: int) -> None:
    expected = rows(straight(data_dir, 2))
    started = time.monotonic()
    Table.open(data_dir)
    whole, build_s = segments(data_dir), time.monotonic() - started
    chance = random.Random(0)
    for _ in range(kills):
        for path in (data_dir / "index").iterdir():
            path.unlink()
        process = asker()
        tell(process, data_dir)
        time.sleep(chance.uniform(0.05, 1.2) * build_s)
        process.send_signal(signal.SIGKILL)
        process.communicate()
        assert segments(data_dir).items() <= whole.items()
        assert rows(Table.open(data_dir)) == expected
        assert segments(data_dir) == whole
    renew(data_dir)
    assert {path.suffix for path in (data_dir / "index").iterdir()} == {".seg", ".json"}


def test_what_is_being_written_is_not_taken_for_what_was_left(data_dir: Path) -> None:
    from lib.lookup.index.unfinished import unfinished

    Table.open(data_dir)
    with unfinished(data_dir / "index" / "7-00.seg") as file:
        file.write(b"half")
        renew(data_dir)
        assert len(list((data_dir / "index").glob("*.part"))) == 1
    assert (data_dir / "index" / "7-00.seg").read_bytes() == b"half"
