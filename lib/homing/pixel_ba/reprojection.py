"""How far every seen corner is from where given joint values put it, and how that changes.

r = W (pi(R_c X + t_c) - ray), X a corner carried by its link, W pixels per ray. With the camera's
x_c = R_c X + t_c and pi's slope P = [1/z, 0, -x/z^2; 0, 1/z, -y/z^2]: dr/dq = W P R_c dX/dq, and
for a small move of the camera (turn w, shift v; x_c + w x x_c + v) dr/d(w, v) = W P [-[x_c]x, 1].
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.homing.camera import Camera
from lib.homing.lens import Array
from lib.homing.pixel_ba.sightings import Sightings
from lib.robot import Tree, TreeFrames, point_motions, tree_frames

# Nearer than this a corner's ray runs away; no camera focuses there.
_NEAREST_M = 0.05


@dataclass(frozen=True, eq=False)
class CameraPoses:
    """The cameras' places as arrays."""

    rotations: Array
    """World to camera, of shape (c, 3, 3)."""
    shifts_m: Array
    """Of shape (c, 3)."""

    @classmethod
    def of(cls, cameras: Sequence[Camera]) -> CameraPoses:
        """Gather the places of cameras."""
        return cls(
            np.array([camera.rotation for camera in cameras]).reshape(-1, 3, 3),
            np.array([camera.shift_m for camera in cameras]).reshape(-1, 3),
        )


@dataclass(frozen=True, eq=False)
class Reprojection:
    """Residuals of b poses, with what their slopes are made of."""

    residuals_px: Array
    """Of shape (b, n, 4, 2)."""
    inside_m: Array
    """Corners in their cameras [m], of shape (b, n, 4, 3)."""
    corners_m: Array
    """Corners of the m markers in the root's frame [m], of shape (b, m, 4, 3)."""
    frames: TreeFrames


def reproject(tree: Tree, sightings: Sightings, poses: CameraPoses, values: Array) -> Reprojection:
    """Hold the sightings against joint values [rad or m] of shape (b, variables)."""
    frames = tree_frames(tree, values, links=sightings.link)
    rotations = frames.rotations[:, sightings.link]
    corners = sightings.corners_m @ np.swapaxes(rotations, -1, -2) + frames.places_m[:, sightings.link, None]
    turns = np.swapaxes(poses.rotations, -1, -2)[sightings.camera]
    inside = corners[:, sightings.marker] @ turns + poses.shifts_m[sightings.camera, None]
    depth = np.maximum(inside[..., 2:], _NEAREST_M)
    missed = inside[..., :2] / depth - sightings.rays
    w = sightings.px_per_ray
    residuals = w[..., 0] * missed[..., None, 0] + w[..., 1] * missed[..., None, 1]
    return Reprojection(residuals, inside, corners, frames)


def slopes(sightings: Sightings, poses: CameraPoses, at: Reprojection) -> tuple[Array, Array]:
    """Return d residual / d corner (b, n, 4, 2, 3), the corner in the root's frame and in the camera's.

    P R has the rows (R_1 - x/z R_3) / z and (R_2 - y/z R_3) / z: written out, which for so small
    matrices is quicker than multiplying them.
    """
    inside = at.inside_m
    inverse = 1.0 / np.maximum(inside[..., 2], _NEAREST_M)
    ray = inside[..., :2] * inverse[..., None]
    w = sightings.px_per_ray * inverse[..., None, None]
    in_camera = np.empty((*inside.shape[:-1], 2, 3))
    in_camera[..., :2] = w
    in_camera[..., 2] = -(w[..., 0] * ray[..., None, 0] + w[..., 1] * ray[..., None, 1])
    turn = poses.rotations[sightings.camera][:, None, None]
    in_root = in_camera[..., 0, None] * turn[..., 0, :]
    in_root += in_camera[..., 1, None] * turn[..., 1, :]
    in_root += in_camera[..., 2, None] * turn[..., 2, :]
    return in_root, in_camera


def joint_slopes(
    tree: Tree, sightings: Sightings, at: Reprojection, in_root: Array, variables: Sequence[int]
) -> Array:
    """Return d residual / d some joint values (b, n, 4, 2, len(variables))."""
    batch, markers, corners = at.corners_m.shape[:3]
    points = at.corners_m.reshape(batch, markers * corners, 3)
    motions = point_motions(tree, at.frames, points, np.repeat(sightings.link, corners), variables)
    per_marker = motions.reshape(batch, markers, corners, len(variables), 3)
    return in_root @ np.swapaxes(per_marker, -1, -2)[:, sightings.marker]


def camera_slopes(at: Reprojection, in_camera: Array) -> Array:
    """Return d residual / d (turn [rad], shift [m]) of the view's camera (b, n, 4, 2, 6)."""
    x = at.inside_m
    turn = np.empty_like(in_camera)
    # s . (w x x) = w . (x x s)
    turn[..., 0] = x[..., None, 1] * in_camera[..., 2] - x[..., None, 2] * in_camera[..., 1]
    turn[..., 1] = x[..., None, 2] * in_camera[..., 0] - x[..., None, 0] * in_camera[..., 2]
    turn[..., 2] = x[..., None, 0] * in_camera[..., 1] - x[..., None, 1] * in_camera[..., 0]
    return np.concatenate([turn, in_camera], axis=-1)
