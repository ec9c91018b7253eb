"""The gripper in MuJoCo: a flat body and two coupled fingers that hold by friction alone."""

from __future__ import annotations

import mujoco
import numpy as np

from lib.cell.world.arm_model import ARM_BIT, THING_BIT, add_capsules
from lib.robot import GRIPPER, Gripper

FINGERS = ("finger left", "finger right")

# Rubber: holds a cup across whose axis the fingers are tilted by tangential force, and resists
# turning about the line between the fingers as a patch of a few millimetres does.
_RUBBER_FRICTION = (1.3, 0.006, 0.0001)
_STIFFNESS_N_PER_M = 4_000.0
_DAMPING_NS_PER_M = 80.0
_ARMATURE_KG = 0.15


def add_gripper(
    spec: mujoco.MjSpec, flange: mujoco.MjsBody, gripper: Gripper, tip_m: np.ndarray, force_n: float
) -> None:
    """Add the gripper to the last link; each finger presses ``force_n`` at most.

    The fingers are round rods along z. They meet at the tool tip.
    """
    add_capsules(flange, GRIPPER, gripper.ends_m, gripper.radii_m, gripper.mass_kg)
    across = gripper.across
    turn = np.column_stack([across, np.cross([0.0, 0.0, 1.0], across), [0.0, 0.0, 1.0]])
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, turn.ravel())
    start_m, end_m = gripper.finger_span_m
    middle_m = np.array([tip_m[0], tip_m[1], (start_m + end_m) / 2])
    radius_m = gripper.finger_radius_m
    closed_m, open_m = (stroke_m / 2 for stroke_m in gripper.stroke_m)
    for name, side in zip(FINGERS, (-1.0, 1.0), strict=True):
        finger = flange.add_body(name=name, pos=middle_m, quat=quaternion, gravcomp=1.0)
        finger.add_geom(
            name=name,
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            pos=[side * radius_m, 0.0, 0.0],
            size=[radius_m, (end_m - start_m) / 2 - radius_m, 0.0],
            mass=gripper.finger_mass_kg,
            friction=_RUBBER_FRICTION,
            condim=4,
            priority=1,
            solref=[0.006, 1.0],
            contype=ARM_BIT,
            conaffinity=THING_BIT,
        )
        finger.add_joint(
            name=name,
            type=mujoco.mjtJoint.mjJNT_SLIDE,
            axis=[side, 0.0, 0.0],
            range=[closed_m, open_m],
            limited=True,
            armature=_ARMATURE_KG,
        )
        servo = spec.add_actuator(name=name, target=name, trntype=mujoco.mjtTrn.mjTRN_JOINT)
        servo.set_to_position(kp=_STIFFNESS_N_PER_M, kv=_DAMPING_NS_PER_M)
        servo.forcelimited = True
        servo.forcerange = [-force_n, force_n]
    spec.add_equality(
        name="fingers",
        type=mujoco.mjtEq.mjEQ_JOINT,
        objtype=mujoco.mjtObj.mjOBJ_JOINT,
        name1=FINGERS[0],
        name2=FINGERS[1],
        data=[0.0, 1.0, *[0.0] * 10],
        solref=[0.004, 1.0],
    )
