"""A run of the batch in one line."""

from __future__ import annotations

from lib.place import RunOutcome

_PLACE = {"yes": "in the box", "no": "beside the box", "unknown": "not seen in the box"}


def outcome_line(run: RunOutcome) -> str:
    """Say how a run ended, as its progress line and its artifact have it."""
    if run.state != "finished" or run.place is None:
        return f"{run.run_stem} {run.state}: {run.reason}"
    where = _PLACE[run.place]
    far = "" if run.in_box_dist_mm is None else f", {run.in_box_dist_mm:.1f} mm from its centre"
    looks = f" after {run.looks} look{'s' if run.looks != 1 else ''}" if run.looks else ""
    return f"{run.run_stem}: {where}{far}{looks}"
