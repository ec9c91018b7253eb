"""How often placements succeed, cell by cell, with their 95 % Wilson intervals; the night before in grey."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from lib.report.batch_facts import Row, wilson
from lib.report.cell_colours import cell_colours, short_cell
from lib.report.style import GRID, INK, MUTED, PANEL_WIDTH_IN, as_svg, house_figure, key, legend_below

_APART = 0.2


def success_figure(cells: Sequence[Row], before: Sequence[Row]) -> str:
    """Draw this night's cells (memory_cell, runs, placed) as an SVG element."""
    lines = [
        *_named(cells),
        ("all runs", sum(c["placed"] for c in cells), sum(c["runs"] for c in cells), INK),
    ]
    earlier = {name: (placed, runs) for name, placed, runs, _ in _named(before)}
    if before:
        earlier["all runs"] = sum(c["placed"] for c in before), sum(c["runs"] for c in before)
    with house_figure(PANEL_WIDTH_IN, 0.95 + 0.36 * len(lines)) as figure:
        axes = figure.subplots()
        for line, (name, placed, runs, colour) in enumerate(lines):
            if name in earlier:
                _interval(axes, line + _APART, *earlier[name], MUTED, 0.45)
            _interval(axes, line - (_APART if name in earlier else 0), placed, runs, colour, 1.0)
            axes.annotate(
                f"{placed} of {runs}", (1.02, line), xycoords=("axes fraction", "data"), va="center",
                fontsize=8, color=INK, annotation_clip=False,
            )  # fmt: skip
        axes.set_yticks(range(len(lines)), [line[0] for line in lines])
        axes.tick_params(axis="y", length=0, labelcolor=INK, labelsize=8.5)
        axes.set_ylim(len(lines) - 0.4, -0.6)
        axes.set_xlim(0, 1)
        axes.xaxis.set_major_formatter(PercentFormatter(1.0))
        axes.xaxis.grid(color=GRID, linewidth=0.6)
        axes.set_axisbelow(True)
        axes.spines["left"].set_visible(False)
        axes.set_xlabel("placed, with the 95 % interval")
        if before:
            legend_below(figure, [key(INK, "tonight"), key(MUTED, "the night before", alpha=0.45)])
        return as_svg(figure)


def _named(cells: Sequence[Row]) -> list[tuple[str, int, int, str]]:
    colours = cell_colours(c["memory_cell"] for c in cells if c["memory_cell"] != "no placement")
    return [
        (
            "nothing let go" if c["memory_cell"] == "no placement" else short_cell(c["memory_cell"]),
            c["placed"],
            c["runs"],
            colours.get(c["memory_cell"], MUTED),
        )
        for c in sorted(cells, key=lambda c: (c["memory_cell"] == "no placement", c["memory_cell"]))
    ]


def _interval(axes: Axes, line: float, placed: int, runs: int, colour: str, alpha: float) -> None:
    low, high = wilson(placed, runs)
    axes.plot(
        [low, high], [line, line], color=colour, linewidth=3.2, alpha=0.4 * alpha, solid_capstyle="butt"
    )
    axes.plot(placed / runs, line, "o", color=colour, markersize=5, alpha=alpha, clip_on=False)
