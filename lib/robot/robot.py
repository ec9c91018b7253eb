"""What a robot is: a chain of joints from the base to the flange, a tool tip, the twin's axes."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

import numpy as np

from lib.robot.shape import Array, Shape


@dataclass(frozen=True, eq=False)
class Joint:
    """One revolute joint: its frame in the parent link at zero, then a turn about ``axis``.

    The origin is URDF's: translate by ``origin_m``, then rotate by roll, pitch, yaw about the fixed
    x, y, z axes, R = Rz(yaw) Ry(pitch) Rx(roll).
    """

    variable: str
    """Name of the joint variable, the scan column it is read from."""
    link: str
    """Link that the joint moves."""
    origin_m: Array
    """Place of the joint in the parent link [m], of shape (3,)."""
    origin_rotation: Array
    """Rotation of the joint's frame in the parent link at zero, of shape (3, 3)."""
    axis: Array
    """Unit axis of the turn in the joint's frame, of shape (3,)."""
    limits_deg: tuple[float, float]
    """Lowest and highest value the joint may take [deg]."""


@dataclass(frozen=True, eq=False)
class Robot:
    """A robot as its file describes it."""

    name: str
    joints: tuple[Joint, ...]
    """Joints from the base to the flange."""
    tip_m: Array
    """Tool tip in the last link's frame [m], of shape (3,)."""
    twin_axes: Array
    """The vendor's axes in the twin's, x_twin = twin_axes @ x_vendor, of shape (3, 3)."""
    file_md5: str
    """md5 of the robot file's bytes: which description a result was computed with."""
    shape: Shape | None = None
    """The body, where the file describes one."""
    file: Path | None = None
    """Where the description was read from."""

    @cached_property
    def limits_deg(self) -> Array:
        """Joint limits, lowest and highest [deg], of shape (6, 2)."""
        return np.array([joint.limits_deg for joint in self.joints])
