r"""Where a rigid thing with known markers is, from all cameras that see some of them.

The unknowns are its turn and place in the world; the residuals are corners in pixels. Each marker in
each picture gives two places by itself (a square seen once has two readings); the one that explains
all corners best is refined by Gauss-Newton under a loss that gross corners do not pull,

    minimise sum r^2 / (1 + r^2 / c^2),

and J^T J of the corners that count says how sure the place is.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.homing import Camera, Views

Array = NDArray[np.float64]

_SCALES_PX = (20.0, 5.0, 2.0)
_STEPS_A_SCALE = 6
_SETTLED = 1e-7
_GATE_PX = 3.0
LEAST_CORNERS = 4


@dataclass(frozen=True, eq=False)
class ThingPose:
    """A thing as the cameras of one instant saw it, in the world's (the vendor's) frame."""

    rotation: Array
    """Its axes in the world as columns, of shape (3, 3)."""
    place_m: Array
    """Its origin in the world [m], of shape (3,)."""
    covariance_m2: Array
    """Of the place, from the corners alone, of shape (3, 3)."""
    rms_px: float
    """Root mean square distance of the corners that count [px]."""
    corners: int
    """Corners that count."""
    markers: tuple[int, ...]
    """Ids of the markers that count."""
    cameras: tuple[str, ...]
    """Cameras that saw them."""


def thing_pose(
    cameras: Sequence[Camera], views: Views, corners_m: Mapping[int, Array], noise_px: float
) -> ThingPose | None:
    """Return where the thing is whose markers have these corners (4, 3) in its own frame.

    ``views`` number the cameras as they are given; ``noise_px`` is the least that a corner is taken to be
    off by. None where no marker of it was seen, or too few corners agree.
    """
    seen = views.rows(np.array([int(m) in corners_m for m in views.marker], dtype=bool))
    if not len(seen.marker):
        return None
    squares = np.array([corners_m[int(m)] for m in seen.marker])
    fit = _Fit(cameras, seen, squares)
    poses = fit.guesses()
    if not poses:
        return None
    losses = [fit.loss(rotation, place, _SCALES_PX[0]) for rotation, place in poses]
    rotation, place = poses[int(np.argmin(losses))]
    for scale_px in _SCALES_PX:
        rotation, place = fit.refined(rotation, place, scale_px)
    return fit.result(rotation, place, noise_px)


class _Fit:
    """All corners of one thing in all pictures."""

    def __init__(self, cameras: Sequence[Camera], views: Views, squares_m: Array) -> None:
        self._cameras, self._views, self._squares_m = cameras, views, squares_m
        chosen = [cameras[c] for c in views.camera]
        self._turns = np.array([camera.rotation for camera in chosen])
        self._shifts = np.array([camera.shift_m for camera in chosen])
        self._rays = np.array(
            [camera.lens.rays(px) for camera, px in zip(chosen, views.corners_px, strict=True)]
        )
        self._px_per_ray = np.array(
            [camera.lens.px_per_ray(rays) for camera, rays in zip(chosen, self._rays, strict=True)]
        )

    def guesses(self) -> list[tuple[Array, Array]]:
        """Return rotation and place by each marker in each picture alone."""
        found = []
        for turn, shift, square, rays in zip(
            self._turns, self._shifts, self._squares_m, self._rays, strict=True
        ):
            if not np.isfinite(rays).all():
                continue
            count, turns, shifts, _ = cv2.solvePnPGeneric(
                np.ascontiguousarray(square), np.ascontiguousarray(rays), np.eye(3), None,
                flags=cv2.SOLVEPNP_IPPE,
            )  # fmt: skip
            for k in range(count):
                in_camera = np.asarray(cv2.Rodrigues(turns[k])[0], dtype=np.float64)
                rotation, place = turn.T @ in_camera, turn.T @ (np.ravel(shifts[k]) - shift)
                if np.isfinite(rotation).all() and np.isfinite(place).all():
                    found.append((rotation, place))
        return found

    def loss(self, rotation: Array, place_m: Array, scale_px: float) -> float:
        residuals, _, _ = self._residuals(rotation, place_m)
        squared = (residuals**2).sum(axis=-1)
        return float((squared / (1 + squared / scale_px**2)).sum())

    def refined(self, rotation: Array, place_m: Array, scale_px: float) -> tuple[Array, Array]:
        """Take Gauss-Newton steps until they are nothing."""
        for _ in range(_STEPS_A_SCALE):
            residuals, inside, arms = self._residuals(rotation, place_m)
            squared = (residuals**2).sum(axis=-1)
            weights = 1 / (1 + squared / scale_px**2) ** 2
            jacobian = self._jacobian(inside, arms)
            normal, right = _equations(jacobian, residuals, weights)
            step = np.linalg.lstsq(normal, right, rcond=None)[0]
            rotation = np.asarray(cv2.Rodrigues(step[:3])[0], dtype=np.float64) @ rotation
            place_m = place_m + step[3:]
            if np.abs(step).max() < _SETTLED:
                break
        return rotation, place_m

    def result(self, rotation: Array, place_m: Array, noise_px: float) -> ThingPose | None:
        residuals, inside, arms = self._residuals(rotation, place_m)
        squared = (residuals**2).sum(axis=-1)
        counts = squared < _GATE_PX**2
        if counts.sum() < LEAST_CORNERS:
            return None
        rms_px = float(np.sqrt(squared[counts].mean()))
        # A coordinate's noise: what the residuals say, but never below what a corner is known to have.
        noise_px = max(noise_px, rms_px / np.sqrt(2))
        normal, _ = _equations(self._jacobian(inside, arms), residuals, counts.astype(float))
        covariance: Array = np.asarray(np.linalg.pinv(normal)[3:, 3:] * noise_px**2, dtype=np.float64)
        rows = counts.any(axis=1)
        return ThingPose(
            rotation=rotation,
            place_m=place_m,
            covariance_m2=covariance,
            rms_px=rms_px,
            corners=int(counts.sum()),
            markers=tuple(sorted({int(m) for m in self._views.marker[rows]})),
            cameras=tuple(self._cameras[c].name for c in sorted({int(c) for c in self._views.camera[rows]})),
        )

    def _residuals(self, rotation: Array, place_m: Array) -> tuple[Array, Array, Array]:
        """Return residuals [px] (v, 4, 2), points in the cameras and arms in the world [m]."""
        arms = self._squares_m @ rotation.T
        inside = np.einsum("vij,vkj->vki", self._turns, arms + place_m) + self._shifts[:, None]
        expected = inside[..., :2] / np.maximum(inside[..., 2:], 1e-3)
        missed = self._rays - expected
        return (self._px_per_ray @ missed[..., None])[..., 0], inside, arms

    def _jacobian(self, inside: Array, arms: Array) -> Array:
        """Return d expected pixel / d (turn, shift) of shape (v, 4, 2, 6)."""
        inverse = 1 / np.maximum(inside[..., 2], 1e-3)
        x, y = inside[..., 0] * inverse, inside[..., 1] * inverse
        zero = np.zeros_like(x)
        by_point = np.stack(
            [
                np.stack([inverse, zero, -x * inverse], axis=-1),
                np.stack([zero, inverse, -y * inverse], axis=-1),
            ],
            axis=-2,
        )
        in_world = self._px_per_ray @ by_point @ self._turns[:, None]
        # d (turn x arm) = -[arm]x d turn.
        cross = np.zeros((*arms.shape, 3))
        cross[..., 0, 1], cross[..., 0, 2] = arms[..., 2], -arms[..., 1]
        cross[..., 1, 0], cross[..., 1, 2] = -arms[..., 2], arms[..., 0]
        cross[..., 2, 0], cross[..., 2, 1] = arms[..., 1], -arms[..., 0]
        return np.concatenate([in_world @ cross, in_world], axis=-1)


def _equations(jacobian: Array, residuals: Array, weights: Array) -> tuple[Array, Array]:
    flat = jacobian.reshape(-1, 6)
    heavy = (jacobian * weights[..., None, None]).reshape(-1, 6)
    return heavy.T @ flat, heavy.T @ residuals.reshape(-1)
