"""The night on a terminal: a line for everything that is done, a spinner for what is going on."""

from __future__ import annotations

import logging
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from rich.console import Console
from rich.status import Status
from rich.text import Text

from lib.visible import visible
from tasks.progress import PROGRESS


@contextmanager
def stage_lines() -> Iterator[None]:
    """Show the progress of tasks on standard error while the block runs; no spinner where nobody looks."""
    console = Console(stderr=True, highlight=False, soft_wrap=True, emoji=False)
    spinner = console.status("starting") if sys.stderr.isatty() else None
    handler = _Lines(console, spinner)
    PROGRESS.addHandler(handler)
    PROGRESS.setLevel(logging.DEBUG)
    PROGRESS.propagate = False
    if spinner is not None:
        spinner.start()
    try:
        yield
    finally:
        if spinner is not None:
            spinner.stop()
        PROGRESS.removeHandler(handler)


class _Lines(logging.Handler):
    def __init__(self, console: Console, spinner: Status | None) -> None:
        super().__init__()
        self._console = console
        self._spinner = spinner

    def emit(self, record: logging.LogRecord) -> None:
        if record.levelno >= logging.INFO:
            self._console.print(visible(record.getMessage()), markup=False)
        elif self._spinner is not None:
            self._spinner.update(Text(visible(record.getMessage())))  # it may name "[a].csv"
