"""What happened and how to ask: the run log, the table file read without locks, named questions."""

from __future__ import annotations

from lib.runlog.closing import Closed, close_logs
from lib.runlog.connect import connect
from lib.runlog.log import RunLog, run_log
from lib.runlog.nights import Night, Schedule, due_nights, holding_arm, record_night
from lib.runlog.reconcile import LostRun, reconcile
from lib.runlog.sql_file import sql_text
from lib.runlog.tied import tied

__all__ = [
    "Closed",
    "LostRun",
    "Night",
    "RunLog",
    "Schedule",
    "close_logs",
    "connect",
    "due_nights",
    "holding_arm",
    "reconcile",
    "record_night",
    "run_log",
    "sql_text",
    "tied",
]
