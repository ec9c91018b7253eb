"""A chain of turning joints with unknown axes, as a product of exponentials (Brockett 1984).

T(q) = exp(S_1 q_1) ... exp(S_n q_n) T_0: each joint turns all that follows about a line (a unit axis
and a point, four numbers that mean something), T_0 is the tip at zero.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.homing.lens import Array
from lib.homing.rotations import rotation_of
from lib.robot import cross, cross_matrices

UNKNOWNS_PER_JOINT = 4


@dataclass(frozen=True, eq=False)
class TurningChain:
    """One chain; all in the measuring frame."""

    axes: Array
    """Unit axes, of shape (n, 3)."""
    points_m: Array
    """Points on them, nearest to the origin [m], of shape (n, 3)."""
    rotation: Array
    """Of the tip at zero, of shape (3, 3)."""
    place_m: Array
    """Of the tip at zero [m], of shape (3,)."""

    @property
    def unknowns(self) -> int:
        """Four a joint, six for the tip."""
        return UNKNOWNS_PER_JOINT * len(self.axes) + 6

    def poses(self, joints_rad: Array) -> tuple[Array, Array]:
        """Return the tip's rotations (k, 3, 3) and places [m] (k, 3) for joint values (k, n)."""
        rotations = np.broadcast_to(self.rotation, (len(joints_rad), 3, 3))
        places = np.broadcast_to(self.place_m, (len(joints_rad), 3))
        for j in reversed(range(len(self.axes))):
            turns = rotation_of(joints_rad[:, j, None] * self.axes[j])
            rotations = turns @ rotations
            places = (turns @ (places - self.points_m[j])[..., None])[..., 0] + self.points_m[j]
        return rotations, places

    def slopes(self, joints_rad: Array) -> tuple[Array, Array]:
        """Return how the tip turns and shifts with the unknowns (k, 3, unknowns), at joint values (k, n).

        Tilting the axis u of a turn R = exp(q u) by t turns all that follows by J q (t x u), J the left
        Jacobian of the exponential; shifting its point by s shifts it by (1 - R) s.
        """
        count, joints = len(joints_rad), len(self.axes)
        turning, shifting = np.zeros((2, count, 3, self.unknowns))
        before = np.broadcast_to(np.eye(3), (count, 3, 3))
        tips = [self._after(joints_rad, j)[1] for j in range(joints + 1)]
        for j, axis in enumerate(self.axes):
            across, q = sideways(axis), joints_rad[:, j]
            turn = rotation_of(q[:, None] * axis)
            lever = tips[j] - self.points_m[j]
            for k in range(2):
                tilt = left_jacobian(q, axis) @ (q[:, None] * np.cross(across[k], axis))[..., None]
                turning[:, :, 4 * j + k] = (before @ tilt)[..., 0]
                shifting[:, :, 4 * j + k] = (before @ cross(tilt[..., 0], lever)[..., None])[..., 0]
                moved = across[k] - turn @ across[k]
                shifting[:, :, 4 * j + 2 + k] = (before @ moved[..., None])[..., 0]
            before = before @ turn
        turning[:, :, -6:-3] = before
        shifting[:, :, -3:] = before
        return turning, shifting

    def _after(self, joints_rad: Array, first: int) -> tuple[Array, Array]:
        """Return the tip's rotations and places by the joints from ``first`` on alone."""
        return TurningChain(self.axes[first:], self.points_m[first:], self.rotation, self.place_m).poses(
            joints_rad[:, first:]
        )

    def changed(self, step: Array) -> TurningChain:
        """Return the chain after a step (unknowns,): axes tilted and shifted across, the tip moved."""
        axes, points = np.empty_like(self.axes), np.empty_like(self.points_m)
        for j, axis in enumerate(self.axes):
            across = sideways(axis)
            tilt, shift = step[4 * j : 4 * j + 2], step[4 * j + 2 : 4 * j + 4]
            axes[j] = rotation_of(tilt @ across) @ axis
            point = self.points_m[j] + shift @ across
            points[j] = point - (point @ axes[j]) * axes[j]
        tip = step[4 * len(self.axes) :]
        return TurningChain(axes, points, rotation_of(tip[:3]) @ self.rotation, self.place_m + tip[3:])


def left_jacobian(angles: Array, axis: Array) -> Array:
    """Return the left Jacobians (k, 3, 3) of the exponential at turns by angles (k,) about one axis.

    J = sin(a)/a 1 + (1 - sin(a)/a) u u^T + (1 - cos(a))/a [u]x.
    """
    first = np.sinc(angles / np.pi)[:, None, None]
    half = np.sinc(angles / (2 * np.pi))
    second = (0.5 * angles * half**2)[:, None, None]
    return first * np.eye(3) + (1 - first) * np.outer(axis, axis) + second * cross_matrices(axis)


def sideways(axis: Array) -> Array:
    """Return two unit vectors across an axis and each other, of shape (2, 3)."""
    first = np.cross(np.eye(3)[int(np.argmin(np.abs(axis)))], axis)
    first /= np.linalg.norm(first)
    return np.array([first, np.cross(axis, first)])
