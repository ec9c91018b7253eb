"""Change the table on a copy, publish by rename: no reader waits, a killed change leaves nothing.

DuckDB lets nobody else open a file that one process writes, not even to read. So the published file
is never opened to write: a change holds the merge lock, works on a copy, and renames the copy over
the table when all is well.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import duckdb

from lib.disk import disk
from lib.errors import Busy
from lib.runlog import fk_file
from lib.table.migrations import migrate

# Files keep the format that DuckDB 1.0 reads, so that a table copied to an older machine still opens.
STORAGE_VERSION = "v1.0.0"

UNTOUCHED = "the table is as it was"


@contextmanager
def merge_lock(data_dir: Path, wait_s: float) -> Iterator[None]:
    """Hold the right to change the table; raises Busy naming the holder after ``wait_s`` seconds.

    Raises DiskRefused where the lock cannot be written.
    """
    with disk(data_dir, UNTOUCHED):
        data_dir.mkdir(parents=True, exist_ok=True)
        lock = os.open(data_dir / "merge.lock", os.O_RDWR | os.O_CREAT, 0o644)
    try:
        with disk(data_dir, UNTOUCHED):
            _wait_for(lock, data_dir / "merge.lock", wait_s)
            os.ftruncate(lock, 0)
            os.pwrite(lock, str(os.getpid()).encode(), 0)
        yield
    finally:
        os.close(lock)


def _wait_for(lock: int, path: Path, wait_s: float) -> None:
    deadline_s = time.monotonic() + wait_s
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            return
        except BlockingIOError:
            if time.monotonic() >= deadline_s:
                holder = os.pread(lock, 100, 0).decode(errors="replace").strip() or "unknown"
                raise Busy(
                    f"{path}: the table is being changed by process {holder}; waited {wait_s:g} s, "
                    "try again when it has finished"
                ) from None
            time.sleep(0.05)


class Staged:
    """A private copy of the table, open to write; ``publish`` makes it the table."""

    def __init__(self, data_dir: Path, path: Path, connection: duckdb.DuckDBPyConnection) -> None:
        self.data_dir = data_dir
        self.path = path
        self.connection = connection

    def reopen(self) -> None:
        """Close the copy and open it again, so that what is read next is what the disk has."""
        self.connection.execute("USE memory; DETACH fk")
        attach_staged(self.connection, self.path)

    def publish(self) -> None:
        """Make the copy the table, durably and in one step."""
        self.connection.execute("USE memory; DETACH fk")
        with self.path.open("rb+") as file:
            os.fsync(file.fileno())
        self.path.replace(fk_file.path(self.data_dir))
        folder = os.open(self.data_dir, os.O_RDONLY)
        try:
            os.fsync(folder)
        finally:
            os.close(folder)


@contextmanager
def staged_table(data_dir: Path) -> Iterator[Staged]:
    """Open a copy of the table to change; the caller holds the merge lock.

    Whatever an interrupted change left behind is cleared first. Without ``publish`` the copy is
    thrown away and the table is as it was. Raises DiskRefused where the disk does not take the copy,
    Damaged where the table is not what a merge wrote.
    """
    path = data_dir / f"fk.staged-{os.getpid()}.duckdb"
    published = fk_file.path(data_dir)
    with fk_file.readable(published), disk(data_dir, UNTOUCHED):
        try:
            for left in data_dir.glob("fk.staged-*"):
                left.unlink()
            if published.exists():
                shutil.copyfile(published, path)
            with duckdb.connect() as connection:
                attach_staged(connection, path)
                if published.exists():
                    fk_file.check_is_table(connection, published)
                migrate(connection)
                yield Staged(data_dir, path, connection)
        finally:
            for left in data_dir.glob(f"{path.name}*"):
                left.unlink()


def attach_staged(connection: duckdb.DuckDBPyConnection, path: Path) -> None:
    """Attach a table file to write, in the pinned storage format, and make it the default."""
    connection.execute(f"ATTACH {fk_file.quoted(str(path))} AS fk (STORAGE_VERSION '{STORAGE_VERSION}')")
    connection.execute("USE fk")
