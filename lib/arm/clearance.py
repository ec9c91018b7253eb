"""How far the arm's body is from the table and the boxes of the cell at given joint values."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.arm.volumes import Array, Volumes
from lib.robot import Robot, link_frames

# Farther apart than this, a bound by the capsule's middle will do in place of the exact distance.
NEAR_M = 0.02
CHUNK_ROWS = 4096


def body_ends(robot: Robot, volumes: Volumes, joints_deg: Array) -> Array:
    """Return both ends of every capsule [m] in the twin's axes, of shape (n, c, 2, 3)."""
    rotations, positions_m = link_frames(robot, joints_deg)
    turned = np.einsum("ncij,cej->ncei", rotations[:, volumes.joint], volumes.ends_m, optimize=True)
    return (positions_m[:, volumes.joint, None, :] + turned) @ robot.twin_axes.T


def clearances(robot: Robot, volumes: Volumes, joints_deg: Array) -> tuple[Array, Array]:
    """Return the clearance of each capsule from the table (n, c) and from each box (n, c, b) [m].

    From the table it is what is left beyond the margin. Never more than the true one; exact where it is
    below ``NEAR_M``; infinite where a capsule may be in a box.
    """
    table_m = np.empty((len(joints_deg), len(volumes.bodies)))
    boxes_m = np.empty((len(joints_deg), len(volumes.bodies), len(volumes.boxes)))
    for start in range(0, len(joints_deg), CHUNK_ROWS):
        rows = slice(start, start + CHUNK_ROWS)
        ends_m = body_ends(robot, volumes, joints_deg[rows])
        table_m[rows] = ends_m[..., 1].min(axis=-1) - volumes.radii_m - volumes.table_margin_m
        boxes_m[rows] = _from_boxes(volumes, ends_m)
    return table_m, boxes_m


def _from_boxes(volumes: Volumes, ends_m: Array) -> Array:
    middle = ends_m.mean(axis=2)[:, :, None, :]
    half_length_m = np.linalg.norm(ends_m[:, :, 1] - ends_m[:, :, 0], axis=-1) / 2.0
    outside = np.maximum(np.maximum(volumes.low_m - middle, middle - volumes.high_m), 0.0)
    reach_m = (half_length_m + volumes.radii_m)[:, :, None]
    bound_m = np.where(volumes.apart, np.linalg.norm(outside, axis=-1) - reach_m, np.inf)
    pose, body, box = np.nonzero(bound_m < NEAR_M)
    if len(pose):
        exact_m = segment_box_distances(ends_m[pose, body], volumes.low_m[box], volumes.high_m[box])
        bound_m[pose, body, box] = exact_m - volumes.radii_m[body]
    return bound_m


def segment_box_distances(ends_m: Array, low_m: Array, high_m: Array) -> Array:
    """Return the distance [m] (k,) of k segments (k, 2, 3) from k boxes, corners (k, 3) each.

    It is 0 where they meet. Along a segment the squared distance from a box is convex and piecewise
    quadratic, with a knee where the segment crosses one of the box's six planes; its slope at the knees
    brackets the minimum, and between two knees the slope is a straight line.
    """
    start, way = ends_m[:, 0], ends_m[:, 1] - ends_m[:, 0]
    with np.errstate(divide="ignore", invalid="ignore"):
        crossings = np.concatenate([(low_m - start) / way, (high_m - start) / way], axis=1)
    knees = np.concatenate(
        [np.zeros((len(way), 1)), np.clip(np.nan_to_num(crossings), 0.0, 1.0), np.ones((len(way), 1))], axis=1
    )
    knees.sort(axis=1)
    points = start[:, None, :] + knees[:, :, None] * way[:, None, :]
    outside = points - np.clip(points, low_m[:, None, :], high_m[:, None, :])
    slopes = (outside * way[:, None, :]).sum(axis=-1)
    before = np.clip((slopes <= 0.0).sum(axis=1) - 1, 0, knees.shape[1] - 2)
    row = np.arange(len(way))
    rise = slopes[row, before + 1] - slopes[row, before]
    share = np.clip(np.divide(-slopes[row, before], rise, out=np.zeros(len(way)), where=rise > 0.0), 0.0, 1.0)
    best = knees[row, before] + share * (knees[row, before + 1] - knees[row, before])
    nearest = start + best[:, None] * way
    distances_m = np.linalg.norm(nearest - np.clip(nearest, low_m, high_m), axis=1)
    return np.asarray(distances_m, dtype=np.float64)


def least(table_m: Array, boxes_m: Array) -> tuple[Array, NDArray[np.intp]]:
    """Return each pose's smallest clearance [m] (n,), and which one it is: an index for ``named``."""
    everything = np.concatenate([table_m, boxes_m.reshape(len(table_m), -1)], axis=1)
    which = everything.argmin(axis=1)
    return everything[np.arange(len(everything)), which], which


def named(volumes: Volumes, which: int) -> tuple[str, str]:
    """Return the body and the obstacle of an index that ``least`` returned."""
    if which < len(volumes.bodies):
        return volumes.bodies[which], "table"
    body, box = divmod(which - len(volumes.bodies), len(volumes.boxes))
    return volumes.bodies[body], volumes.boxes[box]
