"""Rotations as vectors: a turn by |w| radians about w."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.robot import cross_matrices

Array = NDArray[np.float64]


def rotation_of(vectors: Array) -> Array:
    """Return the rotations (..., 3, 3) of rotation vectors (..., 3): R = I + sin t K + (1 - cos t) K^2."""
    angle = np.linalg.norm(vectors, axis=-1)[..., None, None]
    k = cross_matrices(vectors)
    # sin t / t and (1 - cos t) / t^2 = (sin(t/2) / (t/2))^2 / 2 stay exact down to zero.
    first, half = np.sinc(angle / np.pi), np.sinc(angle / (2 * np.pi))
    return np.eye(3) + first * k + 0.5 * half**2 * (k @ k)


def vector_of(rotation: Array) -> Array:
    """Return the rotation vector (3,) of one rotation (3, 3), its angle in [0, pi].

    By the quaternion with the largest component (Shepperd 1978), which is exact at half a turn too.
    """
    quaternion = quaternion_of(rotation)
    w, v = quaternion[0], quaternion[1:]
    length = float(np.linalg.norm(v))
    if length < 1e-12:
        return 2.0 * v / w
    return np.asarray(2.0 * np.arctan2(length, w) / length * v)


def quaternion_of(rotation: Array) -> Array:
    """Return the quaternion w, x, y, z (4,) of a rotation (3, 3), w not negative."""
    r, trace = rotation, float(np.trace(rotation))
    candidates = np.array([trace, r[0, 0], r[1, 1], r[2, 2]])
    k = int(np.argmax(candidates))
    if k == 0:
        q = np.array([1 + trace, r[2, 1] - r[1, 2], r[0, 2] - r[2, 0], r[1, 0] - r[0, 1]])
    else:
        i, j, m = k - 1, k % 3, (k + 1) % 3
        q = np.empty(4)
        q[0] = r[m, j] - r[j, m]
        q[1 + i] = 1 + r[i, i] - r[j, j] - r[m, m]
        q[1 + j] = r[j, i] + r[i, j]
        q[1 + m] = r[m, i] + r[i, m]
    q /= np.linalg.norm(q)
    return np.asarray(-q if q[0] < 0 else q)


def rotation_of_quaternion(quaternion: Array) -> Array:
    """Return the rotation (3, 3) of a quaternion w, x, y, z (4,) of any length but zero."""
    w, x, y, z = quaternion / np.linalg.norm(quaternion)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )
