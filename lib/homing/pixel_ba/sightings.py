"""What the cameras saw of a machine's own markers, as arrays that a pose can be held against.

Pixels are straightened once: a corner becomes the ray that falls on it, and an error of the ray
counts as the pixels it makes there (d pixel / d ray at the seen corner). For errors of some pixels
this is the reprojection error to second order, and it stays meaningful however far off a guess is.

Of a marker whose corners the robot file does not know, its turn in its own plane is unknown too: its
centre alone counts, where the diagonals of the seen square meet.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.homing.camera import Camera
from lib.homing.lens import Array
from lib.homing.views import Views
from lib.robot import Machine


@dataclass(frozen=True, eq=False)
class Sightings:
    """Sightings of m link markers in n views; one row a marker and image."""

    camera: NDArray[np.int64]
    """Place of the camera, of shape (n,)."""
    marker: NDArray[np.int64]
    """Place of the marker in the arrays below, of shape (n,)."""
    rays: Array
    """Seen corners as rays, of shape (n, 4, 2)."""
    px_per_ray: Array
    """Pixels an error of the ray makes there, of shape (n, 4, 2, 2)."""
    floor_px: Array
    """What each view's corners are off by at best, for its size [px], of shape (n,)."""
    usable: NDArray[np.bool_]
    """Corners that can count: all, or the first alone, then the centre, of shape (n, 4)."""
    trusted: NDArray[np.bool_]
    """Corners that count, of shape (n, 4)."""
    ids: NDArray[np.int64]
    """Marker ids, of shape (m,)."""
    link: NDArray[np.int64]
    """Link that carries each marker, of shape (m,)."""
    corners_m: Array
    """Corners in the link's frame [m], of shape (m, 4, 3)."""

    @property
    def link_seen(self) -> NDArray[np.int64]:
        """Link of each view's marker, of shape (n,)."""
        return self.link[self.marker]

    def rows(self, chosen: NDArray[np.bool_]) -> Sightings:
        """Return the chosen views, with the markers left in them."""
        kept, marker = np.unique(self.marker[chosen], return_inverse=True)
        return Sightings(
            camera=self.camera[chosen],
            marker=marker,
            rays=self.rays[chosen],
            px_per_ray=self.px_per_ray[chosen],
            floor_px=self.floor_px[chosen],
            usable=self.usable[chosen],
            trusted=self.trusted[chosen],
            ids=self.ids[kept],
            link=self.link[kept],
            corners_m=self.corners_m[kept],
        )

    def opposite_corners(self) -> Sightings:
        """Return the same sightings by two opposite corners of each marker."""
        two = slice(0, 4, 2)
        return replace(
            self,
            rays=self.rays[:, two],
            px_per_ray=self.px_per_ray[:, two],
            usable=self.usable[:, two],
            trusted=self.trusted[:, two],
            corners_m=self.corners_m[:, two],
        )

    def seen_by(self, camera: NDArray[np.int64]) -> Sightings:
        """Return the same sightings with the cameras (n,) numbered otherwise."""
        return replace(self, camera=camera)

    def trusting(self, trusted: NDArray[np.bool_]) -> Sightings:
        """Return the same sightings with other corners trusted."""
        return replace(self, trusted=trusted)


def sightings_of(machine: Machine, cameras: Sequence[Camera], views: Views) -> Sightings:
    """Gather the views of the machine's own markers; ``cameras`` stand in the order of ``views.cameras``.

    Markers of the board, unknown ids and corners no ray can fall on are left out.
    """
    known = np.array([marker in machine.carrier for marker in views.marker.tolist()], dtype=bool)
    rays = np.full((*views.corners_px.shape[:2], 2), np.nan)
    for c, camera in enumerate(cameras):
        rows = (views.camera == c) & known
        rays[rows] = camera.lens.rays(views.corners_px[rows])
    chosen = known & np.isfinite(rays).all(axis=(1, 2))
    ids, marker = np.unique(views.marker[chosen], return_inverse=True)
    markers = [machine.link_markers[i] for i in ids.tolist()]
    whole = np.array([m.corners_m is not None for m in markers], dtype=bool)
    rays = np.where(whole[marker][:, None, None], rays[chosen], _centres(rays[chosen])[:, None])
    px_per_ray = np.zeros((*rays.shape, 2))
    for c, camera in enumerate(cameras):
        rows = views.camera[chosen] == c
        px_per_ray[rows] = camera.lens.px_per_ray(rays[rows])
    usable = np.ones((len(rays), 4), dtype=bool)
    usable[~whole[marker], 1:] = False
    corners_m = [np.tile(m.position_m, (4, 1)) if m.corners_m is None else m.corners_m for m in markers]
    return Sightings(
        camera=views.camera[chosen],
        marker=marker,
        rays=rays,
        px_per_ray=px_per_ray,
        floor_px=views.floor_px[chosen],
        usable=usable,
        trusted=usable,
        ids=ids,
        link=np.array([machine.carrier[i] for i in ids.tolist()], dtype=np.int64),
        corners_m=np.array(corners_m).reshape(-1, 4, 3),
    )


def _centres(rays: Array) -> Array:
    """Return where the diagonals of squares (n, 4, 2) meet, (n, 2): their middles, also seen askew."""
    one, other = rays[:, 2] - rays[:, 0], rays[:, 3] - rays[:, 1]
    between = rays[:, 1] - rays[:, 0]
    across = one[:, 0] * other[:, 1] - one[:, 1] * other[:, 0]
    share = (between[:, 0] * other[:, 1] - between[:, 1] * other[:, 0]) / np.where(across == 0, 1.0, across)
    return np.asarray(rays[:, 0] + share[:, None] * one)
