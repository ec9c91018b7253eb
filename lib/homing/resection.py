"""Where a camera stands against points whose places are known, from the rays they fall on.

Guesses come from closed forms (all points at once; each square alone, with both its solutions), are
refined together under a loss that gross errors do not pull, and the best is fitted to the corners it
can be true of by plain least squares: J^T J there says how sure the place is.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.homing.lens import Array
from lib.homing.noise import DETECTOR_NOISE, Noise, noise_of_best, trusted_corners
from lib.homing.rotations import rotation_of

_SCALES_PX = (60.0, 30.0, 15.0, 8.0, 4.0, 3.0)
_GUESSES = 8
_NEAREST_M = 0.01
_FITTED_SHARE = 0.7
_SAMPLES = 200
_SAMPLE_REACH_PX = 4.0
_FIT_STEPS = 3
_GATINGS = 2


@dataclass(frozen=True, eq=False)
class KnownSquares:
    """Squares of known place, and the rays their corners were seen on."""

    corners_m: Array
    """Of shape (m, 4, 3), clockwise as one looks at them."""
    rays: Array
    """Of shape (m, 4, 2)."""
    px_per_ray: Array
    """Of shape (m, 4, 2, 2)."""
    floor_px: Array
    """What each square's corners are off by at best, for its size [px], of shape (m,)."""


@dataclass(frozen=True, eq=False)
class Resection:
    """Where the camera stands, by one camera's squares."""

    rotation: Array
    """World to camera, of shape (3, 3)."""
    shift_m: Array
    """Of shape (3,)."""
    information: Array
    """Inverse covariance of (turn [rad], shift [m]), of shape (6, 6)."""
    residuals_px: Array
    """Of all corners (m, 4, 2)."""
    trusted: NDArray[np.bool_]
    """Corners that count (m, 4)."""
    rival_loss_px2: float
    """How much worse the best guess at another place explains the corners; infinite where there is none."""

    @property
    def rms_px(self) -> float:
        """Root mean square distance of the trusted corners [px]."""
        if not self.trusted.any():
            return float("nan")
        return float(np.sqrt((self.residuals_px[self.trusted] ** 2).sum(axis=-1).mean()))


def resect(squares: KnownSquares) -> Resection:
    """Return where the camera stands; at least one square must be given."""
    rotations, shifts = _guesses(squares)
    promising = np.argsort(_loss(squares, rotations, shifts, _SCALES_PX[0]))[:_GUESSES]
    rotations, shifts = rotations[promising], shifts[promising]
    for scale_px in _SCALES_PX:
        rotations, shifts = _stepped(squares, rotations, shifts, scale_px)
    loss = _loss(squares, rotations, shifts, _SCALES_PX[-1])
    best = int(np.argmin(loss))
    elsewhere = _apart(rotations, rotations[best]) > 0.1
    rival = float((loss[elsewhere] - loss[best]).min(initial=np.inf))
    residuals, _ = _residuals(squares, rotations, shifts)
    noise = DETECTOR_NOISE
    trusted = trusted_corners(
        residuals[best], max(noise.px, noise_of_best(residuals[best])), squares.floor_px
    )
    noise = noise.after(residuals[best], trusted, squares.floor_px, 6)
    return settle(squares, rotations[best], shifts[best], noise, rival)


def settle(squares: KnownSquares, rotation: Array, shift_m: Array, noise: Noise, rival: float) -> Resection:
    """Return the least-squares place near a good one, corners gated and weighed by a noise."""
    rotations, shifts = rotation[None], shift_m[None]
    residuals, _ = _residuals(squares, rotations, shifts)
    trusted = trusted_corners(residuals[0], noise.px, squares.floor_px)
    weights = noise.weights(squares.floor_px)[:, None]
    for _ in range(_GATINGS):
        for _ in range(_FIT_STEPS):
            rotations, shifts = _stepped(squares, rotations, shifts, None, trusted * weights)
        residuals, _ = _residuals(squares, rotations, shifts)
        trusted = trusted_corners(residuals[0], noise.px, squares.floor_px)
    normal, _ = _equations(squares, rotations, shifts, None, trusted * weights)
    return Resection(rotations[0], shifts[0], normal[0] / noise.px**2, residuals[0], trusted, rival)


def _guesses(squares: KnownSquares) -> tuple[Array, Array]:
    """Return rotations (g, 3, 3) and shifts (g, 3) worth trying."""
    found = _solved(squares.corners_m.reshape(-1, 3), squares.rays.reshape(-1, 2), cv2.SOLVEPNP_SQPNP)
    if found:
        rotations, shifts = (np.array(part) for part in zip(*found, strict=True))
        residuals, _ = _residuals(squares, rotations, shifts)
        near = (residuals**2).sum(axis=-1) < 25.0
        if len(squares.rays) > 2 and near.mean(axis=(1, 2)).max() > _FITTED_SHARE:
            return rotations, shifts
    found += _sampled(squares)
    for corners_m, rays in zip(squares.corners_m, squares.rays, strict=True):
        found += _solved(corners_m, rays, cv2.SOLVEPNP_IPPE)
    rotations, shifts = (np.array(part) for part in zip(*found, strict=True))
    return rotations, shifts


def _solved(points_m: Array, rays: Array, method: int) -> list[tuple[Array, Array]]:
    count, turns, shifts, _ = cv2.solvePnPGeneric(
        np.ascontiguousarray(points_m), np.ascontiguousarray(rays), np.eye(3), None, flags=method
    )
    return [
        (rotation_of(np.ravel(turns[i])), np.ravel(shifts[i]))
        for i in range(count)
        if np.isfinite(turns[i]).all() and np.isfinite(shifts[i]).all()
    ]


def _sampled(squares: KnownSquares) -> list[tuple[Array, Array]]:
    """Return what most of the corners agree on, by random samples: gross errors have no part in it."""
    if len(squares.rays) < 2:
        return []
    ok, turn, shift, _ = cv2.solvePnPRansac(
        squares.corners_m.reshape(-1, 3),
        squares.rays.reshape(-1, 2),
        np.eye(3),
        None,
        iterationsCount=_SAMPLES,
        reprojectionError=_SAMPLE_REACH_PX / float(np.median(squares.px_per_ray[..., 0, 0])),
        flags=cv2.SOLVEPNP_SQPNP,
    )
    return [(rotation_of(np.ravel(turn)), np.ravel(shift))] if ok else []


def _residuals(squares: KnownSquares, rotations: Array, shifts: Array) -> tuple[Array, Array]:
    """Return residuals [px] (g, m, 4, 2) and points in the camera [m] (g, m, 4, 3)."""
    inside = squares.corners_m @ np.swapaxes(rotations, 1, 2)[:, None] + shifts[:, None, None]
    missed = inside[..., :2] / np.maximum(inside[..., 2:], _NEAREST_M) - squares.rays
    return (squares.px_per_ray @ missed[..., None])[..., 0], inside


def _loss(squares: KnownSquares, rotations: Array, shifts: Array, scale_px: float) -> Array:
    residuals, _ = _residuals(squares, rotations, shifts)
    squared = (residuals**2).sum(axis=-1)
    return np.asarray((squared / (1 + squared / scale_px**2)).sum(axis=(1, 2)))


def _equations(
    squares: KnownSquares,
    rotations: Array,
    shifts: Array,
    scale_px: float | None,
    counts: Array | None = None,
) -> tuple[Array, Array]:
    residuals, inside = _residuals(squares, rotations, shifts)
    squared = (residuals**2).sum(axis=-1)
    weights = np.ones_like(squared) if scale_px is None else 1 / (1 + squared / scale_px**2) ** 2
    if counts is not None:
        weights = weights * counts
    inverse = 1 / np.maximum(inside[..., 2], _NEAREST_M)
    x, y = inside[..., 0] * inverse, inside[..., 1] * inverse
    zero, one = np.zeros_like(x), np.ones_like(x)
    # d (x/z, y/z) / d (turn, shift) of a point moved to p + turn x p + shift.
    rows = [
        np.stack([-x * y, one + x * x, -y, inverse, zero, -x * inverse], axis=-1),
        np.stack([-one - y * y, x * y, x, zero, inverse, -y * inverse], axis=-1),
    ]
    j = squares.px_per_ray @ np.stack(rows, axis=-2)
    guesses = len(rotations)
    heavy = (j * weights[..., None, None]).reshape(guesses, -1, 6).swapaxes(1, 2)
    return heavy @ j.reshape(guesses, -1, 6), (heavy @ residuals.reshape(guesses, -1, 1))[..., 0]


def _stepped(
    squares: KnownSquares,
    rotations: Array,
    shifts: Array,
    scale_px: float | None,
    counts: Array | None = None,
) -> tuple[Array, Array]:
    normal, pull = _equations(squares, rotations, shifts, scale_px, counts)
    diagonal = np.einsum("gkk->gk", normal)
    diagonal += 1e-9 * diagonal + 1e-9
    step = np.linalg.solve(normal, -pull[..., None])[..., 0]
    longest = np.abs(step).max(axis=1, keepdims=True, initial=0.3)
    step = step * (0.3 / longest)
    turns = rotation_of(step[:, :3])
    return turns @ rotations, (turns @ shifts[..., None])[..., 0] + step[:, 3:]


def _apart(rotations: Array, rotation: Array) -> Array:
    """Return the angles [rad] between rotations (g, 3, 3) and one."""
    trace = np.einsum("gij,ij->g", rotations, rotation)
    return np.asarray(np.arccos(np.clip((trace - 1) / 2, -1, 1)))
