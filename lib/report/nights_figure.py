"""Night after night: how often placements succeeded, with their intervals, and how far off they lay."""

from __future__ import annotations

from collections.abc import Sequence

from matplotlib.axes import Axes
from matplotlib.ticker import PercentFormatter

from lib.report.batch_facts import Row, wilson
from lib.report.style import (
    AMBER,
    BLUE,
    GREEN,
    GRID,
    INK,
    MUTED,
    PANEL_WIDTH_IN,
    as_svg,
    house_figure,
    key,
    legend_below,
)

_MOST_NAMES = 14


def nights_figure(nights: Sequence[Row]) -> str:
    """Draw the figures of some nights, the oldest first, as an SVG element."""
    with house_figure(PANEL_WIDTH_IN, 3.35) as figure:
        share, distance = figure.subplots(2, 1, sharex=True, height_ratios=[1, 1.25])
        _draw_share(share, nights)
        _draw_distance(distance, nights)
        names = night_names(nights)
        every = max(1, -(-len(nights) // _MOST_NAMES))
        shown = [k for k in range(len(nights)) if (len(nights) - 1 - k) % every == 0]
        distance.set_xticks(shown, [names[k] for k in shown], rotation=35, ha="right", rotation_mode="anchor")
        distance.set_xlim(-0.6, len(nights) - 0.4)
        for axes in (share, distance):
            axes.yaxis.grid(color=GRID, linewidth=0.5)
            axes.set_axisbelow(True)
        keys = [key(GREEN, "placed, 95 % interval"), key(BLUE, "median")]
        legend_below(figure, [*keys, key(AMBER, "95th percentile", "^", line="")])
        return as_svg(figure)


def night_names(nights: Sequence[Row]) -> list[str]:
    """Name nights by their dates, those of one date also by their number, imported ones as such."""
    days = [f"{night['local_date']:%-d %b}" for night in nights]
    return [
        f"{day}, imported" if night["arm"] == "imported"
        else f"{day} ({night['sequence']})" if days.count(day) > 1 and night["sequence"]
        else day
        for day, night in zip(days, nights, strict=True)
    ]  # fmt: skip


def _draw_share(axes: Axes, nights: Sequence[Row]) -> None:
    for k, night in enumerate(nights):
        low, high = wilson(night["placed"], night["runs"])
        axes.plot([k, k], [low, high], color=GREEN, linewidth=3.2, alpha=0.35, solid_capstyle="butt")
    axes.plot(
        [night["placed"] / night["runs"] for night in nights], "o", color=GREEN, markersize=4.5, clip_on=False
    )
    lows = [wilson(night["placed"], night["runs"])[0] for night in nights]
    axes.set_ylim(max(0.0, min(0.5, min(lows) - 0.03)), 1.0)
    axes.yaxis.set_major_formatter(PercentFormatter(1.0))
    axes.set_ylabel("placed", color=INK)
    axes.tick_params(axis="x", length=0, labelbottom=False)


def _draw_distance(axes: Axes, nights: Sequence[Row]) -> None:
    known = [(k, n["median_mm"], n["p95_mm"]) for k, n in enumerate(nights) if n["median_mm"] is not None]
    at = [k for k, _, _ in known]
    axes.vlines(at, [m for _, m, _ in known], [p for _, _, p in known], color=MUTED, linewidth=0.7)
    axes.plot(at, [p for _, _, p in known], "^", color=AMBER, markersize=4.5)
    axes.plot(at, [m for _, m, _ in known], "-o", color=BLUE, markersize=4.5, linewidth=1.2)
    highest = max((p for _, _, p in known), default=1.0)
    smallest = min((m for _, m, _ in known), default=1.0)
    if smallest > 0 and highest / smallest > 12:  # a first night beside learned ones
        axes.set_yscale("log")
        ticks = [v for v in (1, 2, 5, 10, 20, 50, 100, 200) if 0.7 * smallest <= v <= 1.3 * highest]
        axes.set_yticks(ticks, [f"{v:g}" for v in ticks])
        axes.minorticks_off()
    else:
        axes.set_ylim(0, 1.12 * highest)
    axes.set_ylabel("distance [mm]")
