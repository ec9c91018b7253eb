"""What goes on right now, for whoever watches the process: INFO a task's end, DEBUG the present step."""

from __future__ import annotations

import logging

PROGRESS = logging.getLogger("nightpick.progress")


def step(text: str) -> None:
    """Say what the running task is at."""
    PROGRESS.debug("%s", text)
