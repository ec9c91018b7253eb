"""Ctrl-C and SIGTERM stop the arm before anything else happens in the process."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
from collections.abc import Iterator
from types import FrameType
from typing import Any

from lib.arm.frames import STOP


class Interruptions:
    """What signals have raised so far; the library's socket swallows whatever is raised while it waits."""

    def __init__(self) -> None:
        self.raised: list[BaseException] = []

    @contextlib.contextmanager
    def not_swallowed(self) -> Iterator[None]:
        """Raise again, at the end of the block, what a signal raised inside it and somebody caught."""
        before = len(self.raised)
        try:
            yield
        except Exception:
            self._again(before)
            raise
        self._again(before)

    def _again(self, before: int) -> None:
        if len(self.raised) > before:
            raise self.raised[-1] from None


SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


@contextlib.contextmanager
def stopping(descriptor: int, interruptions: Interruptions) -> Iterator[None]:
    """Inside, each of these signals first writes the stop frame, then does what it did before.

    A signal that would have ended the process without a word raises SystemExit instead, so that the arm's
    connection is closed in order. Signals reach only the main thread; elsewhere this does nothing.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {name: signal.getsignal(name) for name in SIGNALS}

    def stop_first(number: int, frame: FrameType | None) -> None:
        with contextlib.suppress(OSError):
            os.write(descriptor, STOP)
        try:
            _as_before(before[signal.Signals(number)], number, frame)
        except BaseException as error:
            interruptions.raised.append(error)
            raise

    for name in SIGNALS:
        if before[name] != signal.SIG_IGN:
            signal.signal(name, stop_first)
    try:
        yield
    finally:
        for name in SIGNALS:
            if signal.getsignal(name) is stop_first:
                signal.signal(name, before[name])


def _as_before(handler: Any, number: int, frame: FrameType | None) -> None:
    if callable(handler):
        handler(number, frame)
    else:
        raise SystemExit(128 + number)
