"""What the memory cells learned in a night: each correction before and after, with two deviations."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes

from lib.report.batch_facts import Row
from lib.report.cell_colours import cell_colours, short_cell
from lib.report.style import GRID, INK, MUTED, PANEL_WIDTH_IN, as_svg, house_figure, key, legend_below

_AXES = (("x", "x"), ("y", "height"), ("z", "z"))
_DEVIATIONS = 2.0


def corrections_figure(memory: Sequence[Row]) -> str:
    """Draw the cells that changed as an SVG element: grey what they held before, in colour what they hold."""
    colours = cell_colours(cell["memory_cell"] for cell in memory)
    with house_figure(PANEL_WIDTH_IN, 0.9 + 0.34 * len(memory)) as figure:
        columns = figure.subplots(1, 3, sharey=True, squeeze=False)[0]
        for axes, (axis, says) in zip(columns, _AXES, strict=True):
            for line, cell in enumerate(memory):
                was, is_ = cell[f"before_{axis}_mm"], cell[f"bias_{axis}_mm"]
                if was is not None:
                    _value(axes, line + 0.17, was, cell[f"before_sigma_{axis}_mm"], MUTED, 0.5)
                _value(axes, line - 0.13, is_, cell[f"sigma_{axis}_mm"], colours[cell["memory_cell"]], 1.0)
            axes.axvline(0, color=MUTED, linewidth=0.7, zorder=0)
            axes.xaxis.grid(color=GRID, linewidth=0.5)
            axes.set_axisbelow(True)
            axes.set_xlabel(f"{says} [mm]")
            axes.spines["left"].set_visible(False)
            axes.tick_params(axis="y", length=0)
        names = [short_cell(cell["memory_cell"]) for cell in memory]
        columns[0].set_yticks(range(len(names)), names)
        columns[0].tick_params(axis="y", labelcolor=INK, labelsize=8.5)
        columns[0].set_ylim(len(names) - 0.45, -0.55)
        names_of = [key(INK, "now, with two deviations"), key(MUTED, "before the night", alpha=0.5)]
        legend_below(figure, names_of)
        return as_svg(figure)


def _value(
    axes: Axes, line: float, value_mm: float, sigma_mm: float | None, colour: str, alpha: float
) -> None:
    if sigma_mm is not None:
        ends = [value_mm - _DEVIATIONS * sigma_mm, value_mm + _DEVIATIONS * sigma_mm]
        axes.plot(ends, [line, line], color=colour, linewidth=3.0, alpha=0.4 * alpha, solid_capstyle="butt")
    axes.plot(value_mm, line, "o", color=colour, markersize=4.5, alpha=alpha)
