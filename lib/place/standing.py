"""Where the box stands, by all looks since it was last moved: it stays where it is between runs."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lib.place.sight import Sight

# Two places that differ by more deviations than this are of a box that somebody moved.
_MOVED_SIGMAS = 4.0
# What every look shares does not average out, and old looks are not worth more than so many.
_SHARED_M = 0.0002
_MOST_LOOKS = 12


class Standing:
    """The weighted mean of the looks at one thing that stands still."""

    def __init__(self) -> None:
        self._known: Sight | None = None
        self._looks = 0
        self.moved = False
        """Whether the latest look found it elsewhere."""

    def seen(self, sight: Sight) -> Sight:
        """Take a look; return where the thing stands by all of them since it was moved."""
        known, self.moved = self._known, False
        if known is not None:
            off = np.subtract(sight.place_m, known.place_m) / np.hypot(sight.sigma_m, known.sigma_m)
            self.moved = bool(np.abs(off).max() > _MOVED_SIGMAS)
        if known is None or self.moved or sight.method != known.method:
            self._known, self._looks = sight, 1
            return sight
        self._looks = min(self._looks + 1, _MOST_LOOKS)
        share = 1.0 / self._looks
        x, y, z = (k + share * (s - k) for k, s in zip(known.place_m, sight.place_m, strict=True))
        own = np.maximum(np.square(sight.sigma_m) - _SHARED_M**2, 0.0)
        sx, sy, sz = (float(v) for v in np.sqrt(own * share + _SHARED_M**2))
        self._known = replace(
            sight, place_m=(x, y, z), sigma_m=(sx, sy, sz), confidence=max(sight.confidence, known.confidence)
        )
        return self._known
