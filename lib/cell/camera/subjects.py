"""What there is to film: a model's geoms as solids, with the labels that are glued to them."""

from __future__ import annotations

import mujoco
import numpy as np

from lib.cell.camera.eye import Array
from lib.cell.camera.labels import Prints, block_labels, board_labels, box_labels, link_labels, plates
from lib.cell.camera.plate import Plates
from lib.cell.camera.solid import Colour, Round, Slab, Solid
from lib.cell.thing_markers import BLOCK_COLOURS, BOX_COLOUR
from lib.cell.world import CUP, FINGERS
from lib.robot import GRIPPER, Machine
from lib.settings_cell import Cell as CellSettings

POST = "camera post"
"""How the names of the cameras' posts begin."""

_WHITE, _GREY, _DARK, _RUBBER = (238, 240, 240), (205, 203, 200), (92, 88, 84), (48, 46, 46)
_COLOURS: dict[str, Colour] = {
    "base": _GREY, "link1": _WHITE, "link2": _GREY, "link3": _WHITE, "link4": _DARK, "link5": _WHITE,
    "link6": _DARK, GRIPPER: _DARK, "finger": _RUBBER, "box": BOX_COLOUR, "floor": (120, 120, 116),
    "cup": (86, 160, 232), "support": (150, 190, 150), "stand": (150, 190, 150), "camera": (70, 70, 70),
}  # fmt: skip
_KINDS = mujoco.mjtGeom
_BOX, _CYLINDER = int(_KINDS.mjGEOM_BOX), int(_KINDS.mjGEOM_CYLINDER)
# The table is the backdrop's, the beads in the cup's rim do not show.
_NOT_DRAWN = (int(_KINDS.mjGEOM_PLANE), int(_KINDS.mjGEOM_SPHERE))


class Subjects:
    """The solids of one model; where they are is read anew for each picture."""

    def __init__(self, model: mujoco.MjModel, machine: Machine, settings: CellSettings, axes: Array) -> None:
        prints = Prints(machine.dictionary)
        labels = [
            *link_labels(model, machine, prints),
            *block_labels(model, settings, prints),
            *box_labels(model, settings, axes, prints),
        ]
        self._carriers = np.array([label.body for label in labels], dtype=np.intp)
        self._plates = plates(labels, prints)
        self.board = plates(board_labels(model, machine, prints), prints)
        """The labels on the table, which no thing moves."""
        self.upon = tuple(label.upon for label in labels)
        """For each of the plates the names of the solids that it hides where both are seen."""
        self._geoms = [
            _Geom(model, number) for number in range(model.ngeom) if model.geom_type[number] not in _NOT_DRAWN
        ]

    def solids(self, data: mujoco.MjData) -> list[Solid]:
        """Return everything but the table as it stands now, in the world's axes."""
        return [geom.solid(data) for geom in self._geoms]

    def plates(self, data: mujoco.MjData) -> Plates:
        """Return the labels on the solids as they are now, in the world's axes."""
        turns = data.xmat[self._carriers].reshape(-1, 3, 3)
        return self._plates.on(data.xpos[self._carriers], turns)


class _Geom:
    """One geom's shape and looks."""

    def __init__(self, model: mujoco.MjModel, number: int) -> None:
        self._number = number
        self._name = model.geom(number).name
        self._kind = int(model.geom_type[number])
        self._size_m = model.geom_size[number].copy()
        self._colour = _colour(self._name)

    def solid(self, data: mujoco.MjData) -> Solid:
        place, turn = data.geom_xpos[self._number], data.geom_xmat[self._number].reshape(3, 3)
        if self._kind == _BOX:
            return Slab(self._name, place.copy(), turn.copy(), self._size_m, self._colour)
        radius_m, half_m = float(self._size_m[0]), float(self._size_m[1])
        ends_m = np.stack([place - half_m * turn[:, 2], place + half_m * turn[:, 2]])
        flat, hollow = self._kind == _CYLINDER, self._name == CUP
        return Round(self._name, ends_m, radius_m, self._colour, flat, hollow)


def _colour(name: str) -> Colour:
    if name.startswith("block"):
        return BLOCK_COLOURS[(int(name.removeprefix("block")) - 1) % len(BLOCK_COLOURS)]
    if name.startswith(FINGERS):
        return _COLOURS["finger"]
    if name.startswith("box floor"):
        return _COLOURS["floor"]
    # A robot's link of another name looks like the arm's own.
    return _COLOURS.get(name.split(" ", maxsplit=1)[0], _WHITE)
