"""Where the table reaches: residual over x and z, before and after, targets out of reach marked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import QuadMesh

from lib.report.style import GREEN, INK, MUTED, RED, as_svg, house_figure

# Near is pale, far is dark: what is worth a look stands out from the page.
COLOURS = "YlGnBu"
WORST_SHOWN_MM = 30.0


@dataclass(frozen=True)
class ProbeCell:
    """One probe as the map draws it."""

    x_m: float
    z_m: float
    before_mm: float | None
    """Residual before [mm]; None where nothing was in reach."""
    after_mm: float | None
    verdict: str


def probe_map(mode: str, cells: Sequence[ProbeCell]) -> str:
    """Draw one mode's probes, which lie on a grid, before beside after, as an SVG element.

    Of a first version, before which nothing was in reach, only what it made is drawn.
    """
    first = all(cell.before_mm is None for cell in cells)
    with house_figure(7.8, 3.5) as figure:
        panels = figure.subplots(1, 2, sharex=True, sharey=True)
        left, right = panels
        left.set_ylabel("z [mm]")
        if first:
            left.set_title(f"{mode.upper()} now")
            mesh = _draw(left, cells, [cell.after_mm for cell in cells])
            right.set_axis_off()
        else:
            left.set_title(f"{mode.upper()} before")
            right.set_title(f"{mode.upper()} after")
            _draw(left, cells, [cell.before_mm for cell in cells])
            mesh = _draw(right, cells, [cell.after_mm for cell in cells])
            _mark(right, cells)
        bar = figure.colorbar(mesh, ax=left if first else list(panels), shrink=0.9, pad=0.02, aspect=18)
        bar.set_label("distance of the selected row [mm]")
        bar.outline.set_linewidth(0)
        return as_svg(figure)


def _mark(axes: Axes, cells: Sequence[ProbeCell]) -> None:
    for verdict, colour, shape in (("improved", GREEN, "v"), ("worse", RED, "^")):
        marked = [cell for cell in cells if cell.verdict == verdict]
        axes.scatter(
            [1e3 * cell.x_m for cell in marked],
            [1e3 * cell.z_m for cell in marked],
            marker=shape,
            s=16,
            color=colour,
            edgecolors="white",
            linewidths=0.4,
        )


def _draw(axes: Axes, cells: Sequence[ProbeCell], values_mm: Sequence[float | None]) -> QuadMesh:
    xs, columns = np.unique(np.round([1e3 * cell.x_m for cell in cells], 3), return_inverse=True)
    zs, rows = np.unique(np.round([1e3 * cell.z_m for cell in cells], 3), return_inverse=True)
    grid = np.full((len(zs), len(xs)), np.nan)
    grid[rows, columns] = [np.nan if value is None else value for value in values_mm]
    mesh = axes.pcolormesh(
        xs, zs, grid, cmap=COLOURS, vmin=0, vmax=WORST_SHOWN_MM, edgecolors="white", linewidth=0.5
    )
    unreached = np.isnan(grid[rows, columns])
    axes.scatter(xs[columns[unreached]], zs[rows[unreached]], marker="x", s=7, color=MUTED, linewidths=0.6)
    axes.set_aspect("equal")
    axes.set_xlabel("x [mm]")
    axes.tick_params(labelcolor=INK)
    return mesh
