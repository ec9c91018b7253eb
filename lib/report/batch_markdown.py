"""The batch so far as the report the Prefect UI shows while it goes on."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from lib.place import RunOutcome
from lib.report.batch_facts import wilson
from lib.report.batch_words import NOT_SEEN, count, mm, percent
from lib.report.local_time import duration
from lib.report.markdown import plain, table

ROWS_SHOWN = 300


def batch_markdown(done: Sequence[RunOutcome], runs: int) -> str:
    """Return the runs of a batch of ``runs`` so far, the latest first, below their sum in a sentence."""
    parts = [f"## {batch_progress_headline(done, runs)}"]
    if done:
        head = ("run", "block in the box", "distance", "cell", "looks", "took", "why")
        latest = list(reversed(done))[:ROWS_SHOWN]
        parts.append(table(head, map(_row, latest), right=(0, 2, 4, 5)))
    if len(done) > ROWS_SHOWN:
        parts.append(f"{count(len(done) - ROWS_SHOWN, 'earlier run')} in `nightpick ask distances`.")
    return "\n\n".join(parts) + "\n"


def batch_progress_headline(done: Sequence[RunOutcome], runs: int) -> str:
    """Say how far a batch is and how well it goes."""
    placed = sum(run.state == "finished" and run.place == "yes" for run in done)
    said = f"{len(done)} of {count(runs, 'run')} done"
    if not done:
        return said
    low, high = wilson(placed, len(done))
    said += f", {placed} placed (likely {percent(low)} to {percent(high)})"
    seen_mm = [run.in_box_dist_mm for run in done if run.in_box_dist_mm is not None]
    return f"{said}, median {mm(median(seen_mm))}" if seen_mm else f"{said}, no distance seen"


def _row(run: RunOutcome) -> tuple[object, ...]:
    let_go = run.place is not None
    return (
        run.run_number,
        run.place if let_go else run.state,
        mm(run.in_box_dist_mm, NOT_SEEN) if let_go else "",
        run.memory_cell or "",
        run.looks or "",
        duration(run.duration_s),
        plain(run.reason),
    )
