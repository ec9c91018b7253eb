"""The wish to stop: made once, by a signal, and kept until the command has ended.

It is raised in the main thread like Ctrl-C, but what runs there may make an error of its own of it:
DuckDB says ``RuntimeError: Query interrupted``. So whoever tells what went wrong asks here first.
"""

from __future__ import annotations

import signal

# What people know a signal by.
NAMES = {
    signal.SIGINT: "Ctrl-C (SIGINT)",
    signal.SIGTERM: "SIGTERM",
    signal.SIGHUP: "SIGHUP, the terminal closed",
}

_WISHES: list[Stopped] = []


class Stopped(KeyboardInterrupt):
    """Somebody asked for the end; ``number`` is the signal's."""

    def __init__(self, number: int) -> None:
        super().__init__(f"stopped by {signal_name(number)}")
        self.number = number

    @property
    def exit_code(self) -> int:
        """What a shell gives a process that a signal ended."""
        return 128 + self.number


def ask_to_stop(number: int) -> Stopped:
    """Keep the wish and return it to be raised."""
    wish = Stopped(number)
    _WISHES.append(wish)
    return wish


def asked_to_stop() -> Stopped | None:
    """Return the first wish to stop, None where nobody made one."""
    return _WISHES[0] if _WISHES else None


def forget_wishes() -> None:
    """Begin anew, with a command that nobody asked to stop."""
    _WISHES.clear()


def signal_name(number: int) -> str:
    """Return what people call a signal."""
    known = signal.Signals(number)
    return NAMES.get(known, known.name)
