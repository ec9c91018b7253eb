"""Which things stand in the cell: for a motion study, for a batch, or nothing but the arm."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal, get_args

import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.cell.layout import layout
from lib.cell.world.arm_model import add_arm
from lib.cell.world.gripper_model import add_gripper
from lib.cell.world.things_model import add_block, add_cup, add_place_box, add_standing, add_table
from lib.robot import Robot, shape_of
from lib.settings_cell import Cell as CellSettings

Scene = Literal["motion", "batch", "empty"]
SCENES: tuple[Scene, ...] = get_args(Scene)

# Contacts of 2 ms hold a 20 g block between rubber pads without jitter; the arm's servos are slower.
TIMESTEP_S = 0.002


@dataclass(frozen=True)
class Drawn:
    """What a seed drew and the physics needs when it is built."""

    base_m: NDArray[np.float64]
    """Where the arm's base really is, in the vendor's frame [m], of shape (3,)."""
    grip_force_n: float
    """How hard each finger presses [N]."""
    block_sizes_m: tuple[float, ...]
    """Edge of each block [m]."""


def build_scene(robot: Robot, cell: CellSettings, scene: Scene, drawn: Drawn) -> mujoco.MjModel:
    """Return the compiled scene; raises BadInput where the robot's file has no shape."""
    spec = mujoco.MjSpec()
    spec.modelname = f"{robot.name} {scene}"
    option = spec.option
    option.timestep = TIMESTEP_S
    option.integrator = mujoco.mjtIntegrator.mjINT_IMPLICITFAST
    option.cone = mujoco.mjtCone.mjCONE_ELLIPTIC
    option.impratio = 20.0
    option.noslip_iterations = 10  # without it a held cup creeps by a millimetre a second
    option.enableflags |= mujoco.mjtEnableBit.mjENBL_SLEEP  # what lies still costs nothing until touched
    spec.compiler.degree = False
    add_table(spec, cell)
    flange = add_arm(spec, robot, drawn.base_m)
    gripper = shape_of(robot).gripper
    if gripper is not None:
        add_gripper(spec, flange, gripper, robot.tip_m, drawn.grip_force_n)
    here = layout(cell)
    for post in here.posts:
        add_standing(spec, post, robot.twin_axes)
    if scene == "motion":
        add_standing(spec, here.support, robot.twin_axes)
        add_standing(spec, here.stand, robot.twin_axes)
        add_cup(spec, cell)
    if scene == "batch":
        add_place_box(spec, here, robot.twin_axes)
        for number, size_m in enumerate(drawn.block_sizes_m, 1):
            add_block(spec, f"block{number}", size_m, cell.block_mass_kg * (size_m / cell.block_size_m) ** 3)
    return spec.compile()
