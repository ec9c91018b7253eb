"""Bars: how the table grew, and where the night's time went."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from lib.report.style import BLUE, GRID, MUTED, RED, as_svg, house_figure


def table_growth(versions: Sequence[tuple[int, int, int]]) -> str:
    """Draw (version, rows, added) as one bar a version, the part it added in a darker shade."""
    with house_figure(7.8, 0.3 + 0.24 * len(versions)) as figure:
        axes = figure.subplots()
        for k, (version, rows, added) in enumerate(versions):
            axes.barh(k, rows - added, color="#b8cfe0", height=0.62)
            axes.barh(k, added, left=rows - added, color=BLUE, height=0.62)
            axes.annotate(
                f"{rows:,} rows (+{added:,})", (rows, k), (5, 0), textcoords="offset points", va="center"
            )
            axes.annotate(
                f"version {version}",
                (0, k),
                (-5, 0),
                textcoords="offset points",
                ha="right",
                va="center",
                color=MUTED,
            )
        most = max((rows for _, rows, _ in versions), default=1)
        axes.set_xlim(0, most * 1.25 or 1)
        axes.invert_yaxis()
        axes.set_axis_off()
        return as_svg(figure)


def task_bars(tasks: Sequence[tuple[str, datetime, float, bool]]) -> str:
    """Draw (task, start, duration [s], failed) on one time axis, a line each."""
    start = min((t[1] for t in tasks), default=datetime.min)
    with house_figure(7.8, 0.7 + 0.27 * len(tasks)) as figure:
        axes = figure.subplots()
        end_s = 0.0
        for k, (_, started, duration_s, failed) in enumerate(tasks):
            offset_s = (started - start).total_seconds()
            end_s = max(end_s, offset_s + duration_s)
            axes.barh(k, duration_s, left=offset_s, color=RED if failed else BLUE, height=0.55)
        for k, (_, started, duration_s, _) in enumerate(tasks):
            offset_s = (started - start).total_seconds()
            end = (offset_s + duration_s, k)
            axes.annotate(f"{duration_s:.1f} s", end, (4, 0), textcoords="offset points", va="center")
        axes.set_yticks(range(len(tasks)), [name for name, *_ in tasks])
        axes.tick_params(axis="y", length=0, labelcolor="#1f2933")
        axes.set_xlim(0, end_s * 1.12 or 1)
        axes.set_xlabel("seconds since the first task")
        axes.grid(axis="x", color=GRID, lw=0.6)
        axes.set_axisbelow(True)
        axes.spines["left"].set_visible(False)
        axes.invert_yaxis()
        return as_svg(figure)
