"""SIGTERM ends a command like Ctrl-C does: what it started is stopped in order before it goes."""

from __future__ import annotations

import signal
from types import FrameType


def terminate_like_interrupt() -> None:
    """Turn SIGTERM and SIGHUP into KeyboardInterrupt in the main thread; the first one counts."""
    for name in (signal.SIGTERM, signal.SIGHUP):
        signal.signal(name, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    signal.signal(number, signal.SIG_IGN)
    raise KeyboardInterrupt
