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
    """Return standard deviations [rad or m] of joint values (variables,); see `marker_covariance`."""
    return np.sqrt(np.diag(marker_covariance(machine, evidence, values)))


def marker_covariance(machine: Machine, evidence: MarkerEvidence, values: Array) -> Array:
    """Return the covariance [rad, m] of joint values (variables, variables) by the fit's normal matrix.

    The scale is the residuals' root mean square under Huber's loss, the unknowns taken off, at least
    a tenth of a millimetre; variables nothing depends on are infinite, as is one the markers do not hold.
    """
    free = [k for b in blocks_of(machine, sorted(set(evidence.link.tolist()))) for k in b.variables]
    covariance = np.diag(np.full(len(machine.variables), np.inf))
    if not free:
        return covariance
    residuals = residuals_mm(evidence, values[None])[0][0]
    spare = residuals.size - len(free)
    weighted = huber(residuals, evidence.huber_delta_mm)
    scale_mm = max(float(np.sqrt(weighted.sum() / max(spare, 1))), _LEAST_MM)
    normal, _ = normal_equations(evidence, values[None], free)
    weights, directions = np.linalg.eigh(normal[0])
    held = weights > 1e-9 * weights.max()
    kept = directions[:, held]
    covariance[np.ix_(free, free)] = scale_mm**2 * (kept / weights[held]) @ kept.T
    loose = np.array(free)[(np.abs(directions[:, ~held]) > 1e-4).any(axis=1)]
    covariance[loose, loose] = np.inf
    return covariance
