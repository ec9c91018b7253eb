"""A folder beside the kept scans where one ingest prepares its files before it publishes them.

Its lock is held while the process lives and falls with it, so whoever comes next can tell a
folder at work from one that a killed process left behind, and clears that away.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

_PREFIX = ".ingest-"


@contextmanager
def one_at_a_time(folder: Path) -> Iterator[None]:
    """Hold the folder of scans for a block, which must be short: others wait for it."""
    with (folder / ".lock").open("a") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


@contextmanager
def staging_folder(folder: Path) -> Iterator[Path]:
    """Make a staging folder inside ``folder`` for a block, and remove those that nobody holds."""
    folder.mkdir(parents=True, exist_ok=True)
    with one_at_a_time(folder):
        _clear_abandoned(folder)
        staging = Path(tempfile.mkdtemp(prefix=_PREFIX, dir=folder))
        held = os.open(staging, os.O_RDONLY)
        fcntl.flock(held, fcntl.LOCK_EX)
    try:
        yield staging
    finally:
        shutil.rmtree(staging, ignore_errors=True)
        os.close(held)


def _clear_abandoned(folder: Path) -> None:
    for staging in folder.glob(f"{_PREFIX}*"):
        try:
            descriptor = os.open(staging, os.O_RDONLY)
        except FileNotFoundError:  # its owner was about to remove it
            continue
        try:
            fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            shutil.rmtree(staging, ignore_errors=True)
        except BlockingIOError:
            pass
        finally:
            os.close(descriptor)


def write_durably(path: Path, data: bytes) -> None:
    """Write a file of the staging folder to the disk itself."""
    with path.open("wb") as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def flush_to_disk(path: Path) -> None:
    """Make a file's content, or a folder's names, survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
