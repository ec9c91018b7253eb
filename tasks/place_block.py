"""Do one run of the batch, and show what came of it."""

from __future__ import annotations

from datetime import UTC, datetime

from lib.place import Placing, RunOutcome
from lib.report import batch_markdown, batch_progress_headline, outcome_line
from lib.runlog import run_stem
from lib.settings import Settings
from tasks.artifacts import Markdown, Progress
from tasks.evidence import Evidence, evidence_task


@evidence_task("place block", run_name="run {number} of {runs}")
def place_block(
    settings: Settings, placing: Placing, done: list[RunOutcome], number: int, runs: int
) -> Evidence[None]:
    """Pick one block, place it, and add what came of it to ``done``; a refusal is no failure.

    The flow reads ``done``: were the outcome the task's value, Prefect would draw arrows to all later runs.
    """
    run = placing.run(run_stem(number, datetime.now(UTC)), number)
    done.append(run)
    said = outcome_line(run)
    so_far = batch_progress_headline(done, runs)
    return Evidence(
        None,
        headline=said,
        metrics=_metrics(run),
        artifacts=(
            Progress("batch-progress", 100 * number / runs, f"run {number} of {runs}; {so_far}"),
            Markdown("batch-runs", batch_markdown(done, runs), so_far),
        ),
    )


def _metrics(run: RunOutcome) -> dict[str, tuple[float, str]]:
    metrics: dict[str, tuple[float, str]] = {
        "run_duration": (run.duration_s, "s"),
        "looks": (run.looks, "looks"),
    }
    if run.in_box_dist_mm is not None:
        metrics["in_box_dist"] = (run.in_box_dist_mm, "mm")
    if run.warmest_c is not None:
        metrics["warmest_servo"] = (run.warmest_c, "deg C")
    return metrics
