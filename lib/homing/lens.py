"""What one camera's glass and chip do: rays to pixels and back.

OpenCV's model with five coefficients (Brown 1966): x' = x (1 + k1 r^2 + k2 r^4 + k3 r^6) + 2 p1 x y
+ p2 (r^2 + 2 x^2), y' alike with p1 and p2 swapped; u = fx x' + cx. A ray is (x, y) = (X/Z, Y/Z).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]

_NEWTON_STEPS = 20
_SMALLEST_PX = 1e-9


@dataclass(frozen=True, eq=False)
class Lens:
    """Intrinsics and distortion."""

    intrinsics_px: Array
    """fx, fy, cx, cy [px], of shape (4,)."""
    distortion: Array
    """k1, k2, p1, p2, k3, of shape (5,)."""
    size_px: tuple[int, int]
    """Width and height of the image [px]."""

    def pixels(self, rays: Array) -> Array:
        """Return where rays (..., 2) fall in the image [px] (..., 2)."""
        return self.intrinsics_px[:2] * _bent(rays, self.distortion) + self.intrinsics_px[2:]

    def px_per_ray(self, rays: Array) -> Array:
        """Return d pixels / d ray (..., 2, 2)."""
        x, y = rays[..., 0], rays[..., 1]
        k1, k2, p1, p2, k3 = self.distortion
        r2 = x * x + y * y
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        slope = 2 * (k1 + r2 * (2 * k2 + 3 * r2 * k3))  # d radial / d x = slope x
        out = np.empty((*x.shape, 2, 2))
        out[..., 0, 0] = radial + x * x * slope + 2 * p1 * y + 6 * p2 * x
        out[..., 0, 1] = x * y * slope + 2 * p1 * x + 2 * p2 * y
        out[..., 1, 0] = out[..., 0, 1]
        out[..., 1, 1] = radial + y * y * slope + 6 * p1 * y + 2 * p2 * x
        return out * self.intrinsics_px[:2, None]

    def rays(self, pixels: Array) -> Array:
        """Return the rays (..., 2) that fall on pixels (..., 2), by Newton's method from the undistorted ray.

        A pixel that no ray falls on (outside what the distortion can reach) comes back as NaN.
        """
        straight = (pixels - self.intrinsics_px[2:]) / self.intrinsics_px[:2]
        if not self.distortion.any():
            return np.asarray(straight)
        rays = straight.copy()
        for _ in range(_NEWTON_STEPS):
            missed = pixels - self.pixels(rays)
            if not np.abs(missed).max(initial=0.0) > _SMALLEST_PX:
                break
            rays = rays + _solved(self.px_per_ray(rays), missed)
        reached = np.abs(pixels - self.pixels(rays)).max(axis=-1, keepdims=True) < 1e-3
        return np.where(reached, rays, np.nan)

    def matrix(self) -> Array:
        """Return OpenCV's camera matrix (3, 3)."""
        fx, fy, cx, cy = self.intrinsics_px
        return np.array([[fx, 0, cx], [0, fy, cy], [0, 0, 1.0]])


def _solved(matrices: Array, values: Array) -> Array:
    """Return what 2 x 2 matrices (..., 2, 2) turn into values (..., 2); LAPACK takes ten times as long."""
    (a, b), (c, d) = np.moveaxis(matrices, (-2, -1), (0, 1))
    x, y = values[..., 0], values[..., 1]
    return np.stack([d * x - b * y, a * y - c * x], axis=-1) / (a * d - b * c)[..., None]


def distortion_slopes(rays: Array) -> Array:
    """Return d (x', y') / d (k1, k2, p1, p2, k3) at rays (..., 2): (..., 2, 5)."""
    x, y = rays[..., 0], rays[..., 1]
    r2 = x * x + y * y
    out = np.empty((*x.shape, 2, 5))
    out[..., 0, :] = np.stack([x * r2, x * r2**2, 2 * x * y, r2 + 2 * x * x, x * r2**3], axis=-1)
    out[..., 1, :] = np.stack([y * r2, y * r2**2, r2 + 2 * y * y, 2 * x * y, y * r2**3], axis=-1)
    return out


def _bent(rays: Array, distortion: Array) -> Array:
    if not distortion.any():
        return rays
    x, y = rays[..., 0], rays[..., 1]
    k1, k2, p1, p2, k3 = distortion
    r2 = x * x + y * y
    radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
    return np.stack(
        [
            x * radial + 2 * p1 * x * y + p2 * (r2 + 2 * x * x),
            y * radial + p1 * (r2 + 2 * y * y) + 2 * p2 * x * y,
        ],
        axis=-1,
    )
