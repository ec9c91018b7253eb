"""What ends a batch before its last run."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from lib.place.outcome import RunOutcome
from lib.settings_batch import Batch


@dataclass(frozen=True)
class BatchEnd:
    """Why no further run is begun."""

    rule: str
    """Name of the stop condition, such as ``consecutive failures``."""
    message: str
    """The rule with its numbers, and what to do, one line."""


def batch_end(
    rules: Batch, done: Sequence[RunOutcome], now: datetime, until: datetime | None, free_bytes: int
) -> BatchEnd | None:
    """Say whether a stop condition holds before the next run; None where none does.

    ``done``: this night's runs so far, in order; ``until``: when the time window closes, None without one.
    """
    if until is not None and now > until:
        return BatchEnd("time window", f"time window: it closed at {until.astimezone():%H:%M}")
    free_gb = free_bytes / 1e9
    if free_gb < rules.least_free_gb:
        return BatchEnd(
            "disk",
            f"disk: {free_gb:.1f} GB free, less than batch.least_free_gb = {rules.least_free_gb:g}; "
            "make room",
        )
    return _of_the_arm(rules, done)


def _of_the_arm(rules: Batch, done: Sequence[RunOutcome]) -> BatchEnd | None:
    warmest_c = done[-1].warmest_c if done else None
    if warmest_c is not None and warmest_c > rules.warmest_c:
        return BatchEnd(
            "temperature",
            f"temperature: a servo has {warmest_c:.0f} deg C, more than batch.warmest_c = "
            f"{rules.warmest_c:g}; let the arm cool down",
        )
    lost = sum(run.link_lost for run in done)
    if lost >= rules.link_failures:
        return BatchEnd(
            "link failures", f"link failures: {lost} runs lost the arm; look at cable, port and power"
        )
    failed = 0
    for run in reversed(done):
        if run.state == "finished" and run.place == "yes":
            break
        failed += 1
    if failed >= rules.consecutive_failures:
        return BatchEnd(
            "consecutive failures",
            f"consecutive failures: {failed} runs in a row put no block into the box; the last: "
            f"{done[-1].reason}",
        )
    return None
