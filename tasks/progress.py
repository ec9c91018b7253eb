"""What goes on right now, for whoever watches the process: INFO a task's end, DEBUG the present step."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar

PROGRESS = logging.getLogger("nightpick.progress")


_PRESENT = [""]
_BAR: ContextVar[Callable[[float, str], None] | None] = ContextVar("bar", default=None)


def step(text: str, share: float | None = None) -> None:
    """Say what the running task is at; ``share`` (0 to 1) is how much of it is done, where it is known."""
    _PRESENT[0] = text
    PROGRESS.debug("%s", text)
    show = _BAR.get()
    if show is not None and share is not None:
        show(share, text)


@contextmanager
def moving(bar: Callable[[float, str], None]) -> Iterator[None]:
    """Let the steps of the block move a bar."""
    token = _BAR.set(bar)
    try:
        yield
    finally:
        _BAR.reset(token)


def present_step() -> str:
    """Return what was said last."""
    return _PRESENT[0]
