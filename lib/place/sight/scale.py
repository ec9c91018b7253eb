"""Whether the cameras measure in true metres: known distances between markers, measured by two rays each.

The cameras are placed by the board, so a board of another size than its file says makes everything
measured wrong by one factor, and a servo that trusts it takes steps of that factor.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

from lib.homing import Camera, Views

Array = NDArray[np.float64]

_LEAST_APART_M = 0.018


def scales(cameras: Sequence[Camera], views: Views, corners_m: Mapping[int, Array]) -> list[float]:
    """Return measured over known distance for every pair of one thing's corners that two cameras see.

    ``corners_m`` has the thing's markers' corners (4, 3) in its own frame.
    """
    measured: list[Array] = []
    known: list[Array] = []
    for marker in sorted({int(m) for m in views.marker if int(m) in corners_m}):
        rows = np.flatnonzero(views.marker == marker)
        if len({int(views.camera[row]) for row in rows}) < 2:
            continue
        for corner in range(4):
            rays = [(cameras[views.camera[row]], views.corners_px[row, corner]) for row in rows]
            measured.append(crossing(rays))
            known.append(corners_m[marker][corner])
    if len(measured) < 2:
        return []
    apart, drawn = _distances(np.array(measured)), _distances(np.array(known))
    far = drawn >= _LEAST_APART_M
    return list(map(float, apart[far] / drawn[far]))


def crossing(rays: Sequence[tuple[Camera, Array]]) -> Array:
    """Return the point nearest to all rays [m] (3,), in the world."""
    normal, right = np.zeros((3, 3)), np.zeros(3)
    for camera, pixel in rays:
        ray = np.append(camera.lens.rays(pixel[None])[0], 1.0)
        direction = camera.rotation.T @ (ray / np.linalg.norm(ray))
        across = np.eye(3) - np.outer(direction, direction)
        normal += across
        right += across @ camera.place_m
    return np.asarray(np.linalg.solve(normal, right))


def _distances(points: Array) -> Array:
    one, other = np.triu_indices(len(points), 1)
    return np.asarray(np.linalg.norm(points[one] - points[other], axis=1))
