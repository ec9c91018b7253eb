"""How far one picture's measurement lies from the next: what the corners alone do not tell."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# What the corners say counts as much as so many differences between pictures.
_PRIOR = 4.0


class Spread:
    """Learns from every look of a batch, all things together."""

    def __init__(self) -> None:
        self._squares_m2 = np.zeros(3)
        self._freedom = 0

    def learn(self, places_m: Sequence[Array]) -> None:
        """Take the places (3,) [m] that the pictures of one look gave for one thing."""
        if len(places_m) > 1:
            places = np.array(places_m)
            self._squares_m2 += ((places - places.mean(axis=0)) ** 2).sum(axis=0)
            self._freedom += len(places) - 1

    def variances_m2(self, by_corners_m2: Array) -> Array:
        """Return the variance along each axis of one picture's measurement, of shape (3,)."""
        pooled = (_PRIOR * by_corners_m2 + self._squares_m2) / (_PRIOR + self._freedom)
        return np.asarray(np.maximum(pooled, by_corners_m2))
