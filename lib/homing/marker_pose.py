"""Where each link marker is and which way it looks, from all cameras that see it.

A square of known size seen by several cameras has one pose; seen by one it has two that project
almost alike (Schweighofer and Pinz 2006; Collins and Bartoli 2014, IPPE), and below some 80 px the
corners cannot tell which: both are kept until the chain decides.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.homing.camera import Camera
from lib.homing.lens import Array
from lib.homing.rotations import rotation_of
from lib.homing.views import Views
from lib.robot import Machine

TRUSTED_SIDE_PX = 80.0
"""One view's normal is never trusted where the marker looks smaller than this."""
_REACH_PX = 3.0
"""Scale of the loss: views that are off by more hardly pull."""
_LEAST_SHARE = 0.5
_STEPS = 8


@dataclass(frozen=True, eq=False)
class MarkerPose:
    """One marker of the machine as measured."""

    id: int
    position_m: Array
    """Its centre in the world [m], of shape (3,)."""
    normal: Array
    """Unit vector out of its face, of shape (3,)."""
    num_cameras: int
    """Cameras whose view of it fits."""
    flipped: tuple[Array, Array] | None = None
    """The other position [m] and normal that one small view leaves open."""
    rms_px: float = float("nan")
    """Root mean square distance of the fitting corners [px]; NaN where nobody measured it."""


@dataclass(frozen=True, eq=False)
class _SeenSquare:
    """One marker's views, with the cameras' places."""

    square_m: Array
    """Corners in the marker's own frame, z out of its face (4, 3)."""
    rays: Array
    px_per_ray: Array
    rotations: Array
    shifts_m: Array


def marker_poses(machine: Machine, cameras: Sequence[Camera], views: Views) -> tuple[MarkerPose, ...]:
    """Return the poses of the machine's own markers, by id.

    ``cameras`` stand in the order of ``views.cameras``. A marker of which no two views agree and
    of which more than one was seen is left out: nobody knows which view is the false one.
    """
    found = []
    for marker_id in sorted(set(views.marker.tolist()) & machine.carrier.keys()):
        rows = np.flatnonzero(views.marker == marker_id)
        seen = _seen(machine.link_markers[marker_id].size_m, cameras, views, rows)
        pose = _pose(marker_id, seen) if len(seen.rays) else None
        if pose is not None:
            found.append(pose)
    return tuple(found)


def _seen(
    size_m: float, cameras: Sequence[Camera], views: Views, rows: NDArray[np.signedinteger]
) -> _SeenSquare:
    half = size_m / 2
    square = np.array([[-half, half, 0], [half, half, 0], [half, -half, 0], [-half, -half, 0]])
    own = [cameras[c] for c in views.camera[rows].tolist()]
    rays = np.array([c.lens.rays(px) for c, px in zip(own, views.corners_px[rows], strict=True)]).reshape(
        -1, 4, 2
    )
    good = np.isfinite(rays).all(axis=(1, 2))
    own = [c for c, ok in zip(own, good, strict=True) if ok]
    rays = rays[good]
    return _SeenSquare(
        square,
        rays,
        np.array([c.lens.px_per_ray(r) for c, r in zip(own, rays, strict=True)]).reshape(-1, 4, 2, 2),
        np.array([c.rotation for c in own]).reshape(-1, 3, 3),
        np.array([c.shift_m for c in own]).reshape(-1, 3),
    )


def _pose(marker_id: int, seen: _SeenSquare) -> MarkerPose | None:
    turns, places = _guesses(seen)
    for _ in range(_STEPS):
        turns, places = _stepped(seen, turns, places)
    residuals, _ = _residuals(seen, turns, places)
    squared = (residuals**2).sum(axis=-1)
    loss = (squared / (1 + squared / _REACH_PX**2)).sum(axis=(1, 2))
    best = int(np.argmin(loss))
    near = squared[best] < (3 * _REACH_PX) ** 2
    fitting = near.mean(axis=1) > _LEAST_SHARE
    views = len(seen.rays)
    if not fitting.any() or (fitting.sum() == 1 and views > 1):
        return None
    flipped = None
    if views == 1 and _side_px(seen) < TRUSTED_SIDE_PX:
        others = np.flatnonzero((turns[:, :, 2] @ turns[best, :, 2]) < np.cos(np.radians(3.0)))
        if len(others):
            other = others[int(np.argmin(loss[others]))]
            flipped = (places[other], turns[other, :, 2])
    rms_px = float(np.sqrt(squared[best][fitting][near[fitting]].mean()))
    return MarkerPose(marker_id, places[best], turns[best, :, 2], int(fitting.sum()), flipped, rms_px)


def _guesses(seen: _SeenSquare) -> tuple[Array, Array]:
    """Return turns (g, 3, 3) and places (g, 3) in the world: both solutions of each view alone."""
    turns, places = [], []
    for rays, rotation, shift in zip(seen.rays, seen.rotations, seen.shifts_m, strict=True):
        count, turn, move, _ = cv2.solvePnPGeneric(
            seen.square_m, np.ascontiguousarray(rays), np.eye(3), None, flags=cv2.SOLVEPNP_IPPE_SQUARE
        )
        for i in range(count):
            if np.isfinite(turn[i]).all() and np.isfinite(move[i]).all():
                turns.append(rotation.T @ rotation_of(np.ravel(turn[i])))
                places.append(rotation.T @ (np.ravel(move[i]) - shift))
    return np.array(turns), np.array(places)


def _residuals(seen: _SeenSquare, turns: Array, places: Array) -> tuple[Array, Array]:
    """Return residuals [px] (g, v, 4, 2) and corners in the cameras [m] (g, v, 4, 3)."""
    corners = seen.square_m @ np.swapaxes(turns, 1, 2) + places[:, None]
    inside = corners[:, None] @ np.swapaxes(seen.rotations, 1, 2) + seen.shifts_m[:, None]
    missed = inside[..., :2] / np.maximum(inside[..., 2:], 0.01) - seen.rays
    return (seen.px_per_ray @ missed[..., None])[..., 0], inside


def _stepped(seen: _SeenSquare, turns: Array, places: Array) -> tuple[Array, Array]:
    residuals, inside = _residuals(seen, turns, places)
    inverse = 1 / np.maximum(inside[..., 2], 0.01)
    slope = np.zeros((*inside.shape[:-1], 2, 3))
    slope[..., 0, 0] = slope[..., 1, 1] = inverse
    slope[..., :, 2] = -inside[..., :2] * (inverse * inverse)[..., None]
    by_place = seen.px_per_ray @ slope @ seen.rotations[:, None]
    arms = (seen.square_m @ np.swapaxes(turns, 1, 2))[:, None, :, None, :]  # from the marker's centre
    j = np.concatenate([np.cross(arms, by_place), by_place], axis=-1)
    guesses = len(turns)
    weights = 1 / (1 + (residuals**2).sum(axis=-1) / _REACH_PX**2) ** 2
    heavy = (j * weights[..., None, None]).reshape(guesses, -1, 6).swapaxes(1, 2)
    normal = heavy @ j.reshape(guesses, -1, 6)
    diagonal = np.einsum("gkk->gk", normal)
    diagonal += 1e-6 * diagonal + 1e-9
    step = np.linalg.solve(normal, -(heavy @ residuals.reshape(guesses, -1, 1)))[..., 0]
    step *= 0.3 / np.abs(step).max(axis=1, keepdims=True, initial=0.3)
    return rotation_of(step[:, :3]) @ turns, places + step[:, 3:]


def _side_px(seen: _SeenSquare) -> float:
    """Return the marker's longest side in its one view [px]."""
    pixels = (seen.px_per_ray[0].mean(axis=0) @ seen.rays[0].T).T
    return float(np.linalg.norm(np.roll(pixels, -1, axis=0) - pixels, axis=1).max())
