"""Where the run log keeps what, and how a file gets there whole.

``open/<stem>.jsonl``                 one process's records, still growing or not closed yet
``closed/<relation>/<part>.parquet``  the rows of many closed logs
``closed/<part>.json``                a part's manifest: with it the part exists, without it it does not
``archive/<stem>.jsonl``              the closed logs as they were written
"""

from __future__ import annotations

import os
import secrets
from datetime import UTC, datetime
from pathlib import Path


def open_folder(data_dir: Path) -> Path:
    """Return the folder of the logs that are not closed yet."""
    return data_dir / "runlog" / "open"


def closed_folder(data_dir: Path) -> Path:
    """Return the folder of the closed parts."""
    return data_dir / "runlog" / "closed"


def archive_folder(data_dir: Path) -> Path:
    """Return the folder of the closed logs as written."""
    return data_dir / "runlog" / "archive"


def open_logs(data_dir: Path) -> list[Path]:
    """List the logs that are not closed yet, oldest first; a link is not a log."""
    return regular_files(open_folder(data_dir), ".jsonl")


def regular_files(folder: Path, suffix: str) -> list[Path]:
    """List a folder's own files by suffix in name order; none where there is no folder yet.

    Links are left out: what they point to may lie outside the data folder.
    """
    try:
        with os.scandir(folder) as entries:
            names = [e.name for e in entries if e.name.endswith(suffix) and e.is_file(follow_symlinks=False)]
    except (FileNotFoundError, NotADirectoryError):
        return []
    return [folder / name for name in sorted(names) if not name.startswith(".")]


def new_stem() -> str:
    """Name a new log or part: its start in UTC, the process, and chance against reused process ids."""
    return f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}-{os.getpid()}-{secrets.token_hex(4)}"


def flush_to_disk(path: Path) -> None:
    """Make a file's content, or a folder's names, survive a power cut."""
    descriptor = os.open(path, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
