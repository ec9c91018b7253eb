"""Where every link of a machine is for given joint values, and how that changes with them.

A link's frame in the root is its parent's, moved to the joint's origin, turned by the origin's
rotation and then about the joint's axis (Rodrigues: R(q) = I + sin q K + (1 - cos q) K^2, K the
axis's cross matrix), or shifted along it. A point on a link moves, per unit of a joint that carries
it, by a x (x - o) for a turn about the axis a through o, and by a for a shift along a.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.robot.machine import Machine
from lib.robot.shape import Array


@dataclass(frozen=True, eq=False)
class Tree:
    """A machine's joints as arrays, so that a pose costs no Python per joint but two small products."""

    parents: tuple[int, ...]
    """For each joint, the place of its parent link; joint j carries link j + 1."""
    driven_by: NDArray[np.int64]
    """For each joint, its variable, of shape (j,)."""
    revolute: NDArray[np.bool_]
    """Whether a joint turns, of shape (j,)."""
    origins_m: Array
    """Places of the joints in their parents [m], of shape (j, 3)."""
    rotations: Array
    """Their rotations at zero, of shape (j, 3, 3)."""
    axes: Array
    """Their axes in their own frames, of shape (j, 3)."""
    first: Array
    """Cross matrices of the turning axes, zero for a shift: the factor of sin q, of shape (j, 3, 3)."""
    second: Array
    """Their squares: the factor of 1 - cos q, of shape (j, 3, 3)."""
    shifts: Array
    """Shift in the parent per unit of a linear joint, zero for a turn, of shape (j, 3)."""
    moves: Array
    """One where joint j moves link i, else zero, of shape (links, j)."""

    @classmethod
    def of(cls, machine: Machine) -> Tree:
        """Gather a machine's joints."""
        joints = [link.joint for link in machine.links[1:] if link.joint is not None]
        axes = np.array([joint.axis for joint in joints])
        revolute = np.array([joint.kind == "revolute" for joint in joints])
        rotations = np.array([joint.origin_rotation for joint in joints])
        first = np.where(revolute[:, None, None], cross_matrices(axes), 0.0)
        return cls(
            parents=tuple(link.parent for link in machine.links[1:]),
            driven_by=machine.driven_by,
            revolute=revolute,
            origins_m=np.array([joint.origin_m for joint in joints]),
            rotations=rotations,
            axes=axes,
            first=first,
            second=first @ first,
            shifts=np.where(revolute[:, None], 0.0, np.einsum("jab,jb->ja", rotations, axes)),
            moves=machine.moves.astype(np.float64),
        )


@dataclass(frozen=True, eq=False)
class TreeFrames:
    """Every link's frame in the root's, for b poses."""

    rotations: Array
    """Of shape (b, links, 3, 3)."""
    places_m: Array
    """Of shape (b, links, 3)."""
    axes: Array
    """The joints' axes, of shape (b, joints, 3)."""
    pivots_m: Array
    """Points the joints turn about [m], of shape (b, joints, 3)."""


def tree_frames(tree: Tree, values: ArrayLike, origins_m: Array | None = None) -> TreeFrames:
    """Return the frames of all links for joint values [rad or m] of shape (b, variables).

    ``origins_m`` (b, joints, 3) replaces the joints' origins, for who fits them.
    """
    q = np.asarray(values, dtype=np.float64)[:, tree.driven_by]
    batch, joints = q.shape
    sine, rest = np.sin(q)[:, :, None, None], (1.0 - np.cos(q))[:, :, None, None]
    turns = tree.rotations @ (np.eye(3) + sine * tree.first + rest * tree.second)
    steps = (tree.origins_m if origins_m is None else origins_m) + q[:, :, None] * tree.shifts
    rotations = np.empty((batch, joints + 1, 3, 3))
    places = np.empty((batch, joints + 1, 3))
    rotations[:, 0], places[:, 0] = np.eye(3), 0.0
    for j, parent in enumerate(tree.parents):
        np.matmul(rotations[:, parent], turns[:, j], out=rotations[:, j + 1])
        places[:, j + 1] = places[:, parent] + (rotations[:, parent] @ steps[:, j, :, None])[..., 0]
    # A turn leaves its own axis as it is: the link's frame carries the joint's axis at any value.
    axes = (rotations[:, 1:] @ tree.axes[:, :, None])[..., 0]
    return TreeFrames(rotations, places, axes, places[:, 1:])


def point_motions(
    tree: Tree, frames: TreeFrames, points_m: Array, links: NDArray[np.int64], variables: Sequence[int]
) -> Array:
    """Return how points move per unit of each of some variables: (b, p, len(variables), 3).

    ``points_m`` (b, p, 3) are points in the root's frame that ride on ``links`` (p,).
    """
    driven = [np.flatnonzero(tree.driven_by == variable) for variable in variables]
    joints = np.concatenate([*driven, np.zeros(0, dtype=np.int64)])
    axes = frames.axes[:, None, joints]
    turning = cross(axes, points_m[:, :, None] - frames.pivots_m[:, None, joints])
    per_joint = np.where(tree.revolute[joints, None], turning, axes) * tree.moves[links][:, joints, None]
    if len(joints) == len(driven):
        return np.asarray(per_joint)
    starts = np.cumsum([0, *map(len, driven[:-1])])
    return np.asarray(np.add.reduceat(per_joint, starts, axis=2))


def origin_motions(machine: Machine, tree: Tree, frames: TreeFrames, link: int) -> Array:
    """Return how a link and all it carries shift per metre of its joint's origin x, y, z: (b, 3, 3).

    Column k is the root-frame direction of the origin's k-th coordinate, the parent's axis.
    """
    return frames.rotations[:, machine.links[link].parent]


def cross(a: Array, b: Array) -> Array:
    """Return a x b over the last axis; several times faster than numpy.cross on small arrays."""
    out = np.empty(np.broadcast_shapes(a.shape, b.shape))
    out[..., 0] = a[..., 1] * b[..., 2] - a[..., 2] * b[..., 1]
    out[..., 1] = a[..., 2] * b[..., 0] - a[..., 0] * b[..., 2]
    out[..., 2] = a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]
    return out


def cross_matrices(vectors: Array) -> Array:
    """Return the matrices K with K x = v x x for vectors (..., 3)."""
    x, y, z = np.moveaxis(vectors, -1, 0)
    zero = np.zeros_like(x)
    rows = [[zero, -z, y], [z, zero, -x], [-y, x, zero]]
    return np.stack([np.stack(row, axis=-1) for row in rows], axis=-2)
