"""What there is to film: the model's bodies as solids, with the markers that are glued to them."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.cell.camera.plate import Picture, Plate
from lib.cell.camera.solid import Colour, Round, Slab, Solid
from lib.cell.world import FINGERS
from lib.robot import GRIPPER, Machine, Marker
from lib.settings_cell import Cell as CellSettings

Array = NDArray[np.float64]

_PX_PER_MODULE = 16
_INK, _PAPER = 22, 246
# A label's white rim around its marker, in sides of the marker: one module of a 4 x 4 marker.
_RIM = 1.0 / 6.0

_WHITE, _GREY, _DARK, _RUBBER = (238, 240, 240), (205, 203, 200), (92, 88, 84), (48, 46, 46)
_COLOURS: dict[str, Colour] = {
    "base": _GREY, "link1": _WHITE, "link2": _GREY, "link3": _WHITE, "link4": _DARK, "link5": _WHITE,
    "link6": _DARK, GRIPPER: _DARK, "finger": _RUBBER, "box": (148, 92, 44), "floor": (120, 120, 116),
    "cup": (86, 160, 232), "support": (150, 190, 150), "stand": (150, 190, 150), "camera": (70, 70, 70),
}  # fmt: skip
_BLOCKS: tuple[Colour, ...] = ((60, 140, 236), (90, 175, 95), (190, 130, 80), (150, 100, 190), (80, 190, 220))


@dataclass(frozen=True, eq=False)
class _Glued:
    """A plate on a body, in the body's own frame."""

    body: int
    geom: int
    plate: Plate


class Subjects:
    """The solids of one model; where they are is read anew for each picture."""

    def __init__(self, model: mujoco.MjModel, machine: Machine, settings: CellSettings) -> None:
        self._model = model
        self._settings = settings
        self._prints = Prints(machine.dictionary)
        self._geoms = [
            number for number in range(model.ngeom) if model.geom_type[number] != mujoco.mjtGeom.mjGEOM_PLANE
        ]
        self._glued = [*self._on_links(machine), *self._on_blocks(), *self._on_box()]
        self._glued_to = np.array([glued.body for glued in self._glued], dtype=np.intp)
        plates = [glued.plate for glued in self._glued]
        self._glued_frames = np.array([[p.centre_m, p.right, p.up, p.normal] for p in plates]).reshape(
            -1, 4, 3
        )
        self.board = [self._label(marker, np.zeros(3)) for marker in machine.board]
        """The markers on the table, which no thing moves."""

    def solids(self, data: mujoco.MjData) -> list[Solid]:
        """Return everything but the table as it stands now, in the world's axes."""
        found: dict[int, Solid] = {number: self._solid(data, number) for number in self._geoms}
        turns = data.xmat[self._glued_to].reshape(-1, 3, 3)
        frames = self._glued_frames @ turns.transpose(0, 2, 1)  # rows: centre, right, up, normal
        frames[:, 0] += data.xpos[self._glued_to]
        for glued, frame in zip(self._glued, frames, strict=True):
            plate = glued.plate
            centre, right, up, normal = frame
            found[glued.geom].plates.append(
                Plate(centre, right, up, normal, plate.size_m, plate.print, plate.inner_m)
            )
        return list(found.values())

    def _solid(self, data: mujoco.MjData, number: int) -> Solid:
        model = self._model
        name, size = model.geom(number).name, model.geom_size[number]
        place, turn = data.geom_xpos[number], data.geom_xmat[number].reshape(3, 3)
        if model.geom_type[number] == mujoco.mjtGeom.mjGEOM_BOX:
            return Slab(name, place.copy(), turn.copy(), size.copy(), _colour(name))
        radius, half = float(size[0]), float(size[1])
        cup = bool(model.geom_type[number] == mujoco.mjtGeom.mjGEOM_CYLINDER)
        stump = name.startswith("base ")  # a turned foot, flat where the capsule of the physics is round
        ends = place + np.array([[-1.0], [1.0]]) * (half + radius * stump) * turn[:, 2]
        return Round(name, ends, radius, _colour(name), flat=cup or stump, hollow=cup)

    def _on_links(self, machine: Machine) -> list[_Glued]:
        glued = []
        for link in machine.links:
            for marker in link.markers:
                body = self._model.body(link.name).id
                plate = self._label(marker, np.zeros(3))
                glued.append(_Glued(body, self._nearest_geom(body, marker.position_m), plate))
        return glued

    def _on_blocks(self) -> list[_Glued]:
        glued = []
        for number, geom in enumerate(self._named("block")):
            half = self._model.geom_size[geom]
            for face, (normal, up) in enumerate(_FACES):
                marker = self._settings.block_marker_first + 6 * number + face
                plate = self._square(marker, self._settings.block_marker_m, normal * half, normal, up)
                glued.append(_Glued(int(self._model.geom_bodyid[geom]), geom, plate))
        return glued

    def _on_box(self) -> list[_Glued]:
        walls, floors = self._named("box wall"), self._named("box floor")
        glued = []
        number = self._settings.box_marker_first
        for geom in walls:
            centre, half = self._model.geom_pos[geom], self._model.geom_size[geom]
            axis = int(np.argmin(half[:2]))
            normal = np.sign(centre[axis]) * np.eye(3)[axis]
            plate = self._square(
                number, self._settings.box_marker_m, centre + normal * half, normal, np.eye(3)[2]
            )
            glued.append(_Glued(int(self._model.geom_bodyid[geom]), geom, plate))
            number += 1
        for geom in floors:
            centre, half = self._model.geom_pos[geom], self._model.geom_size[geom]
            inset = self._settings.box_floor_marker_m * (0.5 + _RIM) + 0.002
            for side_x, side_y in ((-1, -1), (-1, 1), (1, -1), (1, 1)):
                corner = centre + np.array([side_x, side_y, 1.0]) * (half - [inset, inset, 0.0])
                plate = self._square(
                    number, self._settings.box_floor_marker_m, corner, np.eye(3)[2], np.eye(3)[0]
                )
                glued.append(_Glued(int(self._model.geom_bodyid[geom]), geom, plate))
                number += 1
        return glued

    def _label(self, marker: Marker, shift_m: Array) -> Plate:
        if marker.corners_m is None:
            up = np.cross(marker.normal, np.eye(3)[np.argmin(np.abs(marker.normal))])
            up /= np.linalg.norm(up)
        else:
            up = marker.corners_m[0] - marker.corners_m[3]
            up = up / np.linalg.norm(up)
        return self._square(marker.id, marker.size_m, marker.position_m + shift_m, marker.normal, up)

    def _square(self, marker: int, side_m: float, centre_m: Array, normal: Array, up: Array) -> Plate:
        whole_m = side_m * (1 + 2 * _RIM)
        right = np.cross(up, normal)
        return Plate(centre_m, right, up, normal, (whole_m, whole_m), self._prints.label(marker), side_m)

    def _nearest_geom(self, body: int, place_m: Array) -> int:
        geoms = [number for number in self._geoms if self._model.geom_bodyid[number] == body]
        return min(geoms, key=lambda number: float(np.linalg.norm(self._model.geom_pos[number] - place_m)))

    def _named(self, start: str) -> list[int]:
        return [number for number in self._geoms if self._model.geom(number).name.startswith(start)]


class Prints:
    """Markers of one dictionary, printed on white labels."""

    def __init__(self, dictionary: str) -> None:
        self._dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
        self._labels: dict[int, Picture] = {}

    def label(self, marker: int) -> Picture:
        """Return a marker with its white rim, grey, square."""
        if marker not in self._labels:
            modules = self._dictionary.markerSize + 2
            side = modules * _PX_PER_MODULE
            rim = round(side * _RIM)
            bits = cv2.aruco.generateImageMarker(self._dictionary, marker, side)
            label = np.full((side + 2 * rim, side + 2 * rim), _PAPER, dtype=np.uint8)
            label[rim : rim + side, rim : rim + side] = np.where(bits > 0, _PAPER, _INK)
            self._labels[marker] = label
        return self._labels[marker]


_FACES = tuple(
    (side * np.eye(3)[axis], np.eye(3)[2] if axis < 2 else np.eye(3)[0])
    for axis in range(3)
    for side in (1.0, -1.0)
)


def _colour(name: str) -> Colour:
    if name.startswith("block"):
        return _BLOCKS[(int(name.removeprefix("block")) - 1) % len(_BLOCKS)]
    if name.startswith(FINGERS):
        return _COLOURS["finger"]
    if name.startswith("box floor"):
        return _COLOURS["floor"]
    return _COLOURS[name.split(" ", maxsplit=1)[0]]
