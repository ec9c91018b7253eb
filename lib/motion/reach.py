"""Joints for a tip that is to be somewhere else: damped least squares within the joint limits.

Each step solves (J^T J + damping^2 I) dq = J^T e for the error e of place and direction
(Wampler, Manipulator inverse kinematic solutions based on vector formulations and damped
least-squares methods, IEEE Trans. SMC 16(1), 1986); the damping grows while a step does not help.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.motion.grasp import tool_frames
from lib.motion.minimum_jerk import Values
from lib.robot import Robot

# A radian of direction weighs as much as this many metres of place: the length of the tool.
_LEVER_M = 0.1
_STEPS = 200
_LARGEST_STEP_DEG = 10.0
_DIFFERENCE_DEG = 1e-3
_PLACE_TOLERANCE_M = 1e-5
_TURN_TOLERANCE_DEG = 0.01
REACHED_M = 1e-4
REACHED_DEG = 0.1


@dataclass(frozen=True, eq=False)
class Reached:
    """The nearest pose found."""

    joints_deg: Values
    """Joints within their limits [deg], of shape (6,)."""
    place_error_m: float
    """How far the tip is from where it was to be [m]."""
    turn_error_deg: float
    """By how much the tool is turned from how it was to be held [deg]."""

    @property
    def ok(self) -> bool:
        """Whether the pose is there, to a tenth of a millimetre and of a degree."""
        return self.place_error_m <= REACHED_M and self.turn_error_deg <= REACHED_DEG


def reach(robot: Robot, start_deg: Values, tip_m: Values, tool_axes: Values) -> Reached:
    """Find joints near ``start_deg`` (6,) that hold the tool's axes (3, 3) with its tip at ``tip_m`` (3,).

    All in the twin's axes. What is returned is the best pose found, whether it reaches or not.
    """
    low, high = robot.limits_deg.T
    joints = np.clip(np.asarray(start_deg, dtype=np.float64), low, high)
    error, jacobian = _linearised(robot, joints, tip_m, tool_axes)
    damping = 1e-3
    for _ in range(_STEPS):
        if _place_m(error) < _PLACE_TOLERANCE_M and _turn_deg(error) < _TURN_TOLERANCE_DEG:
            break
        normal = jacobian.T @ jacobian + damping**2 * np.eye(len(joints))
        step = np.degrees(np.linalg.solve(normal, jacobian.T @ error))
        step *= min(1.0, _LARGEST_STEP_DEG / max(np.abs(step).max(), 1e-12))
        tried = np.clip(joints + step, low, high)
        next_error, next_jacobian = _linearised(robot, tried, tip_m, tool_axes)
        if np.linalg.norm(next_error) < np.linalg.norm(error):
            joints, error, jacobian = tried, next_error, next_jacobian
            damping = max(damping / 3.0, 1e-6)
        elif damping > 10.0:
            break
        else:
            damping *= 3.0
    return Reached(joints, _place_m(error), _turn_deg(error))


def _linearised(robot: Robot, joints: Values, tip_m: Values, tool_axes: Values) -> tuple[Values, Values]:
    """Return the error (6,), place [m] then turn [rad x lever], and its slope by the joints (6, 6)."""
    nudges = np.vstack([np.zeros(6), _DIFFERENCE_DEG * np.eye(6), -_DIFFERENCE_DEG * np.eye(6)])
    axes, tips_m = tool_frames(robot, joints + nudges)
    error = np.concatenate([tip_m - tips_m[0], _LEVER_M * _turn(axes[0], tool_axes)])
    jacobian = np.empty((6, 6))
    for joint in range(6):
        ahead, behind = 1 + joint, 7 + joint
        jacobian[:3, joint] = tips_m[ahead] - tips_m[behind]
        jacobian[3:, joint] = _LEVER_M * _turn(axes[behind], axes[ahead])
    return error, jacobian / (2.0 * np.radians(_DIFFERENCE_DEG))


def _turn(from_axes: Values, to_axes: Values) -> Values:
    """Return the rotation vector [rad] (3,) that takes one set of axes to the other.

    Near half a turn its length is short of the angle; a smaller step then comes first, no harm.
    """
    turn = to_axes @ from_axes.T
    vector = 0.5 * np.array([turn[2, 1] - turn[1, 2], turn[0, 2] - turn[2, 0], turn[1, 0] - turn[0, 1]])
    sine = float(np.linalg.norm(vector))
    if sine < 1e-9:
        return vector
    return vector * (np.arctan2(sine, 0.5 * (np.trace(turn) - 1.0)) / sine)


def _place_m(error: Values) -> float:
    return float(np.linalg.norm(error[:3]))


def _turn_deg(error: Values) -> float:
    return float(np.degrees(np.linalg.norm(error[3:]) / _LEVER_M))
