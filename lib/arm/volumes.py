"""What of the arm must keep out of what: links, gripper and tool, of the table and what stands on it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.cell import Layout
from lib.robot import GRIPPER, Robot, shape_of

Array = NDArray[np.float64]

TOOL = "tool"
# The fingers are 12 mm high and the tip may be 10 mm above the table: their middle counts, a little thick.
TOOL_RADIUS_M = 0.003


@dataclass(frozen=True, eq=False)
class Volumes:
    """The arm's body as capsules in their links' frames, and the boxes of the cell, as arrays."""

    bodies: tuple[str, ...]
    """Whose each capsule is: a link, the gripper, the tool; c of them."""
    joint: NDArray[np.intp]
    """Number of the last joint that moves each capsule, of shape (c,)."""
    ends_m: Array
    """Both ends of each capsule in its link's frame [m], of shape (c, 2, 3)."""
    radii_m: Array
    """Radius of each capsule [m], of shape (c,)."""
    levers_m: Array
    """Never less than the distance of any point of a capsule's middle line from a joint's axis [m], of
    shape (c, 6); zero for the joints behind it."""
    table_margin_m: float
    """How far everything keeps above the table, y = 0 [m]."""
    boxes: tuple[str, ...]
    """Names of the boxes to keep out of; b of them."""
    low_m: Array
    """Their corners of smallest x, y, z in the twin's axes [m], of shape (b, 3)."""
    high_m: Array
    """Their corners of largest x, y, z [m], of shape (b, 3)."""
    apart: NDArray[np.bool_]
    """Whether a capsule must keep out of a box, of shape (c, b)."""


def volumes(robot: Robot, layout: Layout) -> Volumes:
    """Return what must keep out of what; raises BadInput where the robot's file has no shape."""
    shape = shape_of(robot)
    parts = [(body.link, number, body.ends_m, body.radii_m) for number, body in enumerate(shape.links)]
    last = len(shape.links) - 1
    tool_ends_m = np.array([[[0.0, 0.0, 0.0], robot.tip_m]])
    if shape.gripper is not None:
        parts.append((GRIPPER, last, shape.gripper.ends_m, shape.gripper.radii_m))
        reach_m = shape.gripper.finger_span_m[1]
        root = np.array([0.0, 0.0, shape.gripper.finger_span_m[0]])
        fingertip = np.array([robot.tip_m[0], robot.tip_m[1], max(reach_m, robot.tip_m[2])])
        tool_ends_m = np.array([[root, fingertip]])
    parts.append((TOOL, last, tool_ends_m, np.array([TOOL_RADIUS_M])))
    bodies = tuple(name for name, _, _, radii_m in parts for _ in radii_m)
    joint = np.array([number for _, number, _, radii_m in parts for _ in radii_m])
    ends_m = np.concatenate([part for _, _, part, _ in parts])
    boxes = layout.keep_out
    return Volumes(
        bodies=bodies,
        joint=joint,
        ends_m=ends_m,
        radii_m=np.concatenate([radii_m for _, _, _, radii_m in parts]),
        levers_m=_levers(robot, joint, ends_m),
        table_margin_m=layout.table_margin_m,
        boxes=tuple(box.name for box in boxes),
        low_m=np.array([box.low_m for box in boxes]).reshape(-1, 3),
        high_m=np.array([box.high_m for box in boxes]).reshape(-1, 3),
        apart=np.array([[body not in box.spares for box in boxes] for body in bodies]).reshape(
            len(bodies), -1
        ),
    )


def _levers(robot: Robot, joint: NDArray[np.intp], ends_m: Array) -> Array:
    """Bound each capsule's distance from each axis, whatever the joints do.

    From the axis that moves it directly the distance is fixed; from an axis further back it is at most the
    way there along the chain. A distance from a line is convex, so the ends bound the middle.
    """
    levers_m = np.zeros((len(joint), len(robot.joints)))
    for row, (last, ends) in enumerate(zip(joint, ends_m, strict=True)):
        axis = robot.joints[last].axis
        levers_m[row, last] = np.linalg.norm(ends - (ends @ axis)[:, None] * axis, axis=1).max()
        reach_m = float(np.linalg.norm(ends, axis=1).max())
        for number in range(last - 1, -1, -1):
            reach_m += float(np.linalg.norm(robot.joints[number + 1].origin_m))
            levers_m[row, number] = reach_m
    return levers_m
