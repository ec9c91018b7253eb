"""The inbox: scans that people or the twin dropped, taken in one by one and then set aside.

A file leaves ``inbox/`` for ``inbox/done/`` only when its kept copy was read back and has its md5.
A refused file stays where its owner put it and is reported at every try, until the owner takes it
out. Hidden files, sidecar requests and half-copied files by their usual names are not scans.
"""

from __future__ import annotations

import fcntl
import hashlib
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from lib.disk import disk
from lib.errors import Busy, NightpickError
from lib.scan.request import SIDECAR, request_beside

HALF_COPIED = (".part", ".tmp", ".crdownload", ".filepart", "~")


def inbox_folder(data_dir: Path) -> Path:
    """Return the folder where scans are dropped."""
    return data_dir / "inbox"


def waiting_scans(data_dir: Path) -> list[Path]:
    """List the scans in the inbox, the oldest first, so that versions follow the order of scanning."""
    if not inbox_folder(data_dir).is_dir():
        return []
    files = [file for file in inbox_folder(data_dir).iterdir() if file.is_file() and _is_scan(file.name)]
    return sorted(files, key=lambda file: (file.stat().st_mtime_ns, file.name))


def move_to_done(scan: Path, kept: Path, md5: str) -> Path:
    """Move a scan, and the request beside it, to ``done/``; return where it went.

    Raises NightpickError where the kept copy is not what was dropped: the scan then stays.
    """
    if file_md5(kept) != md5 or file_md5(scan) != md5:
        raise NightpickError(
            f"{scan} and its kept copy {kept} differ; the scan stays in the inbox: ingest it again"
        )
    done = scan.parent / "done"
    with disk(scan, "it is kept and stays in the inbox"):
        done.mkdir(exist_ok=True)
        target = _free_name(done, scan.name)
        request = request_beside(scan)
        if request is not None:
            request.replace(target.with_name(_stem(target.name) + SIDECAR))
        scan.replace(target)
    return target


@contextmanager
def taking_in(data_dir: Path) -> Iterator[None]:
    """Hold the inbox for a block: one process at a time takes scans in. Raises Busy where another does.

    Raises DiskRefused where there can be no inbox.
    """
    with disk(inbox_folder(data_dir)):
        inbox_folder(data_dir).mkdir(parents=True, exist_ok=True)
        held = (inbox_folder(data_dir) / ".lock").open("a")
    with held as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(
                f"another process is taking the scans of {inbox_folder(data_dir)} in; wait for its end"
            ) from None
        yield


def file_md5(file: Path) -> str:
    """Return the md5 of a file's bytes."""
    with file.open("rb") as content:
        return hashlib.file_digest(content, "md5").hexdigest()


def _is_scan(name: str) -> bool:
    lower = name.lower()
    return not lower.startswith(".") and not lower.endswith((*HALF_COPIED, SIDECAR))


def _stem(name: str) -> str:
    """Return a scan's name without ``.csv``, ``.parquet`` and ``.gz``."""
    for suffix in (".gz", ".csv", ".txt", ".tsv", ".parquet"):
        if name.lower().endswith(suffix):
            name = name[: -len(suffix)]
    return name


def _free_name(folder: Path, name: str) -> Path:
    stem, ending = _stem(name), name[len(_stem(name)) :]
    for number in range(1, 1_000_000):
        target = folder / (name if number == 1 else f"{stem}-{number}{ending}")
        if not target.exists():
            return target
    raise NightpickError(f"{folder}: too many files called {name}; empty the folder")
