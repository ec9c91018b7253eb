"""The labels with markers that are glued to links, blocks and box, and lie on the table as the board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import mujoco
import numpy as np

from lib.cell.camera.eye import Array
from lib.cell.camera.plate import Picture, Plates
from lib.cell.thing_markers import ThingMarker, block_markers, box_markers
from lib.robot import Machine, Marker
from lib.settings_cell import Cell as CellSettings

_PX_PER_MODULE = 16
_INK, _PAPER = 22, 246
# Ink bleeds; and an edge that lies along the pixels is then still placed between them.
_BLEED_PX = 1.0
_TOUCHING_M = 1e-6


@dataclass(frozen=True, eq=False)
class Label:
    """One label in the frame of the body that carries it."""

    body: int
    upon: tuple[str, ...]
    """The body's geoms that lie behind its plane: seen from its printed side, it hides them."""
    frame: Array
    """Middle [m], unit vectors to the right, up and out of the print, of shape (4, 3)."""
    marker_m: float
    """Side of the marker."""
    print: Picture


def link_labels(model: mujoco.MjModel, machine: Machine, prints: Prints) -> list[Label]:
    """Return the labels on the arm's links."""
    return [
        _of_marker(model, model.body(link.name).id, marker, prints)
        for link in machine.links
        for marker in link.markers
    ]


def board_labels(model: mujoco.MjModel, machine: Machine, prints: Prints) -> list[Label]:
    """Return the labels on the table."""
    return [_of_marker(model, 0, marker, prints) for marker in machine.board]


def block_labels(model: mujoco.MjModel, settings: CellSettings, prints: Prints) -> list[Label]:
    """Return six labels a block."""
    return [
        _of_thing(model, int(model.geom_bodyid[geom]), marker, prints)
        for number, geom in enumerate(_geoms(model, "block"), 1)
        for marker in block_markers(settings, number, 2 * float(model.geom_size[geom][0]))
    ]


def box_labels(model: mujoco.MjModel, settings: CellSettings, axes: Array, prints: Prints) -> list[Label]:
    """Return a label outside on each wall, then one in each corner of the floor."""
    walls = _geoms(model, "box wall")
    if not walls:
        return []
    body = int(model.geom_bodyid[walls[0]])
    return [
        _of_thing(model, body, marker, prints) for marker in box_markers(settings, axes, prints.dictionary)
    ]


def plates(labels: Sequence[Label], prints: Prints) -> Plates:
    """Return the labels as plates in their bodies' frames."""
    sides_m = np.array([label.marker_m for label in labels])
    shares = np.array([len(label.print) / prints.marker_px for label in labels])
    frames = np.array([label.frame for label in labels]).reshape(-1, 4, 3)
    return Plates(frames, sides_m * shares, sides_m, tuple(label.print for label in labels))


class Prints:
    """Markers of one dictionary, printed on white labels."""

    def __init__(self, dictionary: str) -> None:
        self.dictionary = dictionary
        self._dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
        self.marker_px = (self._dictionary.markerSize + 2) * _PX_PER_MODULE
        """Side of a printed marker; its label's white rim is one module wide."""
        self._labels: dict[int, Picture] = {}

    def label(self, marker: int) -> Picture:
        """Return a marker with its white rim, grey, square."""
        if marker not in self._labels:
            rim, side = _PX_PER_MODULE, self.marker_px
            bits = cv2.aruco.generateImageMarker(self._dictionary, marker, side)
            label = np.full((side + 2 * rim, side + 2 * rim), _PAPER, dtype=np.uint8)
            label[rim : rim + side, rim : rim + side] = np.where(bits > 0, _PAPER, _INK)
            self._labels[marker] = np.asarray(cv2.GaussianBlur(label, (0, 0), _BLEED_PX), dtype=np.uint8)
        return self._labels[marker]


def _of_marker(model: mujoco.MjModel, body: int, marker: Marker, prints: Prints) -> Label:
    if marker.corners_m is not None:
        up = marker.corners_m[0] - marker.corners_m[3]
    else:  # its turn is unknown: any will do
        up = np.cross(marker.normal, np.eye(3)[np.argmin(np.abs(marker.normal))])
    up = up / np.linalg.norm(up)
    return _label(model, body, marker.position_m, marker.normal, up, marker.size_m, prints, marker.id)


def _of_thing(model: mujoco.MjModel, body: int, marker: ThingMarker, prints: Prints) -> Label:
    return _label(model, body, marker.middle_m, marker.normal, marker.up, marker.side_m, prints, marker.id)


def _label(
    model: mujoco.MjModel,
    body: int,
    place_m: Array,
    normal: Array,
    up: Array,
    side_m: float,
    prints: Prints,
    marker: int,
) -> Label:
    frame = np.stack([place_m, np.cross(up, normal), up, normal])
    level_m = float(normal @ place_m)
    behind = [
        model.geom(geom).name
        for geom in np.flatnonzero(model.geom_bodyid == body).tolist()
        if _reach_m(model, geom, normal) <= level_m + _TOUCHING_M
    ]
    return Label(body, tuple(behind), frame, side_m, prints.label(marker))


def _reach_m(model: mujoco.MjModel, geom: int, normal: Array) -> float:
    """Return how far a geom reaches along a direction of its body's frame [m]."""
    middle = float(normal @ model.geom_pos[geom])
    turn = np.empty(9)
    mujoco.mju_quat2Mat(turn, model.geom_quat[geom])
    own = np.abs(normal @ turn.reshape(3, 3))
    radius_m, half_m = float(model.geom_size[geom][0]), float(model.geom_size[geom][1])
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_BOX:
        return middle + float(own @ model.geom_size[geom])
    if model.geom_type[geom] == mujoco.mjtGeom.mjGEOM_CAPSULE:
        return middle + radius_m + half_m * float(own[2])
    return middle + radius_m * float(np.hypot(own[0], own[1])) + half_m * float(own[2])


def _geoms(model: mujoco.MjModel, start: str) -> list[int]:
    return [number for number in range(model.ngeom) if model.geom(number).name.startswith(start)]
