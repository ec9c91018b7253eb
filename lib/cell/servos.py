"""The six servos of the simulated arm: from set points to torques, from joints to encoder readings."""

from __future__ import annotations

import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.cell.flaws import Flaws
from lib.cell.joint_errors import JointErrors
from lib.cell.world import SERVO
from lib.settings_cell import CellErrors

JOINTS = 6
_Joints = NDArray[np.float64]

# Still for this long and then driven again: a new move, which repeats the last one only so well.
_STILL_S = 0.1
# What a released joint still resists with: the gear's friction.
_RELEASED_FRICTION_NM = 0.08
_RELEASED_DAMPING_NMS = 0.4


class Servos:
    """Drives the first six joints of a model; a joint is a motor, its encoder and the errors between."""

    def __init__(
        self,
        model: mujoco.MjModel,
        data: mujoco.MjData,
        flaws: Flaws,
        errors: CellErrors,
        seed: int,
        motors_deg: _Joints,
    ) -> None:
        self._model, self._data = model, data
        self.motors_deg = motors_deg.astype(np.float64)
        """Where the motors are driven [deg], of shape (6,): what the encoders read once arrived."""
        self._errors = JointErrors(flaws, errors, seed, self.motors_deg)
        self._gravity_compensation = model.body_gravcomp.copy()
        self._gains, self._biases = model.actuator_gainprm.copy(), model.actuator_biasprm.copy()
        self._powered, self._by_hand = True, False
        self._still_s = np.inf
        self._largest_weight_nm = self._weight_stretched_out()
        self._apart_deg = np.zeros(JOINTS)
        self._set_joints(self.motors_deg)

    def follow(self, motors_deg: _Joints, steps: int) -> None:
        """Aim the servos so that the motors stand at ``motors_deg`` after ``steps`` steps."""
        if not self._powered:
            return
        duration_s = steps * self._model.opt.timestep
        if self._by_hand:
            motors_deg = self.motors_deg
        moved = bool((motors_deg != self.motors_deg).any())
        if moved and self._still_s >= _STILL_S:
            self._errors.begin_move(self._tip_jacobian())
        self._still_s = 0.0 if moved else self._still_s + duration_s
        before = self.motors_deg + self._apart_deg
        self.motors_deg = motors_deg
        self._apart_deg = self._errors.step(motors_deg, self._weight_share())
        joints_deg = motors_deg + self._apart_deg
        speed_deg_per_s = (joints_deg - before) / duration_s
        # The servo damps the difference of speeds: wanted speed enters as an angle ahead of the wanted one.
        lead_s = SERVO.damping_nms_per_rad / SERVO.stiffness_nm_per_rad
        self._data.ctrl[:JOINTS] = np.radians(joints_deg + lead_s * speed_deg_per_s)

    def encoders_deg(self) -> _Joints:
        """Return what the encoders see [deg], of shape (6,)."""
        return np.degrees(self._data.qpos[:JOINTS]) - self._apart_deg

    def set_power(self, on: bool) -> None:
        """Switch the servos on, holding where the joints are, or off, leaving them to the weight."""
        if on == self._powered and not self._by_hand:
            return
        self._powered, self._by_hand = on, False
        self._drive_torques(on)
        if on:
            self.motors_deg = self.encoders_deg()

    def pose_by_hand(self, motors_deg: _Joints) -> None:
        """Put the released joints where the encoders read this; raises RuntimeError while powered."""
        if self._powered and not self._by_hand:
            raise RuntimeError("the servos hold the arm; expected set_power(False) first")
        self._powered = self._by_hand = True
        self._drive_torques(True)
        self._set_joints(motors_deg)

    def _set_joints(self, motors_deg: _Joints) -> None:
        self.motors_deg = motors_deg.copy()
        for _ in range(3):  # the sag depends on where the joint sags to, ever so little
            self._data.qpos[:JOINTS] = np.radians(motors_deg + self._apart_deg)
            mujoco.mj_forward(self._model, self._data)
            self._apart_deg = self._errors.step(motors_deg, self._weight_share())
        self._data.qpos[:JOINTS] = np.radians(motors_deg + self._apart_deg)
        self._data.qvel[:JOINTS] = 0.0
        self._data.ctrl[:JOINTS] = self._data.qpos[:JOINTS]
        mujoco.mj_forward(self._model, self._data)

    def _drive_torques(self, on: bool) -> None:
        share = 1.0 if on else 0.0
        self._model.actuator_gainprm[:JOINTS] = share * self._gains[:JOINTS]
        self._model.actuator_biasprm[:JOINTS] = share * self._biases[:JOINTS]
        self._model.body_gravcomp[:] = share * self._gravity_compensation
        self._model.dof_frictionloss[:JOINTS] = 0.0 if on else _RELEASED_FRICTION_NM
        self._model.dof_damping[:JOINTS] = 0.0 if on else _RELEASED_DAMPING_NMS

    def _weight_share(self) -> _Joints:
        """Return the weight's torque on each joint as a share of the largest, of shape (6,)."""
        return -self._data.qfrc_gravcomp[:JOINTS] / self._largest_weight_nm

    def _weight_stretched_out(self) -> float:
        scratch = mujoco.MjData(self._model)
        scratch.qpos[:] = self._data.qpos
        scratch.qpos[:JOINTS] = np.radians([0.0, 90.0, -90.0, 0.0, 0.0, 0.0])
        mujoco.mj_forward(self._model, scratch)
        return float(np.abs(scratch.qfrc_gravcomp[:JOINTS]).max())

    def _tip_jacobian(self) -> NDArray[np.float64]:
        jacobian = np.zeros((3, self._model.nv))
        mujoco.mj_jacSite(self._model, self._data, jacobian, None, self._model.site("tip").id)
        return jacobian[:, :JOINTS]
