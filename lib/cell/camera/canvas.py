"""The picture while it is drawn: grey or colour, blended with soft edges from back to front."""

from __future__ import annotations

import math
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]
Window = tuple[int, int, int, int]

_FRACTION_BITS = 4
_LUMINANCE = np.array([0.114, 0.587, 0.299])  # of blue, green, red: ITU-R BT.601
_LARGEST_PX = 20_000.0


class Canvas:
    """A picture of shape (height, width) in grey or (height, width, 3) in blue, green, red."""

    def __init__(self, picture: Picture) -> None:
        self.picture = picture
        self._height, self._width = picture.shape[:2]
        self._colour = picture.ndim == 3

    def window(self, outline: NDArray[np.float64]) -> Window | None:
        """Return x, y, width, height of the pixels that an outline (n, 2) [px] touches; None: none."""
        xs, ys = outline.T.tolist()  # a handful of corners: NumPy's calls would take longer
        if not math.isfinite(sum(xs) + sum(ys)):
            return None
        x0, y0, x1, y1 = min(xs), min(ys), max(xs), max(ys)
        if max(-x0, -y0, x1, y1) > _LARGEST_PX:
            return None
        left, top = max(int(x0 - 1.5), 0), max(int(y0 - 1.5), 0)
        right, bottom = min(int(x1 + 1.5) + 1, self._width), min(int(y1 + 1.5) + 1, self._height)
        if right - left < 2 or bottom - top < 2:
            return None
        return left, top, right - left, bottom - top

    def mask(self, outline: NDArray[np.float64], window: Window) -> Picture:
        """Return how much of each pixel of a window an outline (n, 2) [px] covers, 0 to 255."""
        x0, y0, width, height = window
        mask = np.zeros((height, width), dtype=np.uint8)
        points = np.round((outline - (x0, y0)) * (1 << _FRACTION_BITS)).astype(np.int32)
        cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, _FRACTION_BITS)
        return mask

    def tone(self, colour: tuple[int, int, int]) -> NDArray[np.float32]:
        """Return a colour (blue, green, red) in the picture's own tones, of shape (1,) or (3,)."""
        return np.array(colour if self._colour else [_LUMINANCE @ colour], dtype=np.float32)

    def blend(self, window: Window, patch: NDArray[Any], outline: NDArray[np.float64]) -> None:
        """Lay a patch in the picture's own tones over a window, as far as an outline (n, 2) [px] covers."""
        x0, y0, width, height = window
        under = self.picture[y0 : y0 + height, x0 : x0 + width]
        share = self.mask(outline, window).astype(np.float32)
        share *= np.float32(1 / 255)
        below = under.astype(np.float32)
        over = patch - below
        over *= share[:, :, None] if self._colour else share
        over += below
        over += np.float32(0.5)
        np.copyto(under, over, casting="unsafe")

    def blend_grey(
        self, window: Window, patch: NDArray[Any], outline: NDArray[np.float64], light: float
    ) -> None:
        """Lay a grey patch, so bright, over a window, as far as an outline (n, 2) [px] covers."""
        tones = patch.astype(np.float32)
        tones *= np.float32(light)
        self.blend(window, tones[:, :, None] if self._colour else tones, outline)

    def darken(self, corner: tuple[int, int], shares: NDArray[Any]) -> None:
        """Multiply the picture at a corner (x, y) by shares (h, w) of 255."""
        x0, y0 = corner
        under = self.picture[y0 : y0 + shares.shape[0], x0 : x0 + shares.shape[1]]
        if self._colour:
            shares = cv2.merge([shares] * 3)
        cv2.multiply(under, shares, dst=under, scale=1 / 255)

    def fill(self, outline: NDArray[np.float64], colour: tuple[int, int, int], light: float) -> None:
        """Fill an outline (n, 2) [px] with one colour."""
        if self.window(outline) is None:
            return
        points = np.round(outline * (1 << _FRACTION_BITS)).astype(np.int32)
        tone = tuple(float(t) for t in np.minimum(self.tone(colour) * light, 255.0))
        cv2.fillPoly(self.picture, [points], tone, cv2.LINE_AA, _FRACTION_BITS)
