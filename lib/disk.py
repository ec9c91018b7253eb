"""What a disk refuses, told in one line: no room, no right, read-only, out of order.

Known by the system's own words, which DuckDB repeats: so the database need not be imported to ask.
"""

from __future__ import annotations

import errno
import os
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from lib.errors import BadInput

# What was found, and what to do before the same command is given again.
_REFUSALS: dict[int, tuple[str, str]] = {
    errno.ENOSPC: ("no space left on the disk", "make room"),
    errno.EDQUOT: ("the disk quota is used up", "make room"),
    errno.EFBIG: ("no file may become that large", "raise the limit (`ulimit -f`) or choose another disk"),
    errno.EROFS: ("the disk is read-only", "make it writable or choose another place"),
    errno.EACCES: ("permission denied", "give yourself the right or choose another place"),
    errno.EPERM: ("permission denied", "give yourself the right or choose another place"),
    errno.ENOTDIR: ("a file where a folder should be", "move the file away or choose another place"),
    errno.EISDIR: ("a folder where a file should be", "move the folder away or choose another place"),
    errno.ENAMETOOLONG: ("a name too long for the disk", "choose a shorter name"),
    errno.EIO: ("the disk fails to read or write", "look after the disk"),
}


class DiskRefused(BadInput):
    """The disk did not take or give what it was asked for."""

    kind = "disk"


def disk_refused(
    error: BaseException, place: Path | str | None = None, otherwise: str = ""
) -> DiskRefused | None:
    """Return the one line for what the disk refused, None for any other error.

    ``place`` is what people call the place; without it the file that the error names. ``otherwise``
    says what holds all the same, such as ``the table is as it was``.
    """
    number = _errno(error)
    if number is None:
        return None
    found, todo = _REFUSALS[number]
    named = getattr(error, "filename2", None) or getattr(error, "filename", None)
    where = place or named or "the data folder"
    return DiskRefused(f"{where}: {'; '.join(filter(None, (found, otherwise, todo)))}, then try again")


@contextmanager
def disk(place: Path | str, otherwise: str = "") -> Iterator[None]:
    """Tell what the disk refuses inside the block as DiskRefused: see ``disk_refused``."""
    try:
        yield
    except Exception as error:
        refused = disk_refused(error, place, otherwise)
        if refused is None:
            raise
        raise refused from error


@contextmanager
def whole_file(path: Path) -> Iterator[Path]:
    """Yield the name of a file to write beside ``path``; on the disk it becomes ``path``, else nothing does.

    Raises DiskRefused, BadInput where there is no such folder.
    """
    if not path.absolute().parent.is_dir():
        raise BadInput(f"{path}: cannot be written: there is no folder {path.parent}; make it first")
    beside = path.with_name(f".{path.name}.{os.getpid()}.part")
    with cannot_be_written(path):
        try:
            yield beside
            written = os.open(beside, os.O_RDONLY)
            try:
                os.fsync(written)
            finally:
                os.close(written)
            beside.replace(path)
        finally:
            with suppress(OSError):  # a disk that takes nothing gives nothing up either
                beside.unlink(missing_ok=True)


@contextmanager
def cannot_be_written(path: Path) -> Iterator[None]:
    """Tell whatever the system does not let be written inside the block as DiskRefused for ``path``."""
    place = f"{path}: cannot be written"
    try:
        yield
    except OSError as error:
        raise disk_refused(error, place) or DiskRefused(
            f"{place}: {error.strerror}; choose another place"
        ) from error


def _errno(error: BaseException) -> int | None:
    if isinstance(error, OSError):
        return error.errno if error.errno in _REFUSALS else None
    if not type(error).__module__.lstrip("_").startswith("duckdb"):
        return None
    said = str(error)
    return next((number for number in _REFUSALS if os.strerror(number) in said), None)
