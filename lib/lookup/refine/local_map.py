"""A local map from joints to tip, fitted to measured neighbours: what is left where no chain is trusted.

Weighted least squares (Cleveland and Devlin 1988, "Locally weighted regression") with a quadratic
polynomial of the joints, or a linear one where there are too few rows for that. Leaving a row out
needs no second fit: its error would be e / (1 - h) with its residual e and its leverage h (Allen 1974).
A joint that the neighbours do not vary stays as it is.

That is blind to one thing: rows on a lattice of three values a joint, one of them measured with another
tool, are a quadratic too. But no revolute joint bends the tip's path like that: its first and second
derivatives [m/rad] are at most the tip's distance from the axis, and two of them no more.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.refine.measured import Measured, measured_near
from lib.lookup.table import Table

Array = NDArray[np.float64]

# Rows are 5 degrees apart: this wide, at least three values of each joint are around any pose.
HALF_WIDTHS_DEG = (7.6, 10.1)
_ROWS_PER_TERM = {"local_quadratic": 3, "local_linear": 2}
_FEWEST_VALUES = 3
# The tip is at most this many times farther from any joint's axis than from the base.
_LARGEST_BEND = 2.0
_SMALLEST_PIVOT = 1e-8


@dataclass(frozen=True, eq=False)
class LocalMap:
    """The polynomial around one pose."""

    method: str
    """``local_quadratic`` or ``local_linear``."""
    centre_deg: Array
    """Pose that it was fitted around, of shape (6,)."""
    half_width_deg: float
    varied: NDArray[np.intp]
    """Joints that the neighbours vary."""
    coefficients: Array
    """Of shape (terms, 3)."""
    measured: Measured
    errors_m: Array
    """How far each neighbour is from what the others say of it, of shape (n,)."""

    def tips(self, joints_deg: Array) -> Array:
        """Return the tool tip [m] (n, 3) for poses [deg] (n, 6)."""
        scaled = (joints_deg[:, self.varied] - self.centre_deg[self.varied]) / self.half_width_deg
        found: Array = _terms(scaled, self.method) @ self.coefficients
        return found

    @property
    def box(self) -> tuple[Array, Array]:
        """Lowest and highest joint values [deg] (6,) among the neighbours: beyond them nothing is known."""
        return self.measured.joints_deg.min(axis=0), self.measured.joints_deg.max(axis=0)

    @property
    def bend(self) -> float:
        """Largest first or second derivative of the tip, over its largest distance from the base."""
        joints = len(self.varied)
        radians = math.radians(self.half_width_deg)
        first, second = np.triu_indices(joints)
        derivatives_m = np.linalg.norm(self.coefficients[1:], axis=1)
        derivatives_m[:joints] /= radians
        if self.method == "local_quadratic":
            derivatives_m[joints:] *= np.where(first == second, 2.0, 1.0) / radians**2
        return float(derivatives_m.max() / np.linalg.norm(self.measured.points_m, axis=1).max())


def fit_local_map(table: Table, centre_deg: Array) -> LocalMap | str:
    """Fit the best map that the rows around a pose (6,) allow; the reason in words where they do not."""
    measured: dict[float, Measured] = {}
    for method in _ROWS_PER_TERM:
        for width in HALF_WIDTHS_DEG:
            if width not in measured:
                measured[width] = measured_near(table, centre_deg, width)
            found = _fit(measured[width], centre_deg, width, method)
            if found is not None:
                if found.bend > _LARGEST_BEND:
                    return "the measured rows around it contradict each other: no arm bends as they do"
                return found
    width = HALF_WIDTHS_DEG[-1]
    return (
        f"{len(measured[width])} measured poses within {width:g} deg are too few or too alike for a local map"
    )


def _fit(measured: Measured, centre_deg: Array, half_width_deg: float, method: str) -> LocalMap | None:
    if not len(measured):
        return None
    values = [len(np.unique(joint)) for joint in measured.joints_deg.T]
    varied = np.flatnonzero(np.array(values) >= _FEWEST_VALUES)
    scaled = (measured.joints_deg - centre_deg) / half_width_deg
    terms = _terms(scaled[:, varied], method)
    if len(measured) < _ROWS_PER_TERM[method] * terms.shape[1] or not len(varied):
        return None
    # Tricube weights; a row at the very edge keeps a little, so that all of them can be judged.
    distance = np.minimum(np.abs(scaled).max(axis=1), 1.0)
    root_weight = np.sqrt((1.0 - 0.999 * distance**3) ** 3)[:, None]
    orthogonal, triangle = np.linalg.qr(root_weight * terms)
    pivots = np.abs(np.diag(triangle))
    if pivots.min() <= _SMALLEST_PIVOT * pivots.max():
        return None
    coefficients = np.linalg.solve(triangle, orthogonal.T @ (root_weight * measured.points_m))
    leverage = (orthogonal**2).sum(axis=1)[:, None]
    left_out = (measured.points_m - terms @ coefficients) / np.maximum(1.0 - leverage, 1e-12)
    errors_m = np.linalg.norm(left_out, axis=1)
    return LocalMap(method, centre_deg, half_width_deg, varied, coefficients, measured, errors_m)


def _terms(scaled: Array, method: str) -> Array:
    """Return 1, each variable and, for the quadratic, each product of two, of shape (n, terms)."""
    ones = np.ones((len(scaled), 1))
    if method == "local_linear":
        return np.hstack([ones, scaled])
    first, second = np.triu_indices(scaled.shape[1])
    return np.hstack([ones, scaled, scaled[:, first] * scaled[:, second]])
