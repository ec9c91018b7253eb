"""Cameras that several captures share: each capture's placing is one more word on where they stand."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from lib.homing.camera import Camera
from lib.homing.lens import Array
from lib.homing.rotations import vector_of

_DISAGREEMENT = 5.0
"""Placings that differ by more deviations than this, in the mean over the six coordinates, were moved."""


def shared_camera(placings: Sequence[Camera]) -> Camera | None:
    """Return one camera that all placings of it agree on, with what they know together.

    Exact placings (without covariance) must be equal. Returns None where the camera was moved between
    captures.
    """
    first = placings[0]
    if any(camera.covariance is None for camera in placings):
        same = all(np.allclose(c.rotation, first.rotation, atol=1e-9) for c in placings)
        return (
            first
            if same and all(np.allclose(c.shift_m, first.shift_m, atol=1e-9) for c in placings)
            else None
        )
    moves = np.array([move_between(first, camera) for camera in placings])
    information = np.array([np.linalg.inv(np.asarray(camera.covariance)) for camera in placings])
    covariance = np.linalg.inv(information.sum(axis=0))
    mean = covariance @ np.einsum("kij,kj->i", information, moves)
    off = moves - mean
    worst = np.sqrt(np.einsum("ki,kij,kj->k", off, information, off).max() / 6)
    if worst > _DISAGREEMENT:
        return None
    return replace(first.moved(mean), covariance=np.asarray(covariance))


def move_between(one: Camera, other: Camera) -> Array:
    """Return the small move (turn [rad], shift [m]) (6,) that takes one placing to another."""
    turn = other.rotation @ one.rotation.T
    return np.concatenate([vector_of(turn), other.shift_m - turn @ one.shift_m])
