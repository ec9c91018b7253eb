"""The chain as homing found it, from the side and from above, with how sure each link's place is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.patches import Ellipse
from numpy.typing import NDArray

from lib.homing import BASE_SLIDES, Homing
from lib.report.figure_file import write_figure
from lib.report.style import AMBER, BLUE, GREEN, GRID, INK, MUTED, RED, house_figure
from lib.robot import Tree, point_motions, tree_frames

Array = NDArray[np.float64]

_COLOURS = {"high": GREEN, "medium": AMBER, "low": RED, "none": MUTED}
_VIEWS = (("from the side", 0, 2, "x", "z"), ("from above", 0, 1, "x", "y"))
_LARGEST_MM = 12.0
"""How wide the widest ellipse is drawn."""
_DEVIATIONS = 3.0


def write_homing_figure(path: Path, homing: Homing) -> Path:
    """Draw links as lines, joints coloured by confidence, and ellipses of three deviations, enlarged.

    What is not seen is drawn at the middle of its range, in grey and dashed.
    """
    machine = homing.machine
    tree, values = Tree.of(machine), homing.values(machine)
    frames = tree_frames(tree, values[None])
    places_mm = 1000.0 * frames.places_m[0]
    spreads = _spreads(homing, tree, frames)
    seen = {m.name: m.confidence for m in homing.found}
    widest = max((_DEVIATIONS * float(np.sqrt(np.linalg.eigvalsh(s).max())) for s in spreads), default=0.0)
    enlarged = _enlargement(widest)
    with house_figure(8.6, 4.0) as figure:
        axes = figure.subplots(1, 2)
        for axis, (title, across, up, x, y) in zip(axes, _VIEWS, strict=True):
            _draw(axis, machine, places_mm, spreads, seen, (across, up), enlarged)
            axis.set_title(title)
            axis.set_xlabel(f"{x} [mm]")
            axis.set_ylabel(f"{y} [mm]")
            axis.set_aspect("equal", adjustable="datalim")
            axis.grid(color=GRID, linewidth=0.5)
        figure.suptitle(
            f"{homing.method}; ellipses: {_DEVIATIONS:g} deviations, {enlarged:g} times enlarged; "
            "green high, amber medium, red low, grey not seen",
            fontsize=8,
            color=MUTED,
        )
        write_figure(figure, path, f"{machine.name} as homed")
    return path


def _draw(
    axis: Any,
    machine: Any,
    places_mm: Array,
    spreads: list[Array],
    seen: dict[str, str],
    plane: tuple[int, int],
    enlarged: float,
) -> None:
    picked = list(plane)
    for i, link in enumerate(machine.links):
        if link.joint is None:
            continue
        confidence = seen.get(link.joint.variable, "none")
        ends = places_mm[[link.parent, i]][:, picked]
        dashed = "--" if confidence == "none" else "-"
        axis.plot(*ends.T, dashed, color=INK if dashed == "-" else MUTED, linewidth=2.0, zorder=2)
        if link.joint.variable in BASE_SLIDES:
            continue  # a base that stands beside the board is no joint
        axis.plot(*places_mm[i, picked], "o", color=_COLOURS[confidence], markersize=6, zorder=4)
        axis.annotate(
            link.joint.variable, places_mm[i, picked], xytext=(5, 4), textcoords="offset points", fontsize=8
        )
        if confidence != "none":
            axis.add_patch(_ellipse(places_mm[i, picked], spreads[i][np.ix_(picked, picked)], enlarged))
    axis.autoscale_view()


def _ellipse(middle: Array, spread: Array, enlarged: float) -> Ellipse:
    sizes, turns = np.linalg.eigh(spread)
    width, height = 2 * enlarged * _DEVIATIONS * np.sqrt(np.maximum(sizes[::-1], 0.0))
    angle = float(np.degrees(np.arctan2(turns[1, 1], turns[0, 1])))
    return Ellipse(
        (float(middle[0]), float(middle[1])), width, height, angle=angle, facecolor=BLUE, alpha=0.25, zorder=3
    )


def _spreads(homing: Homing, tree: Tree, frames: Any) -> list[Array]:
    """Return the covariance of each link's place [mm^2] (3, 3)."""
    machine = homing.machine
    deviations = np.array(
        [
            0.0 if m.std is None else m.std / v.shown_per_internal
            for m, v in zip(homing.found, machine.variables, strict=True)
        ]
    )
    covariance = np.diag(deviations**2)
    if homing.solution is not None and homing.fallback is None:
        known = deviations > 0
        covariance = np.where(np.outer(known, known), homing.solution.covariance, 0.0)
    links = np.arange(len(machine.links))
    moves = point_motions(tree, frames, frames.places_m, links, range(len(machine.variables)))[0]
    return [1e6 * (m.T @ covariance @ m) for m in moves]


def _enlargement(widest_mm: float) -> float:
    """Return 1, 2, 5, 10, 20, 50...: what makes the widest ellipse visible and not too large."""
    best = 1.0
    for power in range(4):
        for step in (1.0, 2.0, 5.0):
            factor = step * 10**power
            if widest_mm * factor <= _LARGEST_MM:
                best = factor
    return best
