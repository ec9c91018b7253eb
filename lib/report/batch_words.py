"""How the page and the reports say what a batch measured; what was not seen is said, never shown as 0."""

from __future__ import annotations

from lib.report.batch_facts import Row, kind
from lib.report.local_time import duration

NOT_SEEN = "not seen"
UNKNOWN = "unknown"


def mm(value_mm: float | None, missing: str = UNKNOWN) -> str:
    """Return a distance [mm]: ``2.2 mm``."""
    return missing if value_mm is None else f"{value_mm:.1f} mm"


def signed(value: float | None, digits: int, missing: str = UNKNOWN) -> str:
    """Return a number with its sign."""
    return missing if value is None else f"{value:+.{digits}f}"


def percent(share: float) -> str:
    """Return a share as people say it; 100 % and 0 % only where it is all or none."""
    shown = round(100 * share)
    return f"{min(99, max(1, shown)) if 0 < share < 1 else shown} %"


def seconds(value_s: float | None) -> str:
    """Return a time [s]."""
    return UNKNOWN if value_s is None else duration(value_s)


def count(number: int, what: str) -> str:
    """Return ``1 run`` or ``2 runs``."""
    return f"{number:,} {what}" if number == 1 else f"{number:,} {what}s"


def outcome(run: Row) -> str:
    """Say in a few words what became of a run."""
    distance_mm = run["in_box_dist_mm"]
    if run["state"] == "unfinished":
        return "still going on"
    said = {
        "refused": "refused, nothing let go",
        "aborted": "aborted",
        "no": "beside the box",
        "yes": "in the box",
        "unknown": "nobody knows whether it lies in the box",
    }[kind(run)]
    if kind(run) in ("yes", "no") or distance_mm is not None:
        return f"{said}, {mm(distance_mm, NOT_SEEN)} from its centre"
    return said
