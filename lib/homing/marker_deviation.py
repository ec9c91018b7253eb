"""How sure joint values from marker poses are, by what the residuals themselves show."""

from __future__ import annotations

import numpy as np

from lib.homing.blocks import blocks_of
from lib.homing.lens import Array
from lib.homing.marker_methods import MarkerEvidence, residuals_mm
from lib.homing.marker_methods.residual import huber, normal_equations
from lib.robot import Machine

_LEAST_MM = 0.1


def marker_deviations(machine: Machine, evidence: MarkerEvidence, values: Array) -> Array:
    """Return standard deviations [rad or m] of joint values (variables,) by the fit's normal matrix.

    The scale is the residuals' root mean square under Huber's loss, the unknowns taken off, at least
    a tenth of a millimetre; variables nothing depends on are infinite, as is one the markers do not hold.
    """
    free = [k for b in blocks_of(machine, sorted(set(evidence.link.tolist()))) for k in b.variables]
    deviations = np.full(len(machine.variables), np.inf)
    if not free:
        return deviations
    residuals = residuals_mm(evidence, values[None])[0][0]
    spare = residuals.size - len(free)
    weighted = huber(residuals, evidence.huber_delta_mm)
    scale_mm = max(float(np.sqrt(weighted.sum() / max(spare, 1))), _LEAST_MM)
    normal, _ = normal_equations(evidence, values[None], free)
    weights, directions = np.linalg.eigh(normal[0])
    held = weights > 1e-9 * weights.max()
    inverse = np.where(held, 1.0 / np.where(held, weights, 1.0), np.inf)
    loose = (np.abs(directions) > 1e-4) & ~held
    variances = (directions**2 * np.where(held, inverse, 0.0)).sum(axis=1)
    deviations[free] = np.where(loose.any(axis=1), np.inf, scale_mm * np.sqrt(variances))
    return deviations
