"""Measuring the tool tip in the twin as a scan does: joints set, nothing moves, the tip read off."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.cell.world import add_chain
from lib.robot import Robot


class TipProbe:
    """The twin's arm by itself: its chain in MuJoCo, without weight, errors or things."""

    def __init__(self, robot: Robot) -> None:
        spec = mujoco.MjSpec()
        for body in add_chain(spec.worldbody, robot):
            # Never stepped: any mass will do, the compiler only asks that there is one.
            body.mass, body.inertia, body.explicitinertial = 1.0, [1.0, 1.0, 1.0], True
        self._model = spec.compile()
        self._data = mujoco.MjData(self._model)
        self._axes = robot.twin_axes

    def tip_points(self, joints_deg: ArrayLike) -> NDArray[np.float64]:
        """Return the tool tip [m] (n, 3) in the twin's axes for joint values [deg] (n, 6).

        About 4 us a pose; the same pose gives the same bits wherever it stands.
        """
        poses = np.radians(np.asarray(joints_deg, dtype=np.float64))
        tips_m = np.empty((len(poses), 3))
        joints, tip_m = self._data.qpos, self._data.site("tip").xpos
        for row, pose in enumerate(poses):
            joints[:] = pose
            mujoco.mj_kinematics(self._model, self._data)
            tips_m[row] = tip_m
        return tips_m @ self._axes.T
