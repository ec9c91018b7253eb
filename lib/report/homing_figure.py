"""The chain as homing found it, from the side and from above, and how sure each joint is."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse
from matplotlib.patheffects import withStroke
from numpy.typing import NDArray

from lib.homing import BASE_SLIDES, Homing
from lib.report.figure_file import write_figure
from lib.report.homing_sureness import COLOURS, draw_sureness
from lib.report.style import BLUE, GRID, INK, MUTED, house_figure
from lib.robot import Machine, Tree, TreeFrames, point_motions, tree_frames

Array = NDArray[np.float64]

_LIMB = "#d5dce4"
_LARGEST_MM = 22.0
"""How wide the widest ellipse is drawn."""
_DEVIATIONS = 3.0
_ONE_SIGN_MM = 14.0
"""Joints nearer than this in a view have one sign."""


def write_homing_figure(path: Path, homing: Homing) -> Path:
    """Draw links as limbs with the markers seen on them, joints coloured by confidence, and ellipses.

    Ellipses are three deviations of a joint's place, enlarged. What is not seen is drawn at the middle
    of its range, in grey and dashed. Beside it each joint's value and deviation on the scale of classes.
    """
    machine = homing.machine
    tree, values = Tree.of(machine), homing.values(machine)
    frames = tree_frames(tree, values[None])
    spreads = _spreads(homing, tree, frames)
    widest = max((_DEVIATIONS * float(np.sqrt(np.linalg.eigvalsh(s).max())) for s in spreads), default=0.0)
    enlarged = _enlargement(widest)
    aside, turn_deg = _aside(1000.0 * frames.places_m[0])
    planes = (
        ("from the side", np.array([aside, [0, 0, 1.0]]), f"outward, {turn_deg:.0f}° from x [mm]", "z [mm]"),
        ("from above", np.eye(3)[:2], "x [mm]", "y [mm]"),
    )
    with house_figure(11.0, 4.3) as figure:
        side, above, sure = figure.subplots(1, 3, gridspec_kw={"width_ratios": [1.0, 1.0, 0.95]})
        for axis, (title, plane, across, up) in zip((side, above), planes, strict=True):
            _draw(axis, homing, frames, spreads, plane, enlarged)
            axis.set(title=title, xlabel=across, ylabel=up)
            axis.set_aspect("equal", adjustable="datalim")
            axis.grid(color=GRID, linewidth=0.5)
            axis.margins(0.12)
        side.axhline(0, color=MUTED, linewidth=1.0, zorder=1)
        draw_sureness(sure, homing.movements)
        ellipse = Line2D([], [], marker="o", color="none", markerfacecolor=BLUE, alpha=0.35, markersize=8,
                         label=f"{_DEVIATIONS:g} deviations, enlarged {enlarged:g} times")  # fmt: skip
        square = Line2D([], [], marker="s", color="none", markerfacecolor="white", markeredgecolor=INK,
                        markersize=6, label="marker that counts")  # fmt: skip
        side.legend(handles=[ellipse, square], loc="best", frameon=False, fontsize=7, labelcolor=MUTED)
        figure.suptitle(_title(homing), fontsize=10, x=0.01, ha="left")
        write_figure(figure, path, f"{machine.name} as homed")
    return path


def _title(homing: Homing) -> str:
    said = f"{homing.machine.name} as homed: {homing.method}"
    if homing.residuals:
        said += f", {homing.rms_px:.2f} px over {sum(row.corners for row in homing.residuals)} corners"
    return said + (", the chain's state" if homing.fallback else "")


def _draw(
    axis: Any, homing: Homing, frames: TreeFrames, spreads: list[Array], plane: Array, enlarged: float
) -> None:
    """Draw the chain in a plane of two unit vectors (2, 3)."""
    machine = homing.machine
    confidence = {m.name: m.confidence for m in homing.found}
    places = 1000.0 * frames.places_m[0] @ plane.T
    signs: list[tuple[Array, str]] = []
    for i, link in enumerate(machine.links):
        if link.joint is None:
            continue
        name, sure = link.joint.variable, confidence.get(link.joint.variable, "none")
        ends = places[[link.parent, i]]
        if sure == "none":
            axis.plot(*ends.T, "--", color=MUTED, linewidth=1.5, zorder=2)
        else:
            axis.plot(*ends.T, color=_LIMB, linewidth=9, solid_capstyle="round", zorder=1.5)
            axis.plot(*ends.T, color=INK, linewidth=1.2, zorder=2)
        if name in BASE_SLIDES:
            continue  # a base that stands beside the board is no joint
        axis.plot(*places[i], "o", color=COLOURS[sure], markeredgecolor="white", markersize=7, zorder=5)
        signs.append((places[i], name))
        if sure != "none":
            axis.add_patch(_ellipse(places[i], plane @ spreads[i] @ plane.T, enlarged))
    for corners in _markers(homing, machine, frames):
        axis.fill(
            *(corners @ plane.T).T, facecolor="white", edgecolor=INK, linewidth=0.7, alpha=0.8, zorder=3
        )
    _put_signs(axis, signs)


def _put_signs(axis: Any, signs: list[tuple[Array, str]]) -> None:
    """Name the joints; those at one place in this view have one sign."""
    left = list(signs)
    while left:
        place = left[0][0]
        here = [name for at, name in left if np.linalg.norm(at - place) < _ONE_SIGN_MM]
        left = [(at, name) for at, name in left if np.linalg.norm(at - place) >= _ONE_SIGN_MM]
        axis.annotate(
            " ".join(dict.fromkeys(here)), place, xytext=(8, 7), textcoords="offset points", fontsize=8,
            fontweight="bold", zorder=6, path_effects=[withStroke(linewidth=2.5, foreground="white")],
        )  # fmt: skip


def _markers(homing: Homing, machine: Machine, frames: TreeFrames) -> list[Array]:
    """Return the corners [mm] (4, 3) of the markers that count."""
    counted = {row.marker for row in homing.residuals if row.corners}
    counted |= {pose.id for pose in homing.marker_poses} if not homing.residuals else set()
    found = []
    for i, link in enumerate(machine.links):
        for marker in link.markers:
            if marker.id in counted and marker.corners_m is not None:
                found.append(marker.corners_m @ frames.rotations[0, i].T + frames.places_m[0, i])
    return [1000.0 * corners for corners in found]


def _aside(places_mm: Array) -> tuple[Array, float]:
    """Return the horizontal direction (3,) the chain reaches out in, and its angle from x [deg]."""
    level = places_mm[:, :2] - places_mm[0, :2]
    tip = level[-1]
    _, sizes, ways = np.linalg.svd(level - level.mean(axis=0))
    way = ways[0] if sizes[0] > 1.0 else np.array([1.0, 0.0])
    way = way if way @ tip >= 0 else -way
    return np.array([*way, 0.0]), float(np.degrees(np.arctan2(way[1], way[0])))


def _ellipse(middle: Array, spread: Array, enlarged: float) -> Ellipse:
    sizes, turns = np.linalg.eigh(spread)
    width, height = 2 * enlarged * _DEVIATIONS * np.sqrt(np.maximum(sizes[::-1], 0.0))
    angle = float(np.degrees(np.arctan2(turns[1, 1], turns[0, 1])))
    return Ellipse(
        (float(middle[0]), float(middle[1])), width, height, angle=angle, facecolor=BLUE, edgecolor=BLUE,
        linewidth=0.8, alpha=0.35, zorder=4,
    )  # fmt: skip


def _spreads(homing: Homing, tree: Tree, frames: TreeFrames) -> list[Array]:
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
