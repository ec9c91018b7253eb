"""The funnel as a figure: how many rows each filter left, and how near the nearest of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path

from matplotlib.axes import Axes
from matplotlib.ticker import FuncFormatter, LogLocator, NullLocator

from lib.report.figure_file import write_figure
from lib.report.style import AMBER, BLUE, GREEN, GRID, INK, MUTED, RED, house_figure

_BAR = 0.62


@dataclass(frozen=True)
class FunnelStep:
    """One filter as the figure draws it."""

    name: str
    bound: str
    """The bound in words, with its unit."""
    protects: bool
    rows: int
    """Rows left after it."""
    nearest_mm: float | None
    """xz distance of the nearest row left [mm]; None where none is left."""
    z_mm: float | None
    """z residual of that row [mm]."""
    stepped_aside: bool = False
    """Whether it gave way because no row met it."""


@dataclass(frozen=True)
class Selected:
    """The answer at the end of the funnel."""

    label: str
    distance_mm: float | None
    """xz distance of the selected row [mm]; None where there is none."""
    z_mm: float | None
    """z residual of that row [mm]; None where it is not known."""
    sendable: bool


def write_funnel(path: Path, title: str, rows: int, steps: Sequence[FunnelStep], selected: Selected) -> None:
    """Write the funnel of a table of ``rows`` rows to ``path``; raises BadInput as write_figure does."""
    with house_figure(8.6, 0.9 + 0.32 * (len(steps) + 2)) as figure:
        figure.suptitle(title, x=0.012, ha="left", fontsize=10, fontweight="bold")
        left, right = figure.subplots(1, 2, sharey=True)
        _draw_rows(left, rows, steps)
        _draw_distances(right, steps, selected)
        names = ["whole table", *(step.name for step in steps), "selected"]
        left.set_yticks(range(len(names)), names)
        left.set_ylim(len(names) - 0.4, -0.6)
        left.tick_params(axis="y", length=0, labelcolor=INK, labelsize=9)
        for label, step in zip(left.get_yticklabels()[1:], steps, strict=False):
            label.set_color(AMBER if step.protects else INK)
        for axes in (left, right):
            axes.spines["left"].set_visible(False)
            axes.tick_params(axis="x", labelcolor=MUTED)
        left.annotate(
            "amber: protects hardware, never relaxed", (0.0, 1.0), xycoords="axes fraction", xytext=(0, 2),
            textcoords="offset points", color=AMBER, fontsize=7.5,
        )  # fmt: skip
        write_figure(figure, path, title)


def _draw_rows(axes: Axes, rows: int, steps: Sequence[FunnelStep]) -> None:
    counts = [rows, *(step.rows for step in steps)]
    colours = [MUTED, *(AMBER if step.protects else BLUE for step in steps)]
    axes.set_xscale("log")
    floor = 0.7  # on a logarithmic axis a single row still needs a bar
    axes.barh(
        range(len(counts)),
        [max(count, floor) - floor for count in counts],
        left=floor,
        height=_BAR,
        color=colours,
        alpha=0.9,
    )
    axes.set_xlim(floor, max(rows, 10) * 30)
    for k, count in enumerate(counts):
        said = f"{count:,}"
        if k and steps[k - 1].stepped_aside:
            said += " (none inside: gave way)"
        axes.annotate(
            said, (max(count, floor), k), xytext=(4, 0), textcoords="offset points", va="center",
            color=RED if count == 0 else INK, fontsize=8,
        )  # fmt: skip
    axes.set_xlabel("rows left")
    axes.xaxis.set_major_locator(LogLocator(base=10, numticks=5))
    axes.xaxis.set_minor_locator(NullLocator())
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:,.0f}"))


def _draw_distances(axes: Axes, steps: Sequence[FunnelStep], selected: Selected) -> None:
    points = [(step.nearest_mm, k) for k, step in enumerate(steps, start=1)]
    known = [(value, k) for value, k in points if value is not None]
    end = len(steps) + 1
    farthest = max([value for value, _ in known] + [selected.distance_mm or 0.0, 1e-3])
    axes.set_xlim(-0.03 * farthest, 1.7 * farthest)
    axes.xaxis.grid(True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    path = known + ([(selected.distance_mm, end)] if selected.distance_mm is not None else [])
    for (before, k), (after, m) in pairwise(path):
        # The turn lies between the lines, where no text stands.
        axes.plot([before, before, after, after], [k, m - 0.5, m - 0.5, m], color=MUTED, linewidth=0.8)
    for k, step in enumerate(steps, start=1):
        colour = AMBER if step.protects else BLUE
        if step.nearest_mm is None:
            axes.annotate("no row left", (0, k), xytext=(4, 0), textcoords="offset points", va="center",
                          color=RED, fontsize=8)  # fmt: skip
            continue
        axes.plot(step.nearest_mm, k, "o", color=colour, markersize=5)
        _say(axes, step.nearest_mm, step.z_mm, step.bound, k)
    if selected.distance_mm is None:
        axes.annotate(selected.label, (0, end), xytext=(4, 0), textcoords="offset points", va="center",
                      color=RED, fontsize=8)  # fmt: skip
    else:
        colour = GREEN if selected.sendable else RED
        axes.plot(selected.distance_mm, end, "D", color=colour, markersize=5.5)
        _say(axes, selected.distance_mm, selected.z_mm, selected.label, end)
    axes.tick_params(axis="y", length=0)
    axes.set_xlabel("nearest row left: distance in the x-z plane [mm]")


def _say(axes: Axes, distance_mm: float, z_mm: float | None, remark: str, y: float) -> None:
    text = axes.annotate(
        f"{distance_mm:.1f}", (distance_mm, y), xytext=(7, 0), textcoords="offset points", va="center",
        color=INK, fontsize=8,
    )  # fmt: skip
    of_it = "" if z_mm is None else f"(z {z_mm:.1f})  "
    axes.annotate(
        f"{of_it}{remark}", (1.0, 0.5), xycoords=text, xytext=(4, 0), textcoords="offset points",
        va="center", color=MUTED, fontsize=7.5,
    )  # fmt: skip
