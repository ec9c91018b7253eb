"""What a corner is off by: a part all corners share, and what its view's size alone leaves.

The shared part is estimated from residuals so that their squares over s^2 + f^2 sum up to the
number of coordinates beyond the unknowns, with a prior that counts as a few coordinates more.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.homing.lens import Array

GATE_SIGMAS = 5.0
"""A corner farther than this many deviations is not of this marker: 4 in a million good ones are."""
_RANGE_PX = (1e-3, 100.0)
_HALVINGS = 40


@dataclass(frozen=True)
class Noise:
    """The shared part."""

    px: float = 0.3
    """Standard deviation of a coordinate [px]."""
    spare: int = 2
    """How many coordinates say so."""

    def weights(self, floor_px: Array) -> Array:
        """Return what views with their own floors (n,) count against one that has none."""
        return np.asarray(1.0 / (1.0 + (floor_px / self.px) ** 2))

    def after(self, residuals_px: Array, trusted: NDArray[np.bool_], floor_px: Array, unknowns: int) -> Noise:
        """Return the noise after residuals (n, 4, 2) whose trusted corners (n, 4) count.

        ``unknowns`` of a fit to them are taken off.
        """
        squared = (residuals_px**2).sum(axis=-1)[trusted]
        floors = np.broadcast_to(floor_px[:, None], trusted.shape)[trusted] ** 2
        total = self.spare + max(2 * len(squared) - unknowns, 0)

        def excess(px: float) -> float:
            return float((squared / (px**2 + floors)).sum() + self.spare * self.px**2 / px**2) - total

        low, high = _RANGE_PX
        for _ in range(_HALVINGS):
            middle = float(np.sqrt(low * high))
            low, high = (middle, high) if excess(middle) > 0 else (low, middle)
        return Noise(float(np.sqrt(low * high)), total)


DETECTOR_NOISE = Noise()
"""What a sub-pixel corner is usually off by; a few corners count as much as this guess."""


def noise_of_best(residuals_px: Array) -> float:
    """Return the noise of a coordinate [px] that the best quarter of the corners (..., 2) agrees on.

    A quarter of the distances of a round two-dimensional normal error lie within 0.7585 deviations.
    Gross errors make it too large by half at most while a good half is left.
    """
    distances = np.linalg.norm(residuals_px, axis=-1)
    return max(float(np.quantile(distances, 0.25)) / 0.7585, _RANGE_PX[0])


def trusted_corners(
    residuals_px: Array, noise_px: float, floor_px: Array, usable: NDArray[np.bool_] | None = None
) -> NDArray[np.bool_]:
    """Return which corners (n, 4) count: near enough, and of a marker of which at least two are.

    Of a marker that has one usable corner, its centre, one is enough.
    """
    variances = noise_px**2 + floor_px**2
    near = (residuals_px**2).sum(axis=-1) < GATE_SIGMAS**2 * variances[:, None]
    if usable is None:
        return np.asarray(near & (near.sum(axis=1) >= 2)[:, None])
    near &= usable
    return np.asarray(near & (near.sum(axis=1) >= np.minimum(2, usable.sum(axis=1)))[:, None])
