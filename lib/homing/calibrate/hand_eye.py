"""A first guess of where a fixed camera and a board on the flange are, in closed form.

The board's pose in the camera and the flange's in the base obey C B_i = F_i M for all photos i. Turns
between photos have the same angle seen from camera and from base, their axes turned by C: the best
rotation between two bundles of axes (Park and Martin 1994). Then places and the board's scale are
one linear least-squares problem. It only starts the bundle: alone it was 17.5 px off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.errors import CheckFailed
from lib.homing.lens import Array
from lib.homing.rotations import vector_of

_LEAST_TURN_RAD = np.radians(3.0)
_LEAST_SPREAD = 0.05
_SCALE_TOLERANCE = 0.05


@dataclass(frozen=True, eq=False)
class Pose:
    """A rigid pose: x_parent = rotation x_own + place_m."""

    rotation: Array
    place_m: Array

    def inverse(self) -> Pose:
        """Return the parent in the own frame."""
        return Pose(self.rotation.T, -self.rotation.T @ self.place_m)

    def __matmul__(self, other: Pose) -> Pose:
        """Return one pose after the other."""
        return Pose(self.rotation @ other.rotation, self.rotation @ other.place_m + self.place_m)


def hand_eye(flanges: Sequence[Pose], boards: Sequence[Pose]) -> tuple[Pose, Pose]:
    """Return the camera in the base and the board on the flange.

    ``flanges`` in the base, ``boards`` in the camera, one a photo. Raises CheckFailed where the turns
    do not determine it (about one axis only) or the board's size and the arm's do not agree.
    """
    axes_base, axes_camera = [], []
    for i in range(len(flanges)):
        for j in range(i):
            base = vector_of(flanges[i].rotation @ flanges[j].rotation.T)
            camera = vector_of(boards[i].rotation @ boards[j].rotation.T)
            if _LEAST_TURN_RAD < np.linalg.norm(base) < np.pi - _LEAST_TURN_RAD:
                axes_base.append(base)
                axes_camera.append(camera)
    spread = np.linalg.svd(np.array(axes_base).reshape(-1, 3), compute_uv=False)
    if len(axes_base) < 3 or spread[1] < _LEAST_SPREAD * spread[0]:
        raise CheckFailed(
            "the flange turns about one axis only between the photos; "
            "expected photos with the board turned about at least two axes"
        )
    turn = nearest_rotation(np.array(axes_base).T @ np.array(axes_camera))
    mount = nearest_rotation(
        sum(
            (f.rotation.T @ turn @ b.rotation for f, b in zip(flanges, boards, strict=True)), np.zeros((3, 3))
        )
    )
    rows, right = [], []
    for flange, board in zip(flanges, boards, strict=True):
        # F m + f = c + s C b: unknown mount m, camera c, scale s.
        rows.append(np.column_stack([flange.rotation, -np.eye(3), -(turn @ board.place_m)]))
        right.append(-flange.place_m)
    solution, *_ = np.linalg.lstsq(np.concatenate(rows), np.concatenate(right), rcond=None)
    scale = float(solution[6])
    if abs(scale - 1) > _SCALE_TOLERANCE:
        raise CheckFailed(
            f"the arm's poses make the board {scale:.3g} times as large as it is said to be; "
            "expected the square's size in metres (not the marker's, not millimetres), and poses in metres "
            "of the flange in the base's frame (not of the base in the flange's)"
        )
    return Pose(turn, solution[3:6]), Pose(mount, solution[:3])


def nearest_rotation(matrix: Array) -> Array:
    """Return the rotation (3, 3) nearest to a matrix, by its singular vectors."""
    u, _, vt = np.linalg.svd(matrix)
    sign = np.sign(np.linalg.det(u @ vt))
    return np.asarray(u @ np.diag([1.0, 1.0, sign]) @ vt)
