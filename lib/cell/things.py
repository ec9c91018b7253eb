"""The things of the cell: where they start, and putting them somewhere."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.cell.world import BOX, CUP
from lib.errors import BadInput, one_of
from lib.robot import Robot
from lib.settings_cell import Cell as CellSettings

_TRIES = 10_000


class Things:
    """What stands and lies in one scene, by name: "cup", "box", "block1"..."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        robot: Robot,
        settings: CellSettings,
        random: np.random.Generator,
    ) -> None:
        self._model, self._data = model, data
        self._axes = robot.twin_axes
        self._settings = settings
        self._random = random
        bodies = [model.body(number).name for number in range(model.nbody)]
        self.names = tuple(name for name in bodies if name in (CUP, BOX) or name.startswith("block"))

    def put_all(self, scene: str) -> None:
        """Put everything where the scene starts: the cup on its support, the blocks in the PICK area."""
        if scene == "motion":
            x, z = self._settings.support_centre_m
            self.put_cup(x, self._settings.support_height_m, z)
        if scene == "batch":
            names = [name for name in self.names if name.startswith("block")]
            for name, (x, z) in zip(names, self._spots(len(names)), strict=True):
                turn = self._settings.block_turn_deg * self._random.standard_normal()
                self.put_block(name, x, z, np.degrees(np.arctan2(x, z)) + turn)

    def put_block(
        self, name: str, x_m: float, z_m: float, turn_deg: float = 0.0, height_m: float = 0.0
    ) -> None:
        """Lay a block down with its middle over (x, z), turned about y; ``height_m`` is its bottom's."""
        size_m = 2 * float(self._model.geom(self._known(name, "block")).size[0])
        self._put(name, (x_m, height_m + size_m / 2, z_m), turn_deg)

    def put_cup(self, x_m: float, y_m: float, z_m: float) -> None:
        """Stand the cup upright, the middle of its bottom at (x, y, z)."""
        self._put(self._known(CUP, CUP), (x_m, y_m, z_m), 0.0)

    def put_box(self, x_m: float, z_m: float, turn_deg: float = 0.0) -> None:
        """Stand the PLACE box somewhere else, turned about y."""
        number = int(self._model.body(self._known(BOX, BOX)).mocapid[0])
        self._data.mocap_pos[number] = self._axes.T @ [x_m, 0.0, z_m]
        self._data.mocap_quat[number] = self._turned(turn_deg)
        mujoco.mj_forward(self._model, self._data)

    def _known(self, name: str, kind: str) -> str:
        known = [there for there in self.names if there.startswith(kind)]
        if name not in known:
            raise BadInput(f'no "{name}" in this scene; expected {one_of(known) or f"a scene with a {kind}"}')
        return name

    def _put(self, name: str, place_m: tuple[float, float, float], turn_deg: float) -> None:
        joint = self._data.joint(name)
        joint.qpos[:3] = self._axes.T @ place_m
        joint.qpos[3:] = self._turned(turn_deg)
        joint.qvel[:] = 0.0
        mujoco.mj_forward(self._model, self._data)

    def _turned(self, turn_deg: float) -> NDArray[np.float64]:
        """Return the quaternion of a turn about the twin's y, from z towards x."""
        # The twin's axes are left-handed: from z to x is from the vendor's x to -y.
        half = np.radians(-turn_deg) / 2
        return np.array([np.cos(half), 0.0, 0.0, np.sin(half)])

    def _spots(self, count: int) -> list[tuple[float, float]]:
        """Return places in the PICK area that leave room for the open fingers between blocks."""
        low, high = np.transpose([self._settings.pick_area_x_m, self._settings.pick_area_z_m])
        spots: list[NDArray[np.float64]] = []
        for _ in range(_TRIES):
            if len(spots) == count:
                break
            spot = self._random.uniform(low, high)
            if all(np.linalg.norm(spot - other) >= self._settings.block_gap_m for other in spots):
                spots.append(spot)
        else:
            raise BadInput(
                f"cell.blocks = {count}: no room in the PICK area for as many blocks "
                f"{self._settings.block_gap_m:g} m apart; expected fewer or a smaller cell.block_gap_m"
            )
        return [(float(x), float(z)) for x, z in spots]
