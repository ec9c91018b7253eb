"""Where a night's time went: a bar a task, and one bar for a task that was done many times."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median
from typing import Any

from lib.report.local_time import clock, duration
from lib.report.night_facts import Row

# A batch of a hundred runs is one line, not a hundred.
MOST_OF_ONE = 5


def time_line(tasks: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the bars in the order of their starts, in per cent of the first start to the last end."""
    start = min((t["started_utc"] for t in tasks), default=None)
    whole_s = max(((t["started_utc"] - start).total_seconds() + t["duration_s"] for t in tasks), default=0.0)
    alike: dict[str, list[Row]] = {}
    for task in tasks:
        alike.setdefault(task["task"], []).append(task)
    bars = []
    for same in alike.values():
        groups = [same] if len(same) > MOST_OF_ONE else [[task] for task in same]
        bars += [_bar(group, start, whole_s or 1.0) for group in groups]
    return sorted(bars, key=lambda bar: bar["from_percent"])


def _bar(tasks: Sequence[Row], start: Any, whole_s: float) -> dict[str, Any]:
    first = tasks[0]
    begin_s = (first["started_utc"] - start).total_seconds()
    end_s = max((t["started_utc"] - start).total_seconds() + t["duration_s"] for t in tasks)
    failed = sum(t["error"] is not None for t in tasks)
    took_s = [t["duration_s"] for t in tasks]
    name, took = first["run_name"] or first["task"], duration(took_s[0]) + (", said no" if failed else "")
    if len(tasks) > 1:
        name = f"{first['task']}, {len(tasks)} times"
        took = f"{duration(sum(took_s))}, median {duration(median(took_s))}"
        took += f", {failed} said no" if failed else ""
    return {
        "name": name,
        "from_percent": 100 * begin_s / whole_s,
        "percent": 100 * (end_s - begin_s) / whole_s,
        "took": took,
        "failed": failed > 0 and len(tasks) == failed,
        "at": clock(first["started_utc"]),
    }
