"""The original's sequential_fk, global_ba and hybrid as its document describes them, to measure beside.

Blocks from the chain, each fitted from 0 with six starts over the block's first variable, and those
only if it turns; then everything together by scipy's least squares with Huber's loss and
two-point differences.
"""

from __future__ import annotations

import numpy as np
from scipy.optimize import least_squares

from lib.homing.blocks import blocks_of
from lib.homing.marker_methods.residual import MarkerEvidence, residuals_mm
from lib.robot import Machine

Array = np.ndarray


def _fit(evidence: MarkerEvidence, values: Array, free: list[int]) -> tuple[Array, float]:
    def residuals(x: Array) -> Array:
        q = values.copy()
        q[free] = x
        return residuals_mm(evidence, q[None])[0].ravel()

    found = least_squares(residuals, values[free], loss="huber", f_scale=evidence.huber_delta_mm)
    settled = values.copy()
    settled[free] = found.x
    return settled, float(found.cost)


def sequential_fk(machine: Machine, evidence: MarkerEvidence) -> Array:
    values = np.zeros(len(machine.variables))
    for block in blocks_of(machine, sorted(set(evidence.link.tolist()))):
        mine = evidence.rows(np.isin(evidence.link, block.links))
        first = block.variables[0]
        turns = machine.variables[first].kind == "revolute"
        best, least = values, np.inf
        for start_deg in (0, 60, 120, 180, 240, 300) if turns else (0,):
            start = values.copy()
            start[first] = np.radians(start_deg)
            settled, cost = _fit(mine, start, list(block.variables))
            if cost < least:
                best, least = settled, cost
        values = best
    return values


def hybrid(machine: Machine, evidence: MarkerEvidence) -> Array:
    """global_ba does the same: it too begins from sequential_fk."""
    free = [k for block in blocks_of(machine, sorted(set(evidence.link.tolist()))) for k in block.variables]
    return _fit(evidence, sequential_fk(machine, evidence), free)[0]
