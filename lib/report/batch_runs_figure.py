"""The runs of one night in a row: how far each block came to lie from the centre, and what went wrong."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from lib.report.batch_facts import Row, kind
from lib.report.cell_colours import cell_colours, short_cell
from lib.report.style import GRID, INK, MUTED, PANEL_WIDTH_IN, RED, as_svg, house_figure, key, legend_below

GOAL_MM = 6.0
"""The 95th percentile aimed at."""
_MEDIAN_OF = 9
# What is no placement stands in a strip of its own above the distances, not at a distance.
_STRIP = (("no", "beside the box"), ("refused", "refused"), ("unknown", "not known"), ("aborted", "aborted"))


def runs_figure(runs: Sequence[Row], tolerance_mm: float) -> str:
    """Draw the ended runs of a night as an SVG element."""
    with house_figure(PANEL_WIDTH_IN, 3.35) as figure:
        strip, axes = figure.subplots(
            2, 1, sharex=True, height_ratios=[0.30 * len(_rows_of(runs)) + 0.02, 2.6]
        )
        _draw_strip(strip, runs)
        _draw_distances(axes, runs, tolerance_mm)
        colours = cell_colours(run["memory_cell"] for run in runs)
        keys = [key(colour, short_cell(cell), line="") for cell, colour in colours.items() if cell]
        if sum(kind(run) == "yes" for run in runs) > _MEDIAN_OF:
            keys.append(key(INK, f"median of {_MEDIAN_OF}", ""))
        if keys:
            legend_below(figure, keys)
        return as_svg(figure)


def _rows_of(runs: Sequence[Row]) -> list[tuple[str, str]]:
    return [row for row in _STRIP if any(kind(run) == row[0] for run in runs)] or [_STRIP[0]]


def _draw_strip(axes: Axes, runs: Sequence[Row]) -> None:
    rows = _rows_of(runs)
    for line, (what, _) in enumerate(rows):
        numbers = [k for k, run in enumerate(runs, 1) if kind(run) == what]
        shape = {"no": "X", "refused": "s", "unknown": "$?$", "aborted": "v"}[what]
        axes.scatter(numbers, [line] * len(numbers), marker=shape, s=34, color=RED, linewidths=0)
        axes.axhline(line, color=GRID, linewidth=0.8, zorder=0)
    axes.set_yticks(range(len(rows)), [f"{words}" for _, words in rows])
    axes.set_ylim(len(rows) - 0.45, -0.55)
    axes.tick_params(axis="y", length=0, labelcolor=INK)
    axes.tick_params(axis="x", length=0, labelbottom=False)
    for side in ("left", "bottom"):
        axes.spines[side].set_visible(False)


def _draw_distances(axes: Axes, runs: Sequence[Row], tolerance_mm: float) -> None:
    placed = [
        (k, run["in_box_dist_mm"], run["memory_cell"])
        for k, run in enumerate(runs, 1)
        if kind(run) == "yes" and run["in_box_dist_mm"] is not None
    ]
    top_mm = max([1.25 * GOAL_MM, *(1.06 * mm for _, mm, _ in placed)])
    colours = cell_colours(run["memory_cell"] for run in runs)
    axes.scatter(
        [k for k, _, _ in placed], [mm for _, mm, _ in placed], s=19, zorder=3, linewidths=0.6,
        c=[colours[cell] for _, _, cell in placed], edgecolors="white",
    )  # fmt: skip
    half = _MEDIAN_OF // 2
    if len(placed) > _MEDIAN_OF:
        smooth = [
            median(mm for _, mm, _ in placed[max(0, i - half) : i + half + 1]) for i in range(len(placed))
        ]
        axes.plot([k for k, _, _ in placed], smooth, color=INK, linewidth=1.3, zorder=4)
    for level_mm, said in ((tolerance_mm, "tolerance"), (GOAL_MM, "goal, 95 %")):
        axes.axhline(level_mm, color=MUTED, linewidth=0.8, linestyle=(0, (4, 3)), zorder=1)
        axes.annotate(
            said, (1.0, level_mm), xycoords=("axes fraction", "data"), xytext=(0, 2), ha="right",
            textcoords="offset points", fontsize=7.5, color=MUTED,
        )  # fmt: skip
    axes.set_ylim(0, top_mm)
    axes.set_xlim(0, len(runs) + 1)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True, nbins=8))
    axes.set_xlabel("run of the night")
    axes.set_ylabel("distance [mm]")
    axes.yaxis.grid(color=GRID, linewidth=0.5)
    axes.set_axisbelow(True)
