"""Ctrl-C, SIGTERM and a closed terminal end a command in one way: what it started is stopped in order.

The first signal says at once what is waited for and raises ``Stopped`` in the main thread; one more
ends the process on the spot. Nothing is half written then either, and the guardian of a child
process ends it when its owner is gone.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from types import FrameType

from lib.stop import Stopped, ask_to_stop, asked_to_stop, forget_wishes, signal_name

SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
# A closing terminal, or `timeout`, signals a process and its group: the same wish twice.
SAME_WISH_S = 1.0


class _Stopping:
    """What the running command does about signals."""

    def __init__(self) -> None:
        self.in_force = False
        self.waits_for: Callable[[], str] | None = None
        self.last_word: Callable[[Stopped], object] | None = None
        self.asked_s = 0.0

    def listen(self) -> None:
        for name in SIGNALS:
            signal.signal(name, self._heard)

    def _heard(self, number: int, frame: FrameType | None) -> None:
        wish = asked_to_stop()
        if wish is None:
            self.asked_s = time.monotonic()
            wish = ask_to_stop(number)
            if self.waits_for is not None:
                _say(f"stopping, {signal_name(number)}: {self.waits_for()}; once more ends it on the spot")
            raise wish
        if time.monotonic() - self.asked_s > SAME_WISH_S:
            if self.last_word is not None:
                self.last_word(wish)
            os._exit(wish.exit_code)


_STOPPING = _Stopping()


@contextmanager
def stopping_in_order(last_word: Callable[[Stopped], object]) -> Iterator[None]:
    """Turn signals into ``Stopped`` while the block runs; ``last_word`` is called before an end on the spot.

    A shell starts background jobs deaf to Ctrl-C; here they are not.
    """
    forget_wishes()
    before = {name: signal.getsignal(name) for name in SIGNALS}
    _STOPPING.in_force, _STOPPING.last_word = True, last_word
    _STOPPING.listen()
    try:
        yield
    finally:
        _STOPPING.in_force = False
        forget_wishes()
        for name, handler in before.items():
            signal.signal(name, handler if handler is not None else signal.SIG_DFL)


@contextmanager
def waiting_for(what: Callable[[], str]) -> Iterator[None]:
    """Say what an end has to wait for, should it be asked for while the block runs."""
    before, _STOPPING.waits_for = _STOPPING.waits_for, what
    try:
        yield
    finally:
        _STOPPING.waits_for = before


def listen_again() -> None:
    """Take the signals back from Prefect, which puts a handler of its own around a flow run.

    In a worker's process nothing was in force, so there Prefect's handler stays.
    """
    if _STOPPING.in_force:
        _STOPPING.listen()


def _say(line: str) -> None:
    # Not by sys.stderr: the signal may have come in the middle of a write of its own.
    start = "\r\x1b[2K" if sys.stderr.isatty() else ""
    with suppress(OSError):
        os.write(2, f"{start}{line}\n".encode(errors="backslashreplace"))
