"""A motion study as small multiples: path and tip speed of every variant, ranking, time and smoothness."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Rectangle

from lib.report.figure_file import write_figure
from lib.report.motion_facts import MotionFacts, Shown, VariantFacts
from lib.report.motion_ranking_figure import draw_front, draw_ranking
from lib.report.style import BLUE, GREEN, GRID, INK, MUTED, RED, house_figure

STATE_COLOURS = {
    "MOVING_TO_CUP": "#7fb3d5",
    "GRABBING": "#34495e",
    "LIFTING": "#a9cf8f",
    "MOVING_TO_PLACE": "#f2c46d",
    "LOWERING": "#e59866",
    "PLACING": "#943126",
    "RETURNING_HOME": "#b3a1cc",
    "COMPLETE": "#cbd2d9",
}
STATE_WORDS = {
    "MOVING_TO_CUP": "to cup",
    "GRABBING": "grab",
    "LIFTING": "lift",
    "MOVING_TO_PLACE": "to place",
    "LOWERING": "lower",
    "PLACING": "place",
    "RETURNING_HOME": "home",
    "COMPLETE": "rest",
}
# Narrower, and titles and keys run into each other.
_LEAST_WIDTH_IN = 11.5


def write_motion_figure(path: Path, facts: MotionFacts) -> None:
    """Write the figure to ``path``; raises BadInput as write_figure does."""
    approaches = list(dict.fromkeys(variant.approach for variant in facts.variants))
    speeds = list(dict.fromkeys(variant.speed for variant in facts.variants))
    height_in = 1.9 * len(approaches) + 3.9
    with house_figure(max(_LEAST_WIDTH_IN, 3.6 + 3.1 * len(speeds)), height_in) as figure:
        rows: Any = figure.subfigures(2, 1, height_ratios=[1.9 * len(approaches) + 0.5, 3.4])
        grid = rows[0].subplots(
            len(approaches), 1 + len(speeds), squeeze=False, width_ratios=[1.05] + [1.0] * len(speeds)
        )
        rows[0].suptitle(_title(facts), x=0.008, ha="left", fontsize=11, fontweight="bold")
        _draw_grid(grid, facts, approaches, speeds)
        ranking, front = rows[1].subplots(1, 2, width_ratios=[1.25, 1.0])
        draw_ranking(ranking, facts)
        draw_front(front, facts)
        _draw_state_key(rows[0])
        write_figure(figure, path, f"Motion study {facts.study_id}")


def _title(facts: MotionFacts) -> str:
    played = [variant for variant in facts.variants if variant.rank is not None]
    best = f", best: {facts.best}" if facts.best else ", none passed in every repeat"
    of_all = f"{len(played)} of {len(facts.variants)} variants"
    return f"{facts.study_id}: {of_all} played {facts.repeats} times each{best}"


def _draw_grid(grid: np.ndarray, facts: MotionFacts, approaches: list[str], speeds: list[str]) -> None:
    by_name = {(variant.approach, variant.speed): variant for variant in facts.variants}
    for row, approach in enumerate(approaches):
        of_it = [by_name[approach, speed] for speed in speeds if (approach, speed) in by_name]
        _draw_path(grid[row, 0], facts, approach, of_it)
        for column, speed in enumerate(speeds, 1):
            axes = grid[row, column]
            variant = by_name.get((approach, speed))
            if variant is not None:
                _draw_speed(axes, variant, best=variant.name == facts.best)
            if row == len(approaches) - 1:
                axes.set_xlabel("time [s]")
    for column, speed in enumerate(speeds, 1):
        shown = [v.shown for v in facts.variants if v.speed == speed and v.shown is not None]
        top_m_s = max((float(s.speed_m_s.max()) for s in shown), default=1.0)
        end_s = max((float(s.time_s[-1]) for s in shown), default=1.0)
        for row in range(len(approaches)):
            grid[row, column].set_xlim(0, end_s)
            grid[row, column].set_ylim(0, 1.32e3 * top_m_s)
            grid[row, 1].set_ylabel("tip speed [mm/s]", fontsize=8)
    grid[-1, 0].set_xlabel("x [mm]")


def _draw_path(axes: Axes, facts: MotionFacts, approach: str, of_it: list[VariantFacts]) -> None:
    """Draw the tip's path seen from the front, coloured by state; all speeds go the same way."""
    axes.set_title(approach)
    for box in facts.boxes:
        width, height = (1e3 * (box.high_m[k] - box.low_m[k]) for k in (0, 1))
        corner = (1e3 * box.low_m[0], 1e3 * box.low_m[1])
        axes.add_patch(Rectangle(corner, width, height, facecolor=GRID, edgecolor=MUTED, linewidth=0.5))
    axes.axhline(0.0, color=MUTED, linewidth=0.8)
    shown = next((variant.shown for variant in reversed(of_it) if variant.shown is not None), None)
    if shown is not None:
        for state, start, end in _spans(shown):
            part = 1e3 * shown.tip_m[start : end + 1]
            axes.plot(part[:, 0], part[:, 1], color=STATE_COLOURS.get(state, MUTED), linewidth=2.2)
    axes.set_xlim(-290, 290)
    axes.set_ylim(-12, 320)
    axes.set_ylabel("height [mm]")


def _draw_speed(axes: Axes, variant: VariantFacts, best: bool) -> None:
    """Draw the tip's speed, measured over commanded, above the states' bands."""
    colour = GREEN if best else INK if variant.passed else RED
    axes.set_title(f"{variant.place}   {variant.name}", color=colour, fontsize=9)
    shown = variant.shown
    if shown is None:
        axes.text(
            0.04, 0.5, f"infeasible:\n{_wrapped(variant.infeasible or '', 42)}", transform=axes.transAxes,
            fontsize=7, color=RED, va="center",
        )  # fmt: skip
        axes.tick_params(labelbottom=False, labelleft=False)
        return
    for state, start, end in _spans(shown):
        begin_s, end_s = shown.time_s[start] - 0.02, shown.time_s[end]
        axes.axvspan(begin_s, end_s, color=STATE_COLOURS.get(state, MUTED), alpha=0.28, linewidth=0)
    axes.plot(shown.time_s, 1e3 * shown.told_speed_m_s, color=INK, linewidth=0.8, linestyle=(0, (2, 2)))
    axes.plot(shown.time_s, 1e3 * shown.speed_m_s, color=BLUE, linewidth=1.1)
    axes.text(
        0.99, 0.97, _score_text(variant), transform=axes.transAxes, fontsize=6.8, color=INK, ha="right",
        va="top",
    )  # fmt: skip


def _score_text(variant: VariantFacts) -> str:
    medians = variant.medians
    if not medians or variant.rank is None:
        said = variant.shown.ended if variant.shown else ""
        return _wrapped(said, 40)
    return (
        f"SAL {medians['spectral_arc_length']:.3f}   slip {1e3 * medians['slip_m']:.1f} mm   "
        f"jerk {medians['peak_jerk_deg_s3']:,.0f} deg/s³"
        + ("" if variant.passed else f"\npassed {variant.rank.passed} of {variant.rank.repeats}")
    )


def _draw_state_key(figure: Figure) -> None:
    handles: list[Artist] = [Rectangle((0, 0), 1, 1, facecolor=c) for c in STATE_COLOURS.values()]
    words = [STATE_WORDS[state] for state in STATE_COLOURS]
    handles += [Line2D([], [], color=BLUE), Line2D([], [], color=INK, linestyle=(0, (2, 2)), linewidth=0.8)]
    figure.legend(
        handles, [*words, "tip speed measured", "commanded"], loc="outside lower center", ncols=10,
        frameon=False, fontsize=8, handlelength=1.2, columnspacing=1.4,
    )  # fmt: skip


def _spans(shown: Shown) -> list[tuple[str, int, int]]:
    """Return each state with its first and last frame."""
    starts = np.flatnonzero(np.concatenate([[True], shown.states[1:] != shown.states[:-1]]))
    ends = [*(starts[1:] - 1), len(shown.states) - 1]
    return [(str(shown.states[start]), int(start), int(end)) for start, end in zip(starts, ends, strict=True)]


def _wrapped(text: str, width: int) -> str:
    words, lines = text.split(), [""]
    for word in words:
        if len(lines[-1]) + len(word) > width:
            lines.append("")
        lines[-1] = f"{lines[-1]} {word}".strip()
    return "\n".join(lines)
