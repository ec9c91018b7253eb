"""Closing what dead processes left, by whoever comes along: on a machine without nights nobody else does.

Every command that records something leaves a file; a question reads them all. When there are many,
a command that has just recorded its own closes the oldest of them on its way out.
"""

from __future__ import annotations

from pathlib import Path

from lib.errors import NightpickError
from lib.runlog.closing import NOTHING, Closed, close_chosen, is_finished
from lib.runlog.folder import open_logs
from lib.runlog.log import run_log

MANY_LOGS = 32
# So that it takes a fraction of a second also where thousands have gathered.
LOGS_AT_ONCE = 256
_RUN_IDS = (b'"flow_run_id"', b'"task_run_id"')


def tidy_logs(data_dir: Path) -> Closed:
    """Close finished logs where there are many and this process wrote one; never waits, never fails.

    Logs of flows are left to the night: what died in them has to be told to Prefect first. Where it
    is not possible now nothing is lost, and `close_logs` says why.
    """
    if not run_log(data_dir).is_open or len(open_logs(data_dir)) <= MANY_LOGS:
        return NOTHING
    try:
        return close_chosen(data_dir, lambda: _without_runs(open_logs(data_dir)))
    except NightpickError:
        return NOTHING


def _without_runs(logs: list[Path]) -> list[Path]:
    finished = (log for log in logs if is_finished(log))
    chosen = [log for log in finished if not any(name in log.read_bytes() for name in _RUN_IDS)]
    return chosen[:LOGS_AT_ONCE]
