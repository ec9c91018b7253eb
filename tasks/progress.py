"""What goes on right now, for whoever watches the process: INFO a task's end, DEBUG the present step."""

from __future__ import annotations

import logging

PROGRESS = logging.getLogger("nightpick.progress")


_PRESENT = [""]


def step(text: str) -> None:
    """Say what the running task is at."""
    _PRESENT[0] = text
    PROGRESS.debug("%s", text)


def present_step() -> str:
    """Return what was said last."""
    return _PRESENT[0]
