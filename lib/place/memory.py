r"""What a memory cell has learned: where things come to lie against where the table says.

The state is a bias b (x, height, z) with its covariance P: seen = tip of the pose used + b + noise.
Measured against the *tip of the pose that was used*, never against the target: a row is up to 15 mm
from its target, and a memory that took the lattice for a bias would undo a refinement. Between
placements the bias may drift, so P grows by Q; a measurement with covariance R then moves it by the
Kalman gain (R. E. Kalman 1960, eq. 28-31):

    P' = P + Q,   S = P' + R,   K = P' S^-1,   b <- b + K (y - b),   P <- (I - K) P'.

A measurement whose normalised innovation d = (y - b)^T S^-1 (y - b) exceeds the chi-square bound is
an outlier and moves nothing. That gate alone would wedge the memory for ever once a camera is
bumped: two outliers in a row are no accident, so the second one reopens the cell.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.place.memory_cell import CellKey
from lib.settings_place import MemoryRules

Vector = tuple[float, float, float]
Covariance = tuple[Vector, Vector, Vector]

# 99.9 % of honest measurements of three values stay below this (chi-square, 3 degrees of freedom).
OUTLIER_BOUND = 16.266
# How far a thing rolls when it falls differs from one to the next: the mean of about the last five.
_LATEST_SHARE = 0.2


@dataclass(frozen=True)
class Memory:
    """One cell's memory at one moment; every change is a new one with the next revision."""

    cell: CellKey
    bias_m: Vector = (0.0, 0.0, 0.0)
    """Where things come to lie against the tip of the pose used: x, height, z [m]."""
    covariance_m2: Covariance = ((0.0, 0.0, 0.0),) * 3
    placements: int = 0
    """How many measurements have moved it."""
    outliers: int = 0
    """How many measurements in a row were set aside."""
    revision: int = 0
    table_version: int | None = None
    calibration: str | None = None
    """Which homing or calibration the measurements were made with."""
    reason: str = "new"
    """What made this revision."""
    fall_m: tuple[float, float] = (0.0, 0.0)
    """Where things come to lie against where they hung when they were let go, x and z [m]."""

    @property
    def sigma_m(self) -> Vector:
        """Standard deviation of the bias in x, height and z [m]."""
        x, y, z = (float(self.covariance_m2[i][i]) ** 0.5 for i in range(3))
        return x, y, z


@dataclass(frozen=True)
class Measured:
    """One verified placement as the memory sees it."""

    offset_m: Vector
    """Where the thing lies minus the tip of the pose used: x, height, z [m]."""
    sigma_m: Vector
    """Standard deviation of that, camera and arm together [m]."""
    confidence: float
    """How sure the camera is that it saw the right thing, 0 to 1."""
    fall_m: tuple[float, float] | None = None
    """Where it lies minus where it hung, x and z [m]; None where it was not seen hanging."""


def new_memory(
    cell: CellKey, rules: MemoryRules, table_version: int | None, calibration: str | None
) -> Memory:
    """Return the memory of a cell in which nothing was placed yet."""
    return Memory(
        cell,
        covariance_m2=_nested(np.eye(3) * rules.prior_sigma_m**2),
        table_version=table_version,
        calibration=calibration,
    )


def under(memory: Memory, rules: MemoryRules, table_version: int | None, calibration: str | None) -> Memory:
    """Return a memory as it holds under a table and a calibration; another one makes it less sure."""
    added_m2, causes = 0.0, []
    if table_version != memory.table_version:
        added_m2 += rules.table_change_sigma_m**2
        causes.append(f"table {memory.table_version} -> {table_version}")
    if calibration != memory.calibration:
        added_m2 += rules.homing_change_sigma_m**2
        causes.append(f"calibration {memory.calibration} -> {calibration}")
    if not causes:
        return memory
    widened = _capped(np.asarray(memory.covariance_m2) + np.eye(3) * added_m2, rules)
    return replace(
        memory,
        covariance_m2=_nested(widened),
        revision=memory.revision + 1,
        table_version=table_version,
        calibration=calibration,
        reason=", ".join(causes),
    )


def learn(memory: Memory, measured: Measured, rules: MemoryRules) -> Memory:
    """Return the memory after one placement; ``reason`` says what became of the measurement.

    Raises ValueError where the measurement is not finite or its deviation not positive.
    """
    offset = np.asarray(measured.offset_m, dtype=float)
    sigma = np.asarray(measured.sigma_m, dtype=float)
    if offset.shape != (3,) or not np.isfinite(offset).all() or not (sigma > 0).all():
        raise ValueError(f"no measurement of a placement: {measured}")
    if measured.confidence < rules.least_confidence:
        low = f"confidence {measured.confidence:.2f} is below {rules.least_confidence:.2f}: not used"
        return replace(memory, revision=memory.revision + 1, reason=low)
    noise = np.diag(sigma**2)
    prior = _capped(np.asarray(memory.covariance_m2) + np.eye(3) * rules.drift_sigma_m**2, rules)
    distance = _normalised(offset - memory.bias_m, prior + noise)
    if distance <= OUTLIER_BOUND:
        return _updated(memory, measured, prior, rules, "learned", memory.placements + 1)
    if memory.outliers == 0:
        return replace(
            memory,
            covariance_m2=_nested(prior),
            outliers=1,
            revision=memory.revision + 1,
            reason=f"outlier ({distance:.0f} against {OUTLIER_BOUND:.0f}): not used",
        )
    reopened = np.eye(3) * (2 * rules.prior_sigma_m) ** 2
    reason = f"reopened: {memory.outliers + 1} outliers in a row, something was moved"
    return _updated(memory, measured, reopened, rules, reason, 1)


def _updated(
    memory: Memory,
    measured: Measured,
    prior: NDArray[np.float64],
    rules: MemoryRules,
    reason: str,
    placements: int,
) -> Memory:
    offset, noise = np.asarray(measured.offset_m), np.diag(np.square(measured.sigma_m))
    gain = prior @ np.linalg.inv(prior + noise)
    bias = memory.bias_m + gain @ (offset - memory.bias_m)
    bounded = np.clip(bias, -rules.largest_m, rules.largest_m)
    if not np.array_equal(bias, bounded):
        reason += f", held at {rules.largest_m * 1e3:.0f} mm"
    left = np.eye(3) - gain
    # Joseph's form: symmetric and positive whatever is rounded away.
    after = left @ prior @ left.T + gain @ noise @ gain.T
    x, y, z = (float(value) for value in bounded)
    return replace(
        memory,
        bias_m=(x, y, z),
        fall_m=_fallen(memory.fall_m, measured.fall_m, placements, rules),
        covariance_m2=_nested(after),
        placements=placements,
        outliers=0,
        revision=memory.revision + 1,
        reason=reason,
    )


def _fallen(
    known: tuple[float, float], measured: tuple[float, float] | None, placements: int, rules: MemoryRules
) -> tuple[float, float]:
    """Return the mean fall, of the latest few where there are many; bounded as the bias is."""
    if measured is None:
        return known
    share = max(1.0 / placements, _LATEST_SHARE)
    x, z = (k + share * (m - k) for k, m in zip(known, measured, strict=True))
    bound = rules.largest_m
    return min(max(x, -bound), bound), min(max(z, -bound), bound)


def _normalised(innovation: NDArray[np.float64], covariance: NDArray[np.float64]) -> float:
    return float(innovation @ np.linalg.solve(covariance, innovation))


def _capped(covariance: NDArray[np.float64], rules: MemoryRules) -> NDArray[np.float64]:
    """Never less sure than about a cell nobody has placed in: years of drift say nothing more."""
    largest = float(np.linalg.eigvalsh(covariance)[-1])
    bound = (2 * rules.prior_sigma_m) ** 2
    return covariance * min(1.0, bound / largest) if largest > 0 else covariance


def _nested(matrix: NDArray[np.float64]) -> Covariance:
    a, b, c = ((float(x), float(y), float(z)) for x, y, z in matrix)
    return a, b, c
