"""A flow run's log as a file of this machine: Prefect loses the last lines of a process that ends quickly."""

from __future__ import annotations

import logging
from pathlib import Path

from lib.disk import disk
from lib.errors import NightpickError
from lib.visible import visible

TASK_RUNS = "prefect.task_runs"
RUN_LOGGERS = ("prefect.flow_runs", TASK_RUNS)


def log_to(file: Path) -> None:
    """Write everything this process logs to ``file`` from now on, instead of to the file before.

    It stays so until another flow run or the end of the process: what Prefect says of a run's end
    comes after the flow's own last line.
    """
    with disk(file):
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = logging.FileHandler(file, encoding="utf-8")
    handler.setLevel(logging.INFO)
    handler.setFormatter(_Lines())
    root = logging.getLogger()
    for earlier in [known for known in root.handlers if isinstance(known.formatter, _Lines)]:
        root.removeHandler(earlier)
        earlier.close()
    root.addHandler(handler)
    for name in RUN_LOGGERS:
        logging.getLogger(name).addFilter(_READABLE)


class _Lines(logging.Formatter):
    """``2026-11-30 22:00:01,123 INFO    merge table: 45,230 rows added``."""

    def format(self, record: logging.LogRecord) -> str:
        who = getattr(record, "task_name", None) or getattr(record, "flow_name", None) or record.name
        line = f"{self.formatTime(record)} {record.levelname:7} {who}: {visible(record.getMessage())}"
        return f"{line}\n{self.formatException(record.exc_info)}" if record.exc_info else line


class _Readable(logging.Filter):
    """Leave out what says nothing to a person, here and in the UI.

    An error that a person is meant to read is one line, without the place in the code where it was
    raised; and that a task ended is said by the line with what it did, and by its bar.
    """

    def filter(self, record: logging.LogRecord) -> bool:
        error = record.exc_info[1] if record.exc_info else None
        if isinstance(error, NightpickError):
            record.msg, record.args, record.exc_info = str(error), None, None
        return not (record.name == TASK_RUNS and record.getMessage().startswith("Finished in state "))


_READABLE = _Readable()
