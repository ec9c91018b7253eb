"""Ctrl-C, SIGTERM and a closed terminal all end a command in one way: what it started is stopped in order."""

from __future__ import annotations

import signal
from types import FrameType

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


def stop_in_order() -> None:
    """Make the first of these signals a KeyboardInterrupt in the main thread, and ignore the rest.

    A shell starts background jobs deaf to Ctrl-C; here they are not.
    """
    for name in SIGNALS:
        signal.signal(name, _interrupt)


def _interrupt(number: int, frame: FrameType | None) -> None:
    for name in SIGNALS:
        signal.signal(name, signal.SIG_IGN)
    raise KeyboardInterrupt
