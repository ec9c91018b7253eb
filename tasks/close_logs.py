"""Close the run log's finished files into Parquet."""

from __future__ import annotations

from lib import runlog
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("close logs")
def close_logs(settings: Settings) -> Evidence[None]:
    """Close this process's log and those of processes that are gone; asking never waits for it."""
    closed = runlog.close_logs(settings.data_dir)
    left = f", {len(closed.left)} left open" if closed.left else ""
    return Evidence(
        None,
        headline=f"{closed.logs} logs closed, {closed.rows:,} records{left}",
        metrics={"logs": (closed.logs, "logs"), "records": (closed.rows, "records")},
    )
