"""How a motion study came out, drawn: places with their intervals, time against smoothness."""

from __future__ import annotations

from itertools import pairwise
from pathlib import Path

import numpy as np
from matplotlib.axes import Axes

from lib.report.figure_file import write_figure
from lib.report.motion_facts import MotionFacts, VariantFacts
from lib.report.style import AMBER, BLUE, GREEN, GRID, INK, MUTED, RED, house_figure

_COLOURS = (BLUE, GREEN, AMBER, "#7d3c98", "#148f77", RED, "#884ea0", "#5d6d7e")


def write_ranking_figure(path: Path, facts: MotionFacts) -> None:
    """Write the ranking alone to ``path``; raises BadInput as write_figure does."""
    with house_figure(11.5, 1.2 + 0.22 * max(len(facts.ranked), 8)) as figure:
        ranking, front = figure.subplots(1, 2, width_ratios=[1.25, 1.0])
        draw_ranking(ranking, facts)
        draw_front(front, facts)
        write_figure(figure, path, f"Ranking of {facts.study_id}")


def draw_ranking(axes: Axes, facts: MotionFacts) -> None:
    """Draw the median rank of each variant with its interval, best on top."""
    axes.set_title("median rank over the repeats, with its 95 % interval")
    for line, variant in enumerate(facts.ranked):
        rank = variant.rank
        assert rank is not None, "ranked variants have a rank"
        colour = _colour(facts, variant.approach) if variant.passed else RED
        axes.plot([rank.low_rank, rank.high_rank], [line, line], color=colour, linewidth=4, alpha=0.35)
        axes.plot(rank.median_rank, line, "o", color=colour, markersize=6)
        if not variant.passed:
            axes.annotate(
                f"passed {rank.passed} of {rank.repeats}", (rank.low_rank, line), xytext=(-8, 0),
                textcoords="offset points", ha="right", va="center", fontsize=7, color=RED,
            )  # fmt: skip
    labels = [f"{variant.name}   {variant.place}" for variant in facts.ranked]
    axes.set_yticks(range(len(labels)), labels, color=INK)
    axes.invert_yaxis()
    axes.set_xlim(0.5, max(len(labels), 1) + 0.5)
    axes.set_xlabel("rank (1 is best)")
    axes.grid(axis="x", color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)


def draw_front(axes: Axes, facts: MotionFacts) -> None:
    """Draw time against smoothness, and the front of those that nobody beats in both."""
    axes.set_title("time against smoothness (ringed: Pareto front)")
    points = [variant for variant in facts.ranked if variant.medians]
    front = sorted(_point(v) for v in points if v.rank is not None and v.rank.on_front)
    for (left, low), (right, high) in pairwise(front):
        axes.plot([left, right], [low, high], color=MUTED, linewidth=1.0, linestyle=(0, (4, 2)), zorder=1)
    for left, low in front:
        axes.plot(left, low, "o", markersize=11, markerfacecolor="none", markeredgecolor=INK, zorder=3)
    for approach in dict.fromkeys(variant.approach for variant in facts.variants):
        of_it = sorted(_point(v) for v in points if v.approach == approach)
        colour = _colour(facts, approach)
        if of_it:
            axes.plot(*np.array(of_it).T, "o", color=colour, markersize=6, zorder=2)
            axes.annotate(
                approach, of_it[-1], xytext=(10, 0), textcoords="offset points", va="center", fontsize=8.5,
                color=colour, fontweight="bold",
            )  # fmt: skip
    slowest = {v.speed: _point(v)[0] for v in points}
    for speed, cycle_s in slowest.items():
        axes.annotate(
            speed, (cycle_s, 0.0), xycoords=("data", "axes fraction"), xytext=(0, 4),
            textcoords="offset points", ha="center", fontsize=7.5, color=MUTED,
        )  # fmt: skip
    axes.set_xlabel("cycle time [s], less is better")
    axes.set_ylabel("spectral arc length\n(nearer to 0 is smoother)")
    axes.grid(color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.margins(x=0.2, y=0.16)
    if not points:
        axes.set_xticks([])
        axes.set_yticks([])
        axes.text(0.5, 0.5, "no variant passed the gates", transform=axes.transAxes, ha="center", color=MUTED)


def _point(variant: VariantFacts) -> tuple[float, float]:
    return variant.medians["cycle_s"], variant.medians["spectral_arc_length"]


def _colour(facts: MotionFacts, approach: str) -> str:
    approaches = list(dict.fromkeys(variant.approach for variant in facts.variants))
    return _COLOURS[approaches.index(approach) % len(_COLOURS)]
