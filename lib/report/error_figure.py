"""Where the placing error comes from, night by night: row spacing, twin against reality, camera."""

from __future__ import annotations

from collections.abc import Sequence

from lib.report.batch_facts import Row
from lib.report.nights_figure import night_names
from lib.report.style import AMBER, BLUE, GRID, MUTED, PANEL_WIDTH_IN, as_svg, house_figure, key, legend_below

PARTS = (
    ("row_spacing_mm", "the rows' spacing", BLUE, "o"),
    ("twin_against_reality_mm", "twin against reality", AMBER, "s"),
    ("camera_mm", "the camera itself", MUTED, "^"),
)
_MOST_NAMES = 14


def error_figure(nights: Sequence[Row]) -> str | None:
    """Draw the parts of the error [mm], the median of each night, as an SVG element; None: unknown."""
    known = [night for night in nights if any(night[part] is not None for part, *_ in PARTS)]
    if not known:
        return None
    with house_figure(PANEL_WIDTH_IN, 2.75) as figure:
        axes = figure.subplots()
        for part, _, colour, shape in PARTS:
            at = [(k, night[part]) for k, night in enumerate(known) if night[part] is not None]
            axes.plot(
                [k for k, _ in at], [mm for _, mm in at], "-", marker=shape, color=colour, markersize=4.5,
                linewidth=1.2,
            )  # fmt: skip
        every = max(1, -(-len(known) // _MOST_NAMES))
        shown = [k for k in range(len(known)) if (len(known) - 1 - k) % every == 0]
        names = night_names(known)
        axes.set_xticks(shown, [names[k] for k in shown], rotation=35, ha="right", rotation_mode="anchor")
        axes.set_xlim(-0.6, len(known) - 0.4)
        axes.set_ylim(0, None)
        axes.yaxis.grid(color=GRID, linewidth=0.5)
        axes.set_axisbelow(True)
        axes.set_ylabel("median error [mm]")
        legend_below(figure, [key(colour, label, shape) for _, label, colour, shape in PARTS])
        return as_svg(figure)
