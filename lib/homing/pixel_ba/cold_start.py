"""Joint values from nothing: block by block from the root, each scanned, refined, then the chain so far.

A block that its sightings leave ambiguous (a link seen by one camera, a false marker beside a true
one) keeps several guesses until the rest of the chain decides between them.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lib.homing.blocks import Block
from lib.homing.lens import Array
from lib.homing.pixel_ba.descent import Problem, costs, descend
from lib.homing.pixel_ba.scan import grid_of, scan
from lib.robot import Machine

FINE_SCALE_PX = 3.0
"""Scale of the loss by which guesses are compared: ten times the noise of a good corner."""
_COARSE_SCALES_PX = (40.0, 25.0, 15.0)
_MIDDLE_SCALE_PX = 9.0
_FINE_SCALES_PX = (_MIDDLE_SCALE_PX, 5.0, FINE_SCALE_PX, FINE_SCALE_PX)
SCALES_PX = _COARSE_SCALES_PX + _FINE_SCALES_PX
"""One after the other they take a guess from a grid's half step to the noise."""
_CHAIN_SCALES_PX = (2 * FINE_SCALE_PX, FINE_SCALE_PX)
_STARTS = 6
"""Places of a scan that are refined, for each variable of its block."""
_GUESSES = 4
"""Guesses that live on after a block, at most."""
_VIEW_LOSS_PX2 = 4 * FINE_SCALE_PX**2
"""What a marker view that does not fit costs. A guess worse by two of them is given up."""
_OVERSHOOT_RAD = np.radians(3.0)
_SAME = 0.02
"""Guesses nearer than this in every variable [rad, or 10 mm] are one."""

Progress = Callable[[Block, Array], None]


def cold_start(
    machine: Machine,
    problem: Problem,
    blocks: Sequence[Block],
    known: Mapping[int, float],
    progress: Progress = lambda block, values: None,
) -> Array:
    """Return guesses (g, variables), the best first; variables outside the blocks stay at mid-range.

    ``known`` holds variables [rad or m] to begin from: a block whose variables are all known is not
    scanned. ``progress`` is called after each block with the best guess so far.
    """
    guesses = np.array([[(v.low + v.high) / 2 for v in machine.variables]])
    guesses[:, list(known)] = list(known.values())
    px_per_m = _px_per_m(problem)
    settled: list[int] = []
    links: list[int] = []
    for block in blocks:
        settled += block.variables
        links += block.links
        if not set(block.variables) <= known.keys():
            here = problem.seeing(np.isin(problem.sightings.link_seen, block.links))
            grid = grid_of(machine, block, px_per_m)
            starts = _STARTS * len(block.variables)
            tried = np.concatenate([scan(problem, guess, block, grid, starts) for guess in guesses])
            guesses = descend(here, tried, block.variables, _COARSE_SCALES_PX)
            promising = np.argsort(costs(here, guesses, _MIDDLE_SCALE_PX))[: _GUESSES + len(guesses) // 4]
            guesses = descend(here, guesses[promising], block.variables, _FINE_SCALES_PX)
        so_far = problem.seeing(np.isin(problem.sightings.link_seen, links))
        guesses = _best(machine, so_far, guesses, settled, 2 * _GUESSES)
        guesses = descend(so_far, guesses, settled, _CHAIN_SCALES_PX)
        guesses = _best(machine, so_far, guesses, settled, _GUESSES)
        progress(block, guesses[0])
    return guesses


def ranking_costs(machine: Machine, problem: Problem, guesses: Array) -> Array:
    """Return the loss [px^2] of guesses (g,); each variable out of its limits costs a view more."""
    low, high = np.array([(v.low, v.high) for v in machine.variables]).T
    revolute = np.array([v.kind == "revolute" for v in machine.variables])
    values = within_turn(machine, guesses)
    slack = np.where(revolute, _OVERSHOOT_RAD, 0.005)
    outside = ((values < low - slack) | (values > high + slack)).sum(axis=1)
    return np.asarray(costs(problem, guesses, FINE_SCALE_PX) + _VIEW_LOSS_PX2 * outside)


def within_turn(machine: Machine, values: Array) -> Array:
    """Return values (..., variables) with each angle in the full turn around the middle of its limits."""
    middle = np.array([(v.low + v.high) / 2 for v in machine.variables])
    turn = np.array([2 * np.pi if v.kind == "revolute" else np.inf for v in machine.variables])
    off = values - middle
    return np.asarray(values - np.where(np.isfinite(turn), np.round(off / turn) * (2 * np.pi), 0.0))


def _best(machine: Machine, problem: Problem, guesses: Array, settled: list[int], most: int) -> Array:
    """Return the guesses worth keeping, best first, each once."""
    loss = ranking_costs(machine, problem, guesses)
    kept: list[int] = []
    for i in np.argsort(loss).tolist():
        if kept and (len(kept) == most or loss[i] > loss[kept[0]] + 2 * _VIEW_LOSS_PX2):
            break
        if not any(_same(machine, guesses[i], guesses[j], settled) for j in kept):
            kept.append(i)
    return np.asarray(guesses[kept])


def _same(machine: Machine, a: Array, b: Array, settled: list[int]) -> bool:
    apart = np.abs(a - b)[settled]
    revolute = np.array([machine.variables[k].kind == "revolute" for k in settled])
    apart = np.where(revolute, np.abs((apart + np.pi) % (2 * np.pi) - np.pi), 2 * apart)
    return bool((apart < _SAME).all())


def _px_per_m(problem: Problem) -> float:
    """Return what a metre at the machine looks like: focal length over distance, the median view's."""
    focal_px: NDArray[np.float64] = problem.sightings.px_per_ray[:, 0, 0, 0]
    far_m = np.linalg.norm(problem.poses.shifts_m, axis=1)[problem.sightings.camera]
    return float(np.median(focal_px / np.maximum(far_m, 0.1)))
