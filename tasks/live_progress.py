"""How far a running task is, as an artifact that moves while people look at it."""

from __future__ import annotations

import time
from uuid import UUID

from lib.report import plain
from tasks.artifacts import Shown
from tasks.publishing import PUBLISHER, Logger

# What is over in a moment needs no bar.
NOT_BEFORE_S = 1.0
# A step nearer is shown this often at most, and never for more than a tenth of the task's time.
NOT_OFTENER_S = 1.0
TIMES_ITS_COST = 10.0


class LiveProgress:
    """The progress of one task run; never raises, and waits for no server that is slow or gone."""

    def __init__(self, task: str, task_run_id: UUID, flow_run_id: UUID | None, logger: Logger) -> None:
        self._key = f"{task.replace(' ', '-')}-progress"
        self._ids = task_run_id, flow_run_id
        self._logger = logger
        self._artifact: UUID | None = None
        self._share = 0.0
        self._next_s = time.monotonic() + NOT_BEFORE_S

    def at(self, share: float, text: str) -> None:
        """Show that a ``share`` (0 to 1) of the task is done and ``text`` goes on, if it is time to."""
        began_s = time.monotonic()
        if began_s >= self._next_s:
            self._share = share
            self._show(text)
            ended_s = time.monotonic()
            self._next_s = ended_s + max(NOT_OFTENER_S, TIMES_ITS_COST * (ended_s - began_s))

    def done(self, text: str) -> None:
        """Show that nothing is left to do, where a bar is shown at all."""
        self._share = 1.0
        self.left(text)

    def left(self, text: str) -> None:
        """Show why it stays where it is, where a bar is shown at all."""
        if self._artifact is not None:
            self._show(text)

    def _show(self, text: str) -> None:
        view = Shown("progress", round(100 * min(1.0, max(0.0, self._share)), 1), plain(text))
        if self._artifact is None:
            self._artifact = PUBLISHER.create(self._key, view, *self._ids, self._logger)
        else:
            PUBLISHER.update(self._artifact, self._key, view, self._logger)
