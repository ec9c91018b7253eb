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
    outlines = _outlines(eye, solids)
    if not outlines:
        return
    rows, columns = eye.size_px[1] // _COARSE, eye.size_px[0] // _COARSE
    corners = np.concatenate(outlines)
    margin = 4 * _SOFT_PX
    x0, y0 = np.clip(corners.min(axis=0) - margin, 0, (columns, rows)).astype(int).tolist()
    x1, y1 = np.clip(corners.max(axis=0) + margin, 0, (columns, rows)).astype(int).tolist()
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    lit = np.full((y1 - y0, x1 - x0), 255, dtype=np.uint8)
    for outline in outlines:
        points = np.round((outline - (x0, y0)) * 16).astype(np.int32)
        cv2.fillConvexPoly(lit, points, round(255 * _DARKEST), cv2.LINE_AA, 4)
    soft = cv2.GaussianBlur(lit, (0, 0), _SOFT_PX)
    canvas.darken((x0 * _COARSE, y0 * _COARSE), cv2.resize(soft, None, fx=_COARSE, fy=_COARSE))


def _outlines(eye: Eye, solids: Sequence[Solid]) -> list[Array]:
    """Return the outline of each shadow in the coarse picture [px], of shape (n, 2)."""
    points = [_on_table(solid) for solid in solids]
    if not points:
        return []
    seen = eye.seen(np.concatenate(points))
    pixels = eye.pixels(np.maximum(seen, [-np.inf, -np.inf, 0.05])) / _COARSE
    stops = np.cumsum([len(some) for some in points])[:-1]
    outlines = []
    for depths, some in zip(np.split(seen[:, 2], stops), np.split(pixels, stops), strict=True):
        if depths.min() > 0.05:
            outlines.append(cv2.convexHull(some.astype(np.float32)).reshape(-1, 2).astype(np.float64))
    return outlines


def _on_table(solid: Solid) -> Array:
    """Return points (n, 3) of the table whose hull is the solid's shadow."""
    if isinstance(solid, Slab):
        return _cast(solid.corners_m())
    assert isinstance(solid, Round)
    return (_cast(solid.ends_m)[:, None, :] + solid.radius_m * _CIRCLE[None]).reshape(-1, 3)


def _cast(points_m: Array) -> Array:
    return points_m - points_m[:, 2:] * (TO_LAMP / TO_LAMP[2])
