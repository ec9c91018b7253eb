"""What a disk refuses: known from everything else, told with place and remedy, and nothing left half."""

from __future__ import annotations

import errno
import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from lib.disk import DiskRefused, disk, disk_refused, whole_file
from lib.errors import BadInput


@pytest.mark.parametrize(
    ("number", "says"),
    [
        (errno.ENOSPC, "here: no space left on the disk; make room, then try again"),
        (
            errno.EROFS,
            "here: the disk is read-only; make it writable or choose another place, then try again",
        ),
        (errno.EACCES, "here: permission denied; give yourself the right or choose another place"),
        (errno.EFBIG, "here: no file may become that large; raise the limit (`ulimit -f`)"),
    ],
)
def test_a_refusal_says_what_and_what_to_do(number: int, says: str) -> None:
    refused = disk_refused(OSError(number, os.strerror(number)), "here")
    assert refused is not None and str(refused).startswith(says)


@pytest.mark.parametrize(
    "error", [ValueError("No space left on device"), FileNotFoundError(errno.ENOENT, "no")]
)
def test_what_is_no_refusal_goes_on_as_it_is(error: Exception) -> None:
    assert disk_refused(error, "here") is None
    with pytest.raises(type(error)), disk("here"):
        raise error


def test_without_a_place_the_file_is_named_that_was_to_be_written() -> None:
    copying = OSError(errno.ENOSPC, "No space left on device", "from.txt", None, "to.txt")
    assert str(disk_refused(copying)).startswith("to.txt: no space left")


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "kept.txt"
    path.write_text("before")
    with pytest.raises(ZeroDivisionError), whole_file(path) as beside:
        beside.write_text("half")
        raise ZeroDivisionError
    assert path.read_text() == "before"
    with whole_file(path) as beside:
        beside.write_text("after")
        assert path.read_text() == "before"
    assert path.read_text() == "after"
    assert list(tmp_path.iterdir()) == [path]


def test_a_folder_that_is_missing_or_is_the_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"x\.txt: cannot be written: there is no folder .*missing; make it"):
        whole_file(tmp_path / "missing" / "x.txt").__enter__()
    (tmp_path / "folder").mkdir()
    said = "folder: cannot be written: a folder where a file should be"
    with pytest.raises(DiskRefused, match=said), whole_file(tmp_path / "folder") as beside:
        beside.write_text("x")
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]


CODE = """
import sys, duckdb
from lib.disk import disk_refused
try:
    with duckdb.connect() as con:
        con.execute(f"ATTACH '{sys.argv[1]}' AS fk")
        con.execute("CREATE TABLE fk.t AS SELECT range AS a, random() AS b FROM range(1_000_000)")
except duckdb.Error as error:
    print(disk_refused(error, "the table"))
"""


def test_the_database_s_words_for_a_refusal_are_understood(tmp_path: Path) -> None:
    limit_bytes = 1_000_000
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path / "t.duckdb")],
        cwd=Path(__file__).parents[2],
        preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_FSIZE, (limit_bytes, limit_bytes)),
        capture_output=True,
        text=True,
        check=True,
    )
    assert done.stdout.startswith("the table: no file may become that large; ")
