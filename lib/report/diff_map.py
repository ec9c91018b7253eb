"""Two versions compared: where the newer one's selected row is nearer, and where it is farther."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, ListedColormap
from matplotlib.lines import Line2D
from matplotlib.patches import Patch
from numpy.typing import NDArray

from lib.report.figure_file import write_figure
from lib.report.reach_map import Frame, draw_cells, draw_frame, dress
from lib.report.style import GREEN, GRID, MUTED, RED, house_figure

MOST_SHOWN_MM = 15.0
_BETTER_WORSE = LinearSegmentedColormap.from_list("better_worse", [GREEN, "#ffffff", RED])


@dataclass(frozen=True, eq=False)
class DiffCells:
    """A grid of targets looked up in both versions."""

    xs_mm: NDArray[np.float64]
    """x of the columns, of shape (c,)."""
    zs_mm: NDArray[np.float64]
    """z of the rows, of shape (r,)."""
    before_mm: NDArray[np.float64]
    """xz distance of the row selected before, of shape (r, c); NaN where nothing was in reach."""
    after_mm: NDArray[np.float64]
    """The same after."""


def write_diff_map(path: Path, title: str, subtitle: str, cells: DiffCells, frame: Frame) -> None:
    """Write the heat map of the change to ``path``; raises BadInput as write_figure does."""
    reached_before, reached_after = np.isfinite(cells.before_mm), np.isfinite(cells.after_mm)
    with house_figure(7.0, 6.2) as figure:
        figure.suptitle(title, x=0.012, ha="left", fontsize=10, fontweight="bold")
        axes = figure.subplots()
        axes.set_title(subtitle, fontsize=8.5, fontweight="normal", color=MUTED)
        in_neither = np.where(reached_before | reached_after, np.nan, 0.0)
        draw_cells(axes, cells.xs_mm, cells.zs_mm, in_neither, ListedColormap([GRID]), (0, 1))
        change_mm = cells.after_mm - cells.before_mm
        ends = (-MOST_SHOWN_MM, MOST_SHOWN_MM)
        image = draw_cells(axes, cells.xs_mm, cells.zs_mm, change_mm, _BETTER_WORSE, ends)
        _mark(axes, cells, reached_after & ~reached_before, "o", GREEN)
        _mark(axes, cells, reached_before & ~reached_after, "x", RED)
        draw_frame(axes, frame)
        dress(axes)
        bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02, aspect=22, extend="both")
        bar.set_label("change of the selected row's distance [mm]: green is nearer")
        bar.outline.set_linewidth(0)
        figure.legend(
            handles=[
                Line2D([], [], marker="o", linestyle="", color=GREEN, markersize=3.5, label="newly in reach"),
                Line2D([], [], marker="x", linestyle="", color=RED, markersize=4, label="out of reach now"),
                Patch(facecolor=GRID, label="out of reach in both"),
            ],
            fontsize=8, frameon=False, loc="outside lower left", ncols=3, columnspacing=2.0,
        )  # fmt: skip
        write_figure(figure, path, title)


def _mark(axes: Axes, cells: DiffCells, where: NDArray[np.bool_], shape: str, colour: str) -> None:
    rows, columns = np.nonzero(where)
    axes.scatter(cells.xs_mm[columns], cells.zs_mm[rows], marker=shape, s=9, color=colour, linewidths=0.9)
