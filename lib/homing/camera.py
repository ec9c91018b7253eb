"""A camera that has been placed: where it stands, and how sure that is."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lib.homing.lens import Array, Lens
from lib.homing.rotations import rotation_of


@dataclass(frozen=True, eq=False)
class Camera:
    """One camera: x_camera = rotation x_world + shift_m, z forward, x right, y down."""

    name: str
    lens: Lens
    rotation: Array
    """World to camera, of shape (3, 3)."""
    shift_m: Array
    """World's origin in the camera [m], of shape (3,)."""
    covariance: Array | None = None
    """Of the error (turn [rad], shift [m]) with x' = x + turn x x + shift in the camera, of shape (6, 6);
    None: taken as exact."""

    @property
    def place_m(self) -> Array:
        """Where the camera stands in the world [m], of shape (3,)."""
        return -self.rotation.T @ self.shift_m

    def moved(self, change: Array) -> Camera:
        """Return the camera after a small change (turn [rad], shift [m]) (6,)."""
        turn = rotation_of(change[:3])
        return replace(self, rotation=turn @ self.rotation, shift_m=turn @ self.shift_m + change[3:])

    def in_camera(self, points_m: Array) -> Array:
        """Return world points (..., 3) in the camera's frame [m]."""
        return points_m @ self.rotation.T + self.shift_m

    def pixels(self, points_m: Array) -> Array:
        """Return where world points (..., 3) [m] fall in the image [px]; NaN behind the camera."""
        inside = self.in_camera(points_m)
        depth = np.where(inside[..., 2:] > 0, inside[..., 2:], np.nan)
        return self.lens.pixels(inside[..., :2] / depth)
