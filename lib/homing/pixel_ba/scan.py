"""Where to begin when nothing is known: a block's variables tried over their whole range.

The grid is as wide as the pixel loss reaches: a joint half a step off puts the farthest marker
about ``_HALF_STEP_PX`` away. Full turns close on themselves.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass

import numpy as np

from lib.homing.blocks import Block
from lib.homing.lens import Array
from lib.homing.pixel_ba.descent import Problem, costs
from lib.robot import Machine

SCALE_PX = 40.0
"""Scale of the loss while scanning: what half a step leaves still pulls, a false marker hardly."""
_HALF_STEP_PX = 25.0
_TURN_STEPS_RAD = (math.radians(10.0), math.radians(30.0))
_LARGEST_GRID = 4_000
_CHUNK_POINTS = 6_000
"""Corners projected at once: what they need stays in a core's own cache, three times quicker."""


@dataclass(frozen=True, eq=False)
class Grid:
    """Values of a block's variables that are tried, every one with every other."""

    axes: tuple[Array, ...]
    closed: tuple[bool, ...]
    """Whether an axis goes once round, so that its ends are neighbours."""

    @property
    def points(self) -> Array:
        """All points, the last variable fastest, of shape (g, block variables)."""
        return np.array(list(itertools.product(*self.axes)))

    @property
    def places(self) -> Array:
        """Their places along each axis, of shape (g, block variables)."""
        return np.array(list(itertools.product(*(range(len(axis)) for axis in self.axes))))


def grid_of(machine: Machine, block: Block, px_per_m: float) -> Grid:
    """Return the grid for a block; ``px_per_m`` is what a metre at the machine looks like."""
    steps = []
    for k in block.variables:
        if machine.variables[k].kind == "linear":
            steps.append(2 * _HALF_STEP_PX / px_per_m)
        else:
            reach_m = max(reach_m_of(machine, k, i) for i in block.links)
            wanted = 2 * _HALF_STEP_PX / (px_per_m * max(reach_m, 1e-3))
            steps.append(min(max(wanted, _TURN_STEPS_RAD[0]), _TURN_STEPS_RAD[1]))
    spans = [machine.variables[k].high - machine.variables[k].low for k in block.variables]
    size = math.prod(span / step + 1 for span, step in zip(spans, steps, strict=True))
    coarser = max(1.0, (size / _LARGEST_GRID) ** (1 / len(steps)))
    axes, closed = [], []
    for k, span, step in zip(block.variables, spans, steps, strict=True):
        variable = machine.variables[k]
        goes_round = variable.kind == "revolute" and span > math.tau - 1e-6
        count = math.ceil(span / (step * coarser)) + (not goes_round)
        if span < step:
            axes.append(np.array([(variable.low + variable.high) / 2]))
        else:
            axes.append(np.linspace(variable.low, variable.high, count, endpoint=not goes_round))
        closed.append(goes_round)
    return Grid(tuple(axes), tuple(closed))


def reach_m_of(machine: Machine, variable: int, link: int) -> float:
    """Return how far [m] a link's markers can be from the first joint a variable drives, at most."""
    reach_m = max((float(np.linalg.norm(m.position_m)) for m in machine.links[link].markers), default=0.0)
    farthest_m = 0.0
    while (joint := machine.links[link].joint) is not None:
        if joint.variable == machine.variables[variable].name:
            farthest_m = reach_m
        reach_m += float(np.linalg.norm(joint.origin_m))
        if joint.kind == "linear":
            reach_m += joint.limits[1] - joint.limits[0]
        link = machine.links[link].parent
    return farthest_m


def scan(problem: Problem, values: Array, block: Block, grid: Grid, keep: int) -> Array:
    """Return the ``keep`` best grid points that are no neighbours, the others as in ``values`` (variables,).

    The loss is taken over two opposite corners of each of the block's markers, which tell where a
    marker is and how it is turned.
    """
    seen = problem.seeing(np.isin(problem.sightings.link_seen, block.links))
    seen = Problem(seen.tree, seen.sightings.opposite_corners(), seen.poses)
    points, places = grid.points, grid.places
    tried = np.repeat(values[None], len(points), axis=0)
    tried[:, list(block.variables)] = points
    chunk = max(1, _CHUNK_POINTS // max(1, 2 * len(seen.sightings.camera)))
    loss = np.concatenate([costs(seen, tried[i : i + chunk], SCALE_PX) for i in range(0, len(tried), chunk)])
    rounds = np.where(grid.closed, [len(axis) for axis in grid.axes], np.iinfo(np.int32).max)
    chosen: list[int] = []
    left = np.ones(len(points), dtype=bool)
    order = np.argsort(loss)
    for i in order.tolist():
        if left[i]:
            chosen.append(i)
            apart = np.abs(places - places[i])
            left &= (np.minimum(apart, rounds - apart) > 1).any(axis=1)
            if len(chosen) == keep:
                break
    return np.asarray(tried[chosen])
