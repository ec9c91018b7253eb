"""What lens and chip do to a picture: exposure, blur, noise."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]

# Noise is drawn once, somewhat larger than a picture, and laid over each from another corner.
_SPARE_PX = 128


class Sensor:
    """One seed's noise; ``shown`` gives each picture its own part of it."""

    def __init__(self, size_px: tuple[int, int], noise_grey: float, random: np.random.Generator) -> None:
        self._random = random
        self._noise: tuple[Picture, Picture] | None = None
        if noise_grey > 0:
            shape = (size_px[1] + _SPARE_PX, size_px[0] + _SPARE_PX)
            noise = np.round(noise_grey * random.standard_normal(shape, dtype=np.float32))
            self._noise = (
                np.clip(noise, 0, 255).astype(np.uint8),
                np.clip(-noise, 0, 255).astype(np.uint8),
            )

    def shown(self, picture: Picture, exposure: float, blur_px: float) -> Picture:
        """Return the picture (height, width) or (height, width, 3) as the chip reads it."""
        shown: NDArray[Any] = picture
        if exposure != 1.0:
            shown = cv2.convertScaleAbs(shown, alpha=exposure)
        if blur_px > 0:
            side = 3 if blur_px <= 0.7 else 2 * round(3 * blur_px) + 1
            shown = cv2.GaussianBlur(shown, (side, side), blur_px)
        if self._noise is not None:
            channels = [shown] if shown.ndim == 2 else list(cv2.split(shown))
            noisy = [self._noisy(channel, *self._noise) for channel in channels]
            shown = noisy[0] if len(noisy) == 1 else cv2.merge(noisy)
        return np.asarray(shown, dtype=np.uint8)

    def _noisy(self, channel: NDArray[Any], more: Picture, less: Picture) -> NDArray[Any]:
        x, y = self._random.integers(0, _SPARE_PX, size=2)
        height, width = channel.shape
        part = (slice(y, y + height), slice(x, x + width))
        return cv2.subtract(cv2.add(channel, more[part]), less[part])
