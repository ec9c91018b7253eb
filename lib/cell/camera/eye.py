"""One camera's eye: where it is, and where a point of the world falls in its picture.

OpenCV's pinhole model: x right, y down, z into the picture; k1, k2, p1, p2, k3 of Brown (1966). A
ray is (x, y) = (X/Z, Y/Z); whole pixel numbers are the middles of pixels.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

# The mild distortion of these lenses: each step shrinks the error twentyfold, seven leave 1e-9 px.
_STRAIGHTENING_STEPS = 7


@dataclass(frozen=True, eq=False)
class Eye:
    """A placed camera."""

    name: str
    size_px: tuple[int, int]
    """Width and height of its pictures."""
    intrinsics_px: Array
    """fx, fy, cx, cy, of shape (4,)."""
    distortion: Array
    """k1, k2, p1, p2, k3, of shape (5,)."""
    rotation: Array
    """From the world's axes (the vendor's) to the camera's, of shape (3, 3)."""
    place_m: Array
    """Where it is in the world, of shape (3,)."""

    def seen(self, points_m: Array) -> Array:
        """Return world points (..., 3) in the camera's axes [m]."""
        return (points_m - self.place_m) @ self.rotation.T

    def pixels(self, seen_m: Array) -> Array:
        """Return where points (..., 3) in the camera's axes fall [px] (..., 2); they must be in front."""
        return self.bent(seen_m[..., :2] / seen_m[..., 2:])

    def bent(self, rays: Array) -> Array:
        """Return where rays (..., 2) fall [px] (..., 2)."""
        return self.intrinsics_px[:2] * self._distorted(rays) + self.intrinsics_px[2:]

    def rays(self, pixels: Array) -> Array:
        """Return the rays (..., 2) that fall on pixels (..., 2), by fixed-point iteration."""
        wanted = (pixels - self.intrinsics_px[2:]) / self.intrinsics_px[:2]
        rays = wanted
        for _ in range(_STRAIGHTENING_STEPS):
            rays = rays + (wanted - self._distorted(rays))
        return rays

    def _distorted(self, rays: Array) -> Array:
        k1, k2, p1, p2, k3 = self.distortion
        x, y = rays[..., 0], rays[..., 1]
        r2 = x * x + y * y
        radial = 1.0 + r2 * (k1 + r2 * (k2 + r2 * k3))
        out = np.empty_like(rays)
        out[..., 0] = x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x)
        out[..., 1] = y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y
        return out


def cross(a: Array, b: Array) -> Array:
    """Return the cross product of two vectors (3,): NumPy's costs thirty times as much for so few numbers."""
    (ax, ay, az), (bx, by, bz) = a.tolist(), b.tolist()
    return np.array([ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx])


def looking(place_m: Array, at_m: Array) -> Array:
    """Return the rotation (3, 3) from the world to a camera that looks from one place at another.

    The world's z is up in the picture; for a camera that looks straight down, the world's x is.
    """
    forward = (at_m - place_m) / np.linalg.norm(at_m - place_m)
    up = np.array([0.0, 0.0, 1.0]) if abs(forward[2]) < 0.95 else np.array([1.0, 0.0, 0.0])
    right = cross(forward, up)
    right /= np.linalg.norm(right)
    return np.stack([right, cross(forward, right), forward])
