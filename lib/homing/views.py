"""What the cameras saw at one instant: markers and their corners, and nothing about where they are."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.homing.lens import Array


@dataclass(frozen=True, eq=False)
class Views:
    """Every marker in every image of one capture; one row a marker and image."""

    cameras: tuple[str, ...]
    """Names of the cameras whose images were looked at, also where nothing was seen."""
    camera: NDArray[np.int64]
    """Place in ``cameras``, of shape (n,)."""
    marker: NDArray[np.int64]
    """Marker id, of shape (n,)."""
    corners_px: Array
    """Corners in the detector's order [px], of shape (n, 4, 2)."""
    floor_px: Array
    """What a coordinate of each view's corners is off by at best, for its size [px], of shape (n,)."""

    def rows(self, chosen: NDArray[np.bool_]) -> Views:
        """Return the chosen rows."""
        return Views(
            self.cameras,
            self.camera[chosen],
            self.marker[chosen],
            self.corners_px[chosen],
            self.floor_px[chosen],
        )

    def of_camera(self, camera: int) -> Views:
        """Return what one camera saw."""
        return self.rows(self.camera == camera)
