"""Write a file of the index beside its place, then move it there in one step."""

from __future__ import annotations

import fcntl
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import IO


@contextmanager
def unfinished(path: Path) -> Iterator[IO[bytes]]:
    """Yield a file to write; when done, it is on the disk and becomes ``path``.

    Held locked while it is written, so that what a killed process leaves is told from what another
    process is writing. Raises OSError where the folder cannot be written.
    """
    beside = path.with_name(f"{path.name}.{os.getpid()}-{secrets.token_hex(4)}.part")
    try:
        with beside.open("xb") as file:
            fcntl.flock(file, fcntl.LOCK_EX)
            yield file
            file.flush()
            os.fsync(file.fileno())
            beside.replace(path)
    finally:
        with suppress(OSError):
            beside.unlink(missing_ok=True)
