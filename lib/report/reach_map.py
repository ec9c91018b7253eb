"""The reachability map: residual over x and z, and what binds where nothing is in reach."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import Colormap, ListedColormap
from matplotlib.image import AxesImage
from matplotlib.patches import Patch, Rectangle
from numpy.typing import NDArray

from lib.report.figure_file import write_figure
from lib.report.style import COLOURS, INK, MUTED, WORST_SHOWN_MM, house_figure

Values = NDArray[np.float64]

# Pale, so that residuals stand out; each cause has a letter too, for eyes and printers without colours.
_CAUSES = {
    "ee_y_band": ("H", "#f3d9d2"),
    "ee_y_floor": ("F", "#e8c4c4"),
    "j0_lock": ("0", "#e6dcf2"),
    "j1_min": ("1", "#d8e0f0"),
    "ref_joints": ("R", "#f0e6cf"),
    "ee_y_target": ("T", "#f6d7e3"),
    "j4_safe": ("4", "#f7cfa3"),
    "score_weights": ("S", "#d9ead3"),
    "absence_of_points": ("A", "#e4e7eb"),
}
# Along the longer side of the map: enough to name every region, few enough to read.
_LETTERS = 11


@dataclass(frozen=True, eq=False)
class ReachCells:
    """A grid of targets as the map draws it."""

    xs_mm: Values
    """x of the columns, of shape (c,)."""
    zs_mm: Values
    """z of the rows, of shape (r,)."""
    distance_mm: Values
    """xz distance of the selected row, of shape (r, c); NaN where nothing is in reach."""
    bound_by: NDArray[np.str_]
    """What binds there, of shape (r, c); empty where the target is reached."""


@dataclass(frozen=True)
class Frame:
    """A rectangle to draw over the map: the box, the PICK area."""

    label: str
    x_mm: tuple[float, float]
    z_mm: tuple[float, float]


def write_reach_map(path: Path, title: str, subtitle: str, cells: ReachCells, frame: Frame) -> None:
    """Write the map to ``path``; raises BadInput as write_figure does."""
    with house_figure(7.0, 6.6) as figure:
        figure.suptitle(title, x=0.012, ha="left", fontsize=10, fontweight="bold")
        axes = figure.subplots()
        axes.set_title(subtitle, fontsize=8.5, fontweight="normal", color=MUTED)
        draw_causes(axes, cells)
        image = draw_cells(axes, cells.xs_mm, cells.zs_mm, cells.distance_mm, COLOURS, (0, WORST_SHOWN_MM))
        draw_frame(axes, frame)
        dress(axes)
        bar = figure.colorbar(image, ax=axes, shrink=0.8, pad=0.02, aspect=22)
        bar.set_label("distance of the selected row [mm]")
        bar.outline.set_linewidth(0)
        counts = Counter(cause for cause in cells.bound_by.ravel().tolist() if cause)
        if counts:
            figure.legend(
                handles=[
                    Patch(facecolor=_CAUSES[name][1], label=f"{_CAUSES[name][0]}  {name} ({count:,})")
                    for name, count in counts.most_common()
                ],
                title="out of reach, bound by", title_fontsize=8.5, fontsize=8, frameon=False,
                loc="outside lower left", alignment="left", ncols=3, columnspacing=2.0,
            )  # fmt: skip
        write_figure(figure, path, title)


def draw_cells(
    axes: Axes,
    xs_mm: Values,
    zs_mm: Values,
    values: Values,
    colours: str | Colormap,
    ends: tuple[float, float],
) -> AxesImage:
    """Draw a grid of values (r, c), each cell around its target; as an image, for an SVG of mere paths
    would have a megabyte and hairlines between the cells."""
    (left, right), (bottom, top) = _edges(xs_mm), _edges(zs_mm)
    return axes.imshow(
        values, origin="lower", extent=(left, right, bottom, top), cmap=colours, vmin=ends[0], vmax=ends[1],
        interpolation="none", aspect="equal",
    )  # fmt: skip


def draw_causes(axes: Axes, cells: ReachCells) -> None:
    """Colour the cells out of reach by what binds there, with letters over them."""
    names = list(_CAUSES)
    numbers = np.full(cells.bound_by.shape, np.nan)
    for number, name in enumerate(names):
        numbers[cells.bound_by == name] = number
    colours = ListedColormap([colour for _, colour in _CAUSES.values()])
    draw_cells(axes, cells.xs_mm, cells.zs_mm, numbers, colours, (-0.5, len(names) - 0.5))
    every = max(1, round(max(cells.bound_by.shape) / _LETTERS))
    for row in range(every // 2, len(cells.zs_mm), every):
        for column in range(every // 2, len(cells.xs_mm), every):
            cause = str(cells.bound_by[row, column])
            around = cells.bound_by[max(row - 1, 0) : row + 2, max(column - 1, 0) : column + 2]
            if cause and (around == cause).all():
                axes.text(
                    cells.xs_mm[column], cells.zs_mm[row], _CAUSES[cause][0], ha="center", va="center",
                    fontsize=7, color=MUTED,
                )  # fmt: skip


def draw_frame(axes: Axes, frame: Frame) -> None:
    """Outline a rectangle and name it."""
    (left, right), (bottom, top) = frame.x_mm, frame.z_mm
    axes.add_patch(
        Rectangle((left, bottom), right - left, top - bottom, fill=False, edgecolor=INK, linewidth=0.9)
    )
    axes.annotate(
        frame.label, (left, top), xytext=(2, 2), textcoords="offset points", fontsize=7.5, color=INK
    )


def dress(axes: Axes) -> None:
    """Give a map its axes."""
    axes.set_xlabel("x [mm]")
    axes.set_ylabel("z [mm]")
    axes.tick_params(labelcolor=INK)


def _edges(middles: Values) -> tuple[float, float]:
    half = 0.5 * float(middles[1] - middles[0])
    return float(middles[0]) - half, float(middles[-1]) + half
