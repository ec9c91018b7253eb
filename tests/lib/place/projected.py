"""Cameras that draw no pictures: markers of a cell projected, hidden where something is in the way.

For campaigns of thousands of runs; what it gives is compared with rendered pictures by a test.
"""

from __future__ import annotations

from collections.abc import Collection

import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.cell import Cell, block_markers, box_markers
from lib.homing import Camera, Lens, Views
from lib.place.sight import Caught, Picture
from lib.robot import Machine

Array = NDArray[np.float64]

_LEAST_COSINE = 0.25
_LEAST_SIDE_PX = 14.0
_INSET = 0.9
_BEHIND_M = 0.002
_BEFORE_THE_EYE = 0.1


class ProjectedWatch:
    """What ``Watch`` is to a batch, without pictures."""

    def __init__(self, cell: Cell, machine: Machine, seed: int, noise_m: float = 0.0) -> None:
        """``noise_m``: by so much each thing seems elsewhere in each picture, along each axis."""
        self._cell = cell
        # Placed as the board places them: to a fraction of a millimetre.
        self._cameras = [
            Camera(
                eye.name,
                Lens(eye.intrinsics_px, eye.distortion, eye.size_px),
                eye.rotation,
                -eye.rotation @ eye.place_m,
            )
            for eye in cell.film.eyes.values()
        ]
        self._noise_m = noise_m
        self._random = np.random.default_rng([seed, 77])
        self.placed = {camera.name: camera for camera in self._cameras}
        self._markers: dict[int, tuple[str, Array, Array]] = {}
        sizes = cell.flaws.block_sizes_m
        for number, size_m in enumerate(sizes, 1):
            for marker in block_markers(cell.settings, number, size_m):
                self._markers[marker.id] = (f"block{number}", marker.corners_m, marker.normal)
        for marker in box_markers(cell.settings, cell.robot.twin_axes, machine.dictionary):
            self._markers[marker.id] = ("box", marker.corners_m, marker.normal)
        for link in machine.links:
            for own in link.markers:
                if own.corners_m is not None:
                    self._markers[own.id] = (link.name, own.corners_m, own.normal)

    def catch(self, ids: Collection[int], images: int) -> Caught:
        seen = {camera.name: self._seen(camera, ids) for camera in self._cameras}
        used = [camera for camera in self._cameras if seen[camera.name]]
        return Caught(used, [self._views(used, seen) for _ in range(images if used else 0)], (), {})

    def in_colour(self) -> dict[str, Picture]:
        return {}

    def _seen(self, camera: Camera, ids: Collection[int]) -> list[int]:
        """Return the markers that nothing hides from the camera as it really stands."""
        eye = self._cell.film.eyes[camera.name]
        found = []
        for marker in ids:
            corners, normal, _ = self._in_world(marker)
            middle = corners.mean(axis=0)
            to_eye = eye.place_m - middle
            far_m = float(np.linalg.norm(to_eye))
            if float(normal @ to_eye) / far_m < _LEAST_COSINE:
                continue
            pixels = eye.pixels(eye.seen(corners))
            if (pixels < 4).any() or (pixels > np.array(eye.size_px) - 4).any():
                continue
            if np.linalg.norm(np.roll(pixels, 1, axis=0) - pixels, axis=1).min() < _LEAST_SIDE_PX:
                continue
            points = [middle, *(middle + _INSET * (corner - middle) for corner in corners)]
            if all(self._free(eye.place_m, point) for point in points):
                found.append(marker)
        return found

    def _free(self, eye_m: Array, point_m: Array) -> bool:
        model, data = self._cell._model, self._cell._data
        eye_m = eye_m + _BEFORE_THE_EYE * (point_m - eye_m)  # it stands on its own post
        way = point_m - eye_m
        geom = np.zeros(1, dtype=np.int32)
        hit = mujoco.mj_ray(model, data, eye_m, way, None, 1, -1, geom)
        return hit < 0 or (1.0 - hit) * float(np.linalg.norm(way)) < _BEHIND_M

    def _in_world(self, marker: int) -> tuple[Array, Array, str]:
        body, corners, normal = self._markers[marker]
        at = self._cell._data.body(body)
        turn = at.xmat.reshape(3, 3)
        return corners @ turn.T + at.xpos, turn @ normal, body

    def _views(self, cameras: list[Camera], seen: dict[str, list[int]]) -> Views:
        shifts: dict[str, Array] = {}
        rows: list[tuple[int, int, Array]] = []
        noise_px = self._cell.errors.pixel_noise_px
        for c, camera in enumerate(cameras):
            eye = self._cell.film.eyes[camera.name]
            for marker in seen[camera.name]:
                corners, _, body = self._in_world(marker)
                if body not in shifts:
                    shifts[body] = self._noise_m * self._random.standard_normal(3)
                pixels = eye.pixels(eye.seen(corners + shifts[body]))
                rows.append((c, marker, pixels + noise_px * self._random.standard_normal((4, 2))))
        return Views(
            cameras=tuple(camera.name for camera in cameras),
            camera=np.array([row[0] for row in rows], dtype=np.int64),
            marker=np.array([row[1] for row in rows], dtype=np.int64),
            corners_px=np.array([row[2] for row in rows]).reshape(-1, 4, 2),
            floor_px=np.full(len(rows), 0.05),
        )
