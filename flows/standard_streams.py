"""Standard input, output and error as a shell may hand them over: closed, or on a disk that is full."""

from __future__ import annotations

import os
import sys
from contextlib import suppress

from lib.disk import DiskRefused, disk_refused


def open_closed_streams() -> None:
    """Open the null device in place of closed streams: no file of ours may get the number of one."""
    while (number := os.open(os.devnull, os.O_RDWR)) <= 2:  # standard error's
        pass
    os.close(number)
    for name, number, mode in (("stdin", 0, "r"), ("stdout", 1, "w"), ("stderr", 2, "w")):
        if getattr(sys, name) is None:
            setattr(sys, name, os.fdopen(number, mode, encoding="utf-8", closefd=False))


def refused_by_disk(error: BaseException) -> DiskRefused | None:
    """Return what the disk refused, None for any other error.

    Whatever else writes names its file or its folder, so what names none is standard output.
    """
    is_output = isinstance(error, OSError) and not error.filename
    return disk_refused(error, "standard output" if is_output else None)


def drop_output() -> None:
    """Let go of what standard output did not take, of which Python would complain at its end."""
    try:
        sys.stdout.flush()
    except OSError:
        with suppress(OSError):
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
