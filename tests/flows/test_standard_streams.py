"""Standard streams that are closed or full: one line where it can be said, the right exit code everywhere."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lib.runlog.sample import write_sample

FULL = "nightpick: standard output: no space left on the disk; make room, then try again\n"
NO_ROW = "nightpick: no row 99; the table's rows are 0 to 4\n"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("sample") / "data")


@pytest.mark.parametrize(
    ("command", "code", "stdout", "stderr"),
    [
        ("sql 'FROM range(3)' >/dev/full", 2, "", FULL),
        ("sql 'FROM range(100000)' >/dev/full", 2, "", FULL),
        ("sql 'FROM range(3)' --json >/dev/full", 2, "", FULL),
        ("table history >/dev/full", 2, "", FULL),
        ("table where 99 --json >/dev/full", 2, "", NO_ROW),
        ("table where 99 2>/dev/full", 2, "", ""),
        ("sql 'FROM range(3)' >&-", 0, "", ""),
        ("table history >&- 2>&- <&-", 0, "", ""),
        ("table where 99 >&-", 2, "", NO_ROW),
        ("sql 'SELECT 1 AS n' --json 2>&-", 0, '[{"n": 1}]\n', ""),
        ("no-such-verb 2>&-", 2, "", ""),
        ("table where 99 --json | true", 0, "", NO_ROW),
    ],
)
def test_a_closed_or_full_stream_is_no_defect(
    data_dir: Path, command: str, code: int, stdout: str, stderr: str
) -> None:
    done = subprocess.run(
        f"{sys.executable} -m flows.cli {command}",
        shell=True,
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (code, stdout, stderr)


def test_no_file_of_ours_becomes_standard_output(tmp_path: Path) -> None:
    """Where it is closed, the next file opened gets its number, and what is printed goes into that file."""
    scan = tmp_path / "scan.csv"
    scan.write_text("ee_x,ee_y,ee_z,j0,j1,j2,j3,j4,j5\n-0.1,0.1,0.1,36,57,25,-7,-86,-30\n")
    done = subprocess.run(
        f"{sys.executable} -m flows.cli scan ingest {scan} >&- 2>&- <&-",
        shell=True,
        env={**os.environ, "NIGHTPICK_DATA_DIR": str(tmp_path / "data")},
        check=False,
    )
    assert done.returncode == 0
    for file in (tmp_path / "data").rglob("*"):
        assert not file.is_file() or b"ingested:" not in file.read_bytes()
