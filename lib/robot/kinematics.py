"""Where the flange and the tool tip are for given joint values.

A joint turns by Rodrigues' rotation about its axis a: R(q) = A Rz(q) A^T with any rotation A that
takes z to a. The constant A, A^T and the origins melt into one fixed step between two turns about
z, so that a pose costs one sine, one cosine and one small product a joint. Poses are walked in
chunks: memory stays bounded and the arrays stay in the cache.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.robot.robot import Robot
from lib.robot.shape import Array

# About 1 MB of frames a chunk, which stays in the cache: 1.66 million poses take about a second, and
# between 4,096 and 65,536 rows the time is the same within the noise.
CHUNK_ROWS = 8_192


def flange_poses(robot: Robot, joints_deg: ArrayLike) -> tuple[Array, Array]:
    """Return rotations (n, 3, 3) and positions [m] (n, 3) of the flange, in the vendor's frame.

    ``joints_deg`` has shape (n, 6), in the order of the chain.
    """
    joints = _as_rows(joints_deg, len(robot.joints), "joints_deg")
    rotations, positions_m = np.empty((len(joints), 3, 3)), np.empty((len(joints), 3))
    for rows, axes, place in _flange_frames(robot, joints):
        rotations[rows] = axes.transpose(2, 1, 0)
        positions_m[rows] = place.T
    return rotations, positions_m


def link_frames(robot: Robot, joints_deg: ArrayLike) -> tuple[Array, Array]:
    """Return rotations (n, 6, 3, 3) and origins [m] (n, 6, 3) of the links that move, vendor's frame.

    ``joints_deg`` has shape (n, 6); a link's frame is its joint's, turned by the joint's value.
    """
    joints = _as_rows(joints_deg, len(robot.joints), "joints_deg")
    count = len(robot.joints)
    rotations, positions_m = np.empty((len(joints), count, 3, 3)), np.empty((len(joints), count, 3))
    backs = [_without_dust(_z_to(joint.axis).T) for joint in robot.joints]
    for rows, number, axes, place in _turned_frames(robot, joints):
        rotations[rows, number] = _turned_by(axes, backs[number]).transpose(2, 1, 0)
        positions_m[rows, number] = place.T
    return rotations, positions_m


def tip_points(robot: Robot, joints_deg: ArrayLike) -> Array:
    """Return the tool tip [m] (n, 3) in the twin's axes for joint values [deg] of shape (n, 6)."""
    joints = _as_rows(joints_deg, len(robot.joints), "joints_deg")
    points_m = np.empty((len(joints), 3))
    for rows, axes, place in _flange_frames(robot, joints):
        tip = place + sum(axes[k] * robot.tip_m[k] for k in range(3))
        points_m[rows] = (robot.twin_axes @ tip).T
    return points_m


def tips_in_flange(robot: Robot, joints_deg: ArrayLike, points_m: ArrayLike) -> Array:
    """Return the tip vector in the flange [m] (n, 3) that each measured point implies.

    ``points_m`` (n, 3) are tips in the twin's axes measured at ``joints_deg`` (n, 6). For a rigid
    tool and a right chain all rows are one vector: R^T (axes^-1 x - p).
    """
    joints = _as_rows(joints_deg, len(robot.joints), "joints_deg")
    measured = _as_rows(points_m, 3, "points_m")
    if len(measured) != len(joints):
        raise ValueError(f"{len(joints)} poses but {len(measured)} points")
    tips_m = np.empty((len(joints), 3))
    for rows, axes, place in _flange_frames(robot, joints):
        from_flange = (
            robot.twin_axes.T @ measured[rows].T - place
        )  # a signed permutation: its inverse is its .T
        for k in range(3):
            tips_m[rows, k] = (axes[k] * from_flange).sum(axis=0)
    return tips_m


def outside_limits(robot: Robot, joints_deg: ArrayLike) -> NDArray[np.bool_]:
    """Tell for each pose [deg] of (n, 6) whether any joint is outside the robot's limits."""
    joints = _as_rows(joints_deg, len(robot.joints), "joints_deg")
    low, high = robot.limits_deg.T
    return ((joints < low) | (joints > high)).any(axis=1)


def _as_rows(values: ArrayLike, width: int, name: str) -> Array:
    rows = np.asarray(values, dtype=np.float64)
    if rows.ndim != 2 or rows.shape[1] != width:
        raise ValueError(f"{name} has shape {rows.shape}; expected (n, {width})")
    return rows


def _flange_frames(robot: Robot, joints_deg: Array) -> Iterator[tuple[slice, Array, Array]]:
    """Yield, chunk by chunk, the rows, the flange's three axes (3, 3, m) and its place (3, m).

    ``axes[k]`` holds the k-th column of the rotation, coordinates first: every operation below runs
    over contiguous rows of m numbers.
    """
    last = _steps_between_turns(robot)[-1][1]
    for rows, number, axes, place in _turned_frames(robot, joints_deg):
        if number == len(robot.joints) - 1:
            yield rows, _turned_by(axes, last), place


def _turned_frames(robot: Robot, joints_deg: Array) -> Iterator[tuple[slice, int, Array, Array]]:
    """Yield, chunk by chunk and joint by joint, the frame after the joint's turn, z along its axis.

    What is yielded is only good until the next step: the arrays are turned on in place.
    """
    steps = _steps_between_turns(robot)
    for start in range(0, len(joints_deg), CHUNK_ROWS):
        rows = slice(start, min(start + CHUNK_ROWS, len(joints_deg)))
        angles = np.radians(np.ascontiguousarray(joints_deg[rows].T))
        cosines, sines = np.cos(angles), np.sin(angles)
        axes = np.repeat(np.eye(3)[:, :, None], angles.shape[1], axis=2)
        place = np.zeros((3, angles.shape[1]))
        for number, ((offset_m, rotation), c, s) in enumerate(zip(steps[:-1], cosines, sines, strict=True)):
            place += sum(axes[k] * offset_m[k] for k in range(3) if offset_m[k])
            axes = _turned_by(axes, rotation)
            axes[0], axes[1] = axes[0] * c + axes[1] * s, axes[1] * c - axes[0] * s
            yield rows, number, axes, place


def _turned_by(axes: Array, rotation: Array) -> Array:
    # Sums of whole rows instead of a matrix product: the same pose gives the same bits wherever it
    # stands in a chunk, which a blocked product does not promise.
    turned = np.zeros_like(axes)
    for k in range(3):
        for j in range(3):
            if rotation[j, k]:
                turned[k] += axes[j] * rotation[j, k]
    return turned


def _steps_between_turns(robot: Robot) -> list[tuple[Array, Array]]:
    """Return (offset [m], rotation) before each turn about z, and the last rotation after all turns."""
    steps = []
    back = np.eye(3)
    for joint in robot.joints:
        align = _z_to(joint.axis)
        steps.append((back @ joint.origin_m, _without_dust(back @ joint.origin_rotation @ align)))
        back = align.T
    return [*steps, (np.zeros(3), _without_dust(back))]


def _z_to(axis: Array) -> Array:
    """Return a rotation that takes z to the unit vector ``axis``."""
    if np.array_equal(axis, [0.0, 0.0, 1.0]):
        return np.eye(3)
    side = np.cross(np.eye(3)[np.argmin(np.abs(axis))], axis)
    side /= np.linalg.norm(side)
    return np.column_stack([side, np.cross(axis, side), axis])


def _without_dust(rotation: Array) -> Array:
    """Drop the 6e-17 that a right angle leaves in a sine: shorter sums, errors below a double's."""
    return np.where(np.abs(rotation) < 1e-15, 0.0, rotation)
