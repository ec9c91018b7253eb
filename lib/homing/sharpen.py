"""A marker's corners by its four edges, not by its corners: lines through many points are surer.

Across each side the picture is read along short lines; where the grey passes the middle between
black and white is the edge there, to a few hundredths of a pixel. Lines fitted to those points,
straightened by the lens where it is known and gross ones left out, meet in the corners.
"""

from __future__ import annotations

import math

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.homing.lens import Array, Lens

_SAMPLES_A_SIDE = 24
_ENDS = 0.12
"""Share of a side left out at either end, where the neighbouring side's blur reaches."""
_SHARES = np.linspace(_ENDS, 1 - _ENDS, _SAMPLES_A_SIDE)
_REACH_PX = 3.0
_STEP_PX = 0.25
_LEAST_CONTRAST = 25.0
_LEAST_POINTS = 8
_LARGEST_MOVE_PX = 2.0

# What edges still leave, measured on drawn pictures: 0.03 px where the shortest side is 30 px or more,
# growing with the square below; and what the detector's own corner windows leave.
_BY_EDGES_PX, _FULL_SIDE_PX = 0.03, 30.0
_BY_WINDOWS_PX = 0.35


def sharpened(image: NDArray[np.uint8], corners_px: Array, lens: Lens | None = None) -> tuple[Array, float]:
    """Return a marker's corners (4, 2) [px] by its edges, and what they are off by at best [px].

    Where the edges cannot be read the corners come back as they were.
    """
    side_px = float(np.linalg.norm(np.roll(corners_px, -1, axis=0) - corners_px, axis=1).min())
    floor_px = _BY_EDGES_PX * max(1.0, (_FULL_SIDE_PX / max(side_px, 1.0)) ** 2)
    unread = corners_px, max(_BY_WINDOWS_PX, floor_px)
    reach_px = min(_REACH_PX, side_px / 8)
    if reach_px < 1.0:
        return unread
    points = _edge_points(image, corners_px, reach_px)
    if min(map(len, points)) < _LEAST_POINTS:
        return unread
    scale, rays = 1.0, points
    if lens is not None:
        scale = float(lens.intrinsics_px[0])
        # All four sides at once: each call takes as long as the points of many.
        rays = np.split(lens.rays(np.concatenate(points)), np.cumsum([len(edge) for edge in points])[:-1])
    lines = [_line(scale * edge) for edge in rays]
    if any(line is None for line in lines):
        return unread
    found = np.array([_meeting(lines[i - 1], lines[i]) for i in range(4)]) / scale
    if lens is not None:
        found = lens.pixels(found)
    if not np.linalg.norm(found - corners_px, axis=1).max() <= _LARGEST_MOVE_PX:
        return unread
    return found, floor_px


def _edge_points(image: NDArray[np.uint8], corners_px: Array, reach_px: float) -> list[Array]:
    """Return points on each side's edge [px], of shape (k, 2) a side."""
    along = np.roll(corners_px, -1, axis=0) - corners_px
    # Outwards: corners run clockwise.
    normals = np.stack([along[:, 1], -along[:, 0]], axis=1) / np.linalg.norm(along, axis=1)[:, None]
    feet = corners_px[:, None] + _SHARES[:, None] * along[:, None]
    offsets = np.arange(-reach_px, reach_px + _STEP_PX / 2, _STEP_PX)
    places = feet[:, :, None] + offsets[:, None] * normals[:, None, None]
    flat = places.reshape(-1, len(offsets), 2).astype(np.float32)
    grey = cv2.remap(image, flat, None, cv2.INTER_LINEAR).astype(np.float64)
    crossings = _crossings(grey.reshape(*feet.shape[:2], len(offsets)), offsets)
    found = feet + crossings[..., None] * normals[:, None]
    return [side[good] for side, good in zip(found, np.isfinite(crossings), strict=True)]


def _crossings(grey: Array, offsets: Array) -> Array:
    """Return where each line's grey passes from black inside to white outside (4, s), NaN where it does not.

    ``grey`` has a side, a line and a step along it, of shape (4, s, k); black and white are the side's.
    """
    dark, light = np.quantile(grey.reshape(len(grey), -1), (0.1, 0.9), axis=1)
    above = grey > (0.5 * (dark + light))[:, None, None]
    rises = ~above[..., :-1] & above[..., 1:]
    once = (rises.sum(axis=2) == 1) & (light - dark >= _LEAST_CONTRAST)[:, None]
    k = rises.argmax(axis=2)
    before = np.take_along_axis(grey, k[..., None], axis=2)[..., 0]
    after = np.take_along_axis(grey, k[..., None] + 1, axis=2)[..., 0]
    middle = (0.5 * (dark + light))[:, None]
    share = (middle - before) / np.where(after > before, after - before, 1.0)
    return np.where(once, offsets[k] + share * (offsets[1] - offsets[0]), np.nan)


def _line(points: Array) -> Array | None:
    """Return the best line (nx, ny, d) through points (k, 2), gross ones left out twice."""
    points = points[np.isfinite(points).all(axis=1)]
    for _ in range(3):
        if len(points) < _LEAST_POINTS:
            return None
        middle = points.mean(axis=0)
        x, y = (points - middle).T
        # The direction of largest spread: the axis of the 2 x 2 moments in closed form.
        along = 0.5 * math.atan2(2.0 * float(x @ y), float(x @ x - y @ y))
        normal = np.array([-math.sin(along), math.cos(along)])
        off = np.abs((points - middle) @ normal)
        near = off <= max(3 * 1.4826 * float(np.median(off)), 0.02)
        if near.all():
            break
        points = points[near]
    return np.array([*normal, middle @ normal])


def _meeting(one: Array | None, other: Array | None) -> Array:
    """Return where two lines meet (2,); NaN where they hardly do."""
    if one is None or other is None or abs(one[0] * other[1] - one[1] * other[0]) < 0.1:
        return np.full(2, np.nan)
    return np.asarray(np.linalg.solve(np.array([one[:2], other[:2]]), np.array([one[2], other[2]])))
