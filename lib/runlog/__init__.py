"""What happened and how to ask: the run log, the table file read without locks, named questions."""

from __future__ import annotations

from lib.runlog.closing import Closed, close_logs
from lib.runlog.connect import connect
from lib.runlog.log import RunLog, run_log

__all__ = ["Closed", "RunLog", "close_logs", "connect", "run_log"]
