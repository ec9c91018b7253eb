"""Table, box, support, stand, posts, blocks and cup in MuJoCo: boxes and one round cup."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.cell.layout import Box, Layout
from lib.cell.world.arm_model import THING_BIT
from lib.settings_cell import Cell as CellSettings

EVERYTHING = 3
TABLE = "table"
CUP = "cup"

_HARD = [0.006, 1.0]
_PADDED = [0.02, 1.5]  # slow and overdamped: a block that is dropped on it stays where it lands
_WOOD_FRICTION = (0.6, 0.003, 0.0001)
_FELT_FRICTION = (0.9, 0.005, 0.0001)


def add_table(spec: mujoco.MjSpec, cell: CellSettings) -> None:
    """Add the table top, the plane z = 0 of the vendor's frame."""
    spec.worldbody.add_geom(
        name=TABLE,
        type=mujoco.mjtGeom.mjGEOM_PLANE,
        size=[cell.table_outer_m[1] / 2, cell.table_outer_m[0] / 2, 0.01],
        friction=_WOOD_FRICTION,
        solref=_HARD,
        contype=THING_BIT,
        conaffinity=EVERYTHING,
    )


def add_standing(spec: mujoco.MjSpec, box: Box, axes: NDArray[np.float64]) -> None:
    """Add a box of the layout, fixed to the table."""
    centre_m, half_m = _to_vendor(box, axes)
    spec.worldbody.add_geom(
        name=box.name,
        type=mujoco.mjtGeom.mjGEOM_BOX,
        pos=centre_m,
        size=half_m,
        friction=_WOOD_FRICTION,
        solref=_HARD,
        contype=THING_BIT,
        conaffinity=EVERYTHING,
    )


def add_place_box(spec: mujoco.MjSpec, drawn: Layout, axes: NDArray[np.float64]) -> None:
    """Add the PLACE box as a body of its own, fixed where it stands: a person may have moved it."""
    middle_m, _ = _to_vendor(drawn.floor, axes)
    middle_m[2] = 0.0
    body = spec.worldbody.add_body(name="box", pos=middle_m)
    for part in (*drawn.walls, drawn.floor):
        centre_m, half_m = _to_vendor(part, axes)
        padded = part is drawn.floor
        body.add_geom(
            name=part.name,
            type=mujoco.mjtGeom.mjGEOM_BOX,
            pos=centre_m - middle_m,
            size=half_m,
            friction=_FELT_FRICTION if padded else _WOOD_FRICTION,
            priority=2 if padded else 0,
            solref=_PADDED if padded else _HARD,
            contype=THING_BIT,
            conaffinity=EVERYTHING,
        )


def add_block(spec: mujoco.MjSpec, name: str, size_m: float, mass_kg: float) -> None:
    """Add one cube that lies free."""
    body = spec.worldbody.add_body(name=name, pos=[0.0, 0.0, size_m / 2])
    body.add_freejoint(name=name)
    body.add_geom(
        name=name,
        type=mujoco.mjtGeom.mjGEOM_BOX,
        size=[size_m / 2] * 3,
        mass=mass_kg,
        friction=_WOOD_FRICTION,
        solref=_HARD,
        contype=THING_BIT,
        conaffinity=EVERYTHING,
    )


def add_cup(spec: mujoco.MjSpec, cell: CellSettings) -> None:
    """Add the cup, a cylinder whose frame is in the middle of its bottom."""
    body = spec.worldbody.add_body(name=CUP, pos=[0.0, 0.0, 0.0])
    body.add_freejoint(name=CUP)
    body.add_geom(
        name=CUP,
        type=mujoco.mjtGeom.mjGEOM_CYLINDER,
        pos=[0.0, 0.0, cell.cup_height_m / 2],
        size=[cell.cup_radius_m, cell.cup_height_m / 2, 0.0],
        mass=cell.cup_mass_kg,
        friction=_WOOD_FRICTION,
        solref=_HARD,
        contype=THING_BIT,
        conaffinity=EVERYTHING,
    )


def _to_vendor(box: Box, axes: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Return centre and half size [m] of a box in the vendor's frame."""
    low_m, high_m = np.array(box.low_m), np.array(box.high_m)
    return axes.T @ (low_m + high_m) / 2, np.abs(axes.T @ (high_m - low_m)) / 2
