"""Soft shadows on the table: where round things and boxes stand between it and the lamp."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from lib.cell.camera.canvas import Canvas
from lib.cell.camera.eye import Array, Eye
from lib.cell.camera.light import TO_LAMP
from lib.cell.camera.solid import Round, Slab, Solid

# Shadows have no sharp edges: they are drawn on a picture this many times smaller, and blurred.
_COARSE = 4
_SOFT_PX = 3.0
_DARKEST = 0.72
_CIRCLE = np.array([[np.cos(a), np.sin(a), 0.0] for a in np.linspace(0, 2 * np.pi, 12, endpoint=False)])


def cast_shadows(canvas: Canvas, eye: Eye, solids: Sequence[Solid]) -> None:
    """Darken the picture of the bare table where the solids keep the lamp off."""
    width, height = eye.size_px
    lit = np.full((height // _COARSE, width // _COARSE), 255, dtype=np.uint8)
    low, high = np.array([width, height]), np.array([0, 0])
    for solid in solids:
        seen = eye.seen(_on_table(solid))
        if seen[:, 2].min() <= 0.05:
            continue
        outline = cv2.convexHull(eye.pixels(seen).astype(np.float32)).reshape(-1, 2)
        low, high = np.minimum(low, outline.min(axis=0)), np.maximum(high, outline.max(axis=0))
        points = np.round((outline / _COARSE) * 16).astype(np.int32)
        cv2.fillConvexPoly(lit, points, round(255 * _DARKEST), cv2.LINE_AA, 4)
    margin = 4 * _COARSE * _SOFT_PX
    x0, y0 = np.clip((low - margin) // _COARSE, 0, (lit.shape[1], lit.shape[0])).astype(int)
    x1, y1 = np.clip((high + margin) // _COARSE, 0, (lit.shape[1], lit.shape[0])).astype(int)
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    soft = cv2.GaussianBlur(lit[y0:y1, x0:x1], (0, 0), _SOFT_PX)
    size = ((x1 - x0) * _COARSE, (y1 - y0) * _COARSE)
    soft = cv2.resize(soft, size, interpolation=cv2.INTER_LINEAR)
    if canvas.picture.ndim == 3:
        soft = cv2.merge([soft, soft, soft])
    under = canvas.picture[y0 * _COARSE : y1 * _COARSE, x0 * _COARSE : x1 * _COARSE]
    cv2.multiply(under, soft, dst=under, scale=1 / 255)


def _on_table(solid: Solid) -> Array:
    """Return points (n, 3) of the table whose hull is the solid's shadow."""
    if isinstance(solid, Round):
        ends = _cast(solid.ends_m)
        return (ends[:, None, :] + solid.radius_m * _CIRCLE[None]).reshape(-1, 3)
    assert isinstance(solid, Slab)
    return _cast(solid.corners_m())


def _cast(points_m: Array) -> Array:
    return points_m - points_m[:, 2:] / TO_LAMP[2] * TO_LAMP
