"""Where a night's time went: a bar a task, and one bar for a task that was done many times."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from statistics import median
from typing import Any

from lib.report.local_time import clock, duration
from lib.report.night_facts import Row

# A batch of a hundred runs is one line, not a hundred.
MOST_OF_ONE = 5


def time_line(tasks: Sequence[Row]) -> list[dict[str, Any]]:
    """Return the bars of tasks, in the order of their starts, in per cent of first start to last end."""
    start = min((t["started_utc"] for t in tasks), default=None)
    whole_s = max(((t["started_utc"] - start).total_seconds() + t["duration_s"] for t in tasks), default=0.0)
    times = Counter(task["task"] for task in tasks)
    groups: dict[tuple[str, int], list[Row]] = {}
    for number, task in enumerate(tasks):
        alone = number if times[task["task"]] <= MOST_OF_ONE else -1
        groups.setdefault((task["task"], alone), []).append(task)
    return [_bar(group, start, whole_s or 1.0) for group in groups.values()]


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
