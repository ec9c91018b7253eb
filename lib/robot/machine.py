"""What homing knows a robot as: a tree of revolute and linear joints that carries markers.

A variable may drive several joints (both fingers of a gripper close by one). Angles are radians and
lengths metres inside; people read and write degrees and millimetres.
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.robot.shape import Array

METHODS = ("pixel_ba", "hybrid", "global_ba", "sequential_fk", "sequential_vector")


@dataclass(frozen=True, eq=False)
class Marker:
    """One square marker in its carrier's frame."""

    id: int
    size_m: float
    """Side of the black square [m], without the white margin."""
    position_m: Array
    """Its centre [m], of shape (3,)."""
    normal: Array
    """Unit vector out of its printed face, of shape (3,)."""
    corners_m: Array | None
    """Corners [m] (4, 3) in the detector's order, clockwise as one looks at it; None: its turn is unknown."""


@dataclass(frozen=True, eq=False)
class TreeJoint:
    """One joint: its frame in the parent link at zero, then a turn about or a shift along ``axis``."""

    kind: str
    """``revolute`` or ``linear``."""
    variable: str
    origin_m: Array
    """Place of the joint in the parent link [m], of shape (3,)."""
    origin_rotation: Array
    """Rotation of the joint's frame in the parent link at zero, of shape (3, 3)."""
    axis: Array
    """Unit axis in the joint's frame, of shape (3,)."""
    limits: tuple[float, float]
    """Lowest and highest value [rad or m]."""


@dataclass(frozen=True, eq=False)
class Link:
    """One rigid part."""

    name: str
    parent: int
    """Place of its parent in ``Machine.links``; -1 for the root."""
    joint: TreeJoint | None
    """What moves it against its parent; None for the root."""
    markers: tuple[Marker, ...]


@dataclass(frozen=True)
class Variable:
    """One joint variable, the name the arm's controller knows."""

    name: str
    kind: str
    """``revolute`` or ``linear``."""
    low: float
    """Lowest value [rad or m]."""
    high: float
    """Highest value [rad or m]."""

    @property
    def unit(self) -> str:
        """The unit people read it in."""
        return "deg" if self.kind == "revolute" else "mm"

    @property
    def shown_per_internal(self) -> float:
        """What turns radians into degrees or metres into millimetres."""
        return math.degrees(1.0) if self.kind == "revolute" else 1000.0


@dataclass(frozen=True, eq=False)
class CameraEntry:
    """One camera as the robot file names it; where it stands is found from the board."""

    name: str
    size_px: tuple[int, int]
    """Width and height of its images [px]."""
    intrinsics_px: Array
    """Focal lengths and principal point fx, fy, cx, cy [px], of shape (4,)."""
    distortion: Array
    """OpenCV's k1, k2, p1, p2, k3, of shape (5,)."""
    source: str | None
    """Where its images come from: a file name pattern in a folder of images."""


@dataclass(frozen=True)
class PoseEstimation:
    """How joint values are found, where the command line does not say."""

    method: str = "pixel_ba"
    normal_weight: float = 100.0
    """How many millimetres a marker's normal off by one (57 degrees) counts as, for the marker methods."""
    huber_delta_mm: float = 8.0
    """Residual [mm] from which on a marker's pull no longer grows."""
    fit_origin_link: str | None = None
    """Link whose joint origin (y and z) is fitted too."""
    per_link_method: dict[str, str] = field(default_factory=dict)
    """Link to ``sequential_vector`` or ``sequential_fk``: how the sequential stage takes that link."""
    finger_block_joints: tuple[str, ...] = ()
    """Variables that are always solved together."""


@dataclass(frozen=True, eq=False)
class Machine:
    """A robot as its file describes it to homing."""

    name: str
    links: tuple[Link, ...]
    """The root first, every parent before its children."""
    dictionary: str
    """OpenCV's name of the markers' dictionary, such as ``DICT_4X4_250``."""
    board: tuple[Marker, ...]
    """Markers that stand still, in the root's frame: they are the world."""
    cameras: tuple[CameraEntry, ...]
    pose_estimation: PoseEstimation
    file: Path
    file_md5: str
    """md5 of the file's bytes: which description a result was computed with."""

    @cached_property
    def variables(self) -> tuple[Variable, ...]:
        """Joint variables from root to tip, each once; shared ones with the limits all their joints allow."""
        found: dict[str, Variable] = {}
        for link in self.links:
            if link.joint is not None:
                name, (low, high) = link.joint.variable, link.joint.limits
                known = found.get(name)
                found[name] = Variable(
                    name,
                    link.joint.kind,
                    low if known is None else max(low, known.low),
                    high if known is None else min(high, known.high),
                )
        return tuple(found.values())

    @cached_property
    def driven_by(self) -> NDArray[np.int64]:
        """Place in ``variables`` of what drives each link but the root, of shape (links - 1,)."""
        names = [variable.name for variable in self.variables]
        return np.array([names.index(link.joint.variable) for link in self.links if link.joint is not None])

    @cached_property
    def moves(self) -> NDArray[np.bool_]:
        """Whether the joint of link j + 1 moves link i, of shape (links, links - 1)."""
        moves = np.zeros((len(self.links), len(self.links) - 1), dtype=bool)
        for i, link in enumerate(self.links):
            if link.parent >= 0:
                moves[i] = moves[link.parent]
                moves[i, i - 1] = True
        return moves

    @cached_property
    def depends(self) -> NDArray[np.bool_]:
        """Whether link i's place depends on variable k, of shape (links, variables)."""
        depends = np.zeros((len(self.links), len(self.variables)), dtype=bool)
        for j, k in enumerate(self.driven_by):
            depends[:, k] |= self.moves[:, j]
        return depends

    @cached_property
    def carrier(self) -> dict[int, int]:
        """Marker id to the place of the link that carries it."""
        return {marker.id: i for i, link in enumerate(self.links) for marker in link.markers}

    @cached_property
    def link_markers(self) -> dict[int, Marker]:
        """Marker id to the link marker."""
        return {marker.id: marker for link in self.links for marker in link.markers}

    def link_index(self, name: str) -> int:
        """Return the place of a link by its name."""
        return next(i for i, link in enumerate(self.links) if link.name == name)
