"""Remove from the index what no version needs and what killed processes left half written."""

from __future__ import annotations

import fcntl
from collections.abc import Collection
from contextlib import suppress
from pathlib import Path


def tidy(folder: Path, used: Collection[str]) -> None:
    """Remove segments that are not ``used`` and unfinished files that nobody writes any more."""
    for segment in folder.glob("*.seg"):
        if segment.name not in used:
            with suppress(OSError):
                segment.unlink()
    for unfinished in folder.glob("*.part"):
        with suppress(OSError), unfinished.open("rb") as file:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)  # BlockingIOError while it is written
            unfinished.unlink()
