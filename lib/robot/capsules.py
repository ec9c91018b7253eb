"""Where the robot's body is for given joint values: its capsules, in the twin's axes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lib.errors import BadInput
from lib.robot.kinematics import link_frames
from lib.robot.robot import Robot
from lib.robot.shape import Array, Shape

GRIPPER = "gripper"


@dataclass(frozen=True, eq=False)
class Capsules:
    """The capsules of the links that move and of the gripper's body, pose by pose."""

    ends_m: Array
    """Both ends of each capsule's axis [m] in the twin's axes, of shape (n, c, 2, 3)."""
    radii_m: Array
    """Radius of each capsule [m], of shape (c,)."""
    links: tuple[str, ...]
    """Which link each capsule belongs to, "gripper" for the gripper's body."""


def link_capsules(robot: Robot, joints_deg: ArrayLike) -> Capsules:
    """Return the body's capsules for joint values [deg] of shape (n, 6).

    The base is not among them: it does not move. Raises BadInput where the robot's file has no shape.
    """
    shape = shape_of(robot)
    bodies = [(number, body.link, body.ends_m, body.radii_m) for number, body in enumerate(shape.links)]
    if shape.gripper is not None:
        bodies.append((len(shape.links) - 1, GRIPPER, shape.gripper.ends_m, shape.gripper.radii_m))
    rotations, positions_m = link_frames(robot, joints_deg)
    ends = [
        positions_m[:, number, None, None, :]
        + np.einsum("nij,cej->ncei", rotations[:, number], ends_m, optimize=True)
        for number, _, ends_m, _ in bodies
    ]
    return Capsules(
        ends_m=np.concatenate(ends, axis=1) @ robot.twin_axes.T,
        radii_m=np.concatenate([radii_m for _, _, _, radii_m in bodies]),
        links=tuple(link for _, link, _, radii_m in bodies for _ in radii_m),
    )


def shape_of(robot: Robot) -> Shape:
    """Return the robot's shape; raises BadInput where its file has none."""
    if robot.shape is None:
        raise BadInput(
            f'robot "{robot.name}" has no shape: expected mass_kg and capsules on every link of its file'
        )
    return robot.shape
