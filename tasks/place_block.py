"""Do one run of the batch, and show what came of it."""

from __future__ import annotations

from datetime import UTC, datetime

from lib.place import Placing, RunOutcome
from lib.report import outcome_line
from lib.runlog import run_stem
from lib.settings import Settings
from tasks.artifacts import Progress
from tasks.evidence import Evidence, evidence_task


@evidence_task("place block", run_name="run {number} of {runs}")
def place_block(settings: Settings, placing: Placing, number: int, runs: int) -> Evidence[RunOutcome]:
    """Pick one block and place it; a run that comes to nothing is an outcome, not a failure."""
    run = placing.run(run_stem(number, datetime.now(UTC)), number)
    said = outcome_line(run)
    metrics: dict[str, tuple[float, str]] = {
        "run_duration": (run.duration_s, "s"),
        "looks": (run.looks, "looks"),
    }
    if run.in_box_dist_mm is not None:
        metrics["in_box_dist"] = (run.in_box_dist_mm, "mm")
    if run.warmest_c is not None:
        metrics["warmest_servo"] = (run.warmest_c, "deg C")
    progress = Progress("batch-progress", 100 * number / runs, f"run {number} of {runs}: {said}")
    return Evidence(run, headline=said, metrics=metrics, artifacts=(progress,))
