"""Blocks of variables solved from many starts: every variable of a block takes its turn.

The original started only a block's first variable anew, and only if it turned: a shoulder behind a
rail began at zero whatever it was.
"""

from __future__ import annotations

import itertools
import math

import numpy as np

from lib.homing.blocks import Block
from lib.homing.lens import Array
from lib.homing.marker_methods.residual import MarkerEvidence, fit_markers
from lib.robot import Machine

_TURN_STEP_RAD = math.radians(60.0)
_SHIFT_STARTS = 3
_MOST_STARTS = 512


def block_starts(machine: Machine, block: Block) -> Array:
    """Return starts for a block's variables, of shape (s, block variables).

    Angles every 60 degrees over their range, shifts at a sixth, a half and five sixths of it; more
    than some hundred combinations are thinned evenly.
    """
    axes = []
    for k in block.variables:
        variable = machine.variables[k]
        span = variable.high - variable.low
        count = _SHIFT_STARTS if variable.kind == "linear" else max(1, math.ceil(span / _TURN_STEP_RAD))
        axes.append(variable.low + span * (np.arange(count) + 0.5) / count)
    starts = np.array(list(itertools.product(*axes)))
    return starts[:: math.ceil(len(starts) / _MOST_STARTS)]


def solve_block(machine: Machine, mine: MarkerEvidence, block: Block, values: Array) -> Array:
    """Return the values with the block's variables at the best of all starts, the others kept."""
    starts = block_starts(machine, block)
    tried = np.repeat(values[None], len(starts), axis=0)
    tried[:, list(block.variables)] = starts
    settled, loss = fit_markers(mine, tried, block.variables)
    best = settled[int(np.argmin(loss))]
    for k in block.variables:
        if machine.variables[k].kind == "revolute":
            middle = (machine.variables[k].low + machine.variables[k].high) / 2
            best[k] -= 2 * np.pi * np.round((best[k] - middle) / (2 * np.pi))
    return np.asarray(best)
