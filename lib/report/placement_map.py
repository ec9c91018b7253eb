"""Where the blocks came to lie in the box: the box to scale, and the middle of it enlarged."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import median

from matplotlib.axes import Axes
from matplotlib.patches import Circle, Rectangle

from lib.report.batch_facts import Row, kind
from lib.report.cell_colours import cell_colours
from lib.report.style import GRID, INK, MUTED, PANEL_WIDTH_IN, RED, as_svg, house_figure

RINGS_MM = (3.0, 6.0)
_LEAST_MM = 7.5
Size = tuple[float, float]


def placement_map(runs: Sequence[Row], inner_mm: Size, block_mm: float) -> str | None:
    """Draw the placements that were seen as an SVG element; None where none was.

    ``inner_mm``: the box between its walls, along x and z. ``block_mm``: edge of a block.
    """
    seen = [run for run in runs if run["seen_x_m"] is not None and run["target_x_m"] is not None]
    if not seen:
        return None
    with house_figure(PANEL_WIDTH_IN, 2.4) as figure:
        box, middle = figure.subplots(1, 2)
        colours = cell_colours(run["memory_cell"] for run in runs)
        for axes in (box, middle):
            axes.add_patch(
                Rectangle((-inner_mm[0] / 2, -inner_mm[1] / 2), *inner_mm, facecolor="#f7f8fa", edgecolor=INK)
            )
            axes.axhline(0, color=GRID, linewidth=0.7, zorder=1)
            axes.axvline(0, color=GRID, linewidth=0.7, zorder=1)
        inside = _scatter(middle, seen, colours, 15)
        _scatter(box, seen, colours, 7)
        _draw_rings(middle)
        _draw_block(box, block_mm)
        points = [offset_mm(run) for run in inside]
        if points:
            at = tuple(median(p[k] for p in points) for k in (0, 1))
            middle.plot(*at, "+", color=INK, markersize=11, markeredgewidth=1.6, zorder=5)
        reach_mm = max([_LEAST_MM, *(1.12 * max(map(abs, p)) for p in points)])
        _frame(middle, reach_mm, reach_mm, "the middle, enlarged [mm]")
        outside = [offset_mm(run) for run in seen]
        widths = [max(0.56 * inner_mm[k], *(1.08 * abs(p[k]) for p in outside)) for k in (0, 1)]
        _frame(box, max(widths), max(widths), "the box to scale [mm]")
        return as_svg(figure)


def offset_mm(run: Row) -> tuple[float, float]:
    """Return where a block was seen less where it was wanted, x and z [mm]."""
    return (
        1e3 * (run["seen_x_m"] - run["target_x_m"]),
        1e3 * (run["seen_z_m"] - run["target_z_m"]),
    )


def _scatter(axes: Axes, seen: Sequence[Row], colours: dict[str | None, str], size: float) -> list[Row]:
    inside = [run for run in seen if kind(run) == "yes"]
    for group, shape in ((inside, "o"), ([run for run in seen if kind(run) != "yes"], "X")):
        points = [offset_mm(run) for run in group]
        axes.scatter(
            [x for x, _ in points], [z for _, z in points], marker=shape, s=size if shape == "o" else 26,
            c=[colours[run["memory_cell"]] if shape == "o" else RED for run in group], edgecolors="white",
            linewidths=0.4, zorder=3,
        )  # fmt: skip
    return inside


def _draw_rings(axes: Axes) -> None:
    for radius_mm in RINGS_MM:
        axes.add_patch(
            Circle((0, 0), radius_mm, fill=False, edgecolor=MUTED, linewidth=0.8, linestyle=(0, (4, 3)))
        )
        axes.annotate(
            f"{radius_mm:g} mm",
            (0, radius_mm),
            xytext=(2, 1),
            textcoords="offset points",
            fontsize=7,
            color=MUTED,
        )


def _draw_block(axes: Axes, block_mm: float) -> None:
    half = block_mm / 2
    axes.add_patch(
        Rectangle(
            (-half, -half),
            block_mm,
            block_mm,
            fill=False,
            edgecolor=MUTED,
            linewidth=0.8,
            linestyle=(0, (4, 3)),
        )
    )


def _frame(axes: Axes, x_mm: float, z_mm: float, says: str) -> None:
    axes.set_xlim(-x_mm, x_mm)
    axes.set_ylim(-z_mm, z_mm)
    axes.set_aspect("equal")
    axes.set_title(says, fontsize=8, fontweight="normal", color=MUTED)
    axes.set_xlabel("x", labelpad=1)
    axes.set_ylabel("z", labelpad=0)
