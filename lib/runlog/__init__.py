"""What happened and how to ask: the run log, the table file read without locks, named questions."""

from __future__ import annotations

from lib.runlog.batch_runs import RecordedRun, run_stem, runs_left, runs_of_night, settle_interrupted
from lib.runlog.closing import Closed, close_logs
from lib.runlog.connect import connect
from lib.runlog.legacy_runs import Imported, import_runs
from lib.runlog.log import RunLog, run_log
from lib.runlog.nights import Night, Schedule, due_nights, holding_arm, record_night
from lib.runlog.one_file import one_file
from lib.runlog.questions import Question, ask, named_questions, question
from lib.runlog.reading import damaged_parts
from lib.runlog.reconcile import CRASHED, LostRun, reconcile
from lib.runlog.safe_query import Answer, ask_sql
from lib.runlog.sql_file import sql_text
from lib.runlog.tidying import tidy_logs
from lib.runlog.tied import tied, tied_ids

__all__ = [
    "CRASHED",
    "Answer",
    "Closed",
    "Imported",
    "LostRun",
    "Night",
    "Question",
    "RecordedRun",
    "RunLog",
    "Schedule",
    "ask",
    "ask_sql",
    "close_logs",
    "connect",
    "damaged_parts",
    "due_nights",
    "holding_arm",
    "import_runs",
    "named_questions",
    "one_file",
    "question",
    "reconcile",
    "record_night",
    "run_log",
    "run_stem",
    "runs_left",
    "runs_of_night",
    "settle_interrupted",
    "sql_text",
    "tidy_logs",
    "tied",
    "tied_ids",
]
