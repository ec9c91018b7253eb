"""The arm in MuJoCo: the robot file's chain as bodies, its capsules as geoms, a servo on every joint."""

from __future__ import annotations

import math
from dataclasses import dataclass

import mujoco
import numpy as np
from numpy.typing import NDArray

from lib.robot import LinkShape, Robot, shape_of

# Contact bits: the arm touches things, never itself - its wrist capsules overlap by design.
ARM_BIT, THING_BIT = 1, 2

# Servos as stiff as a geared hobby arm's: about 10 Hz closed loop, damped without overshoot. The
# armature is the rotor's inertia seen through the gear, more than the links' own at the wrist.
_STIFFNESS_NM_PER_RAD = (400.0, 400.0, 300.0, 120.0, 120.0, 80.0)
_DAMPING_NMS_PER_RAD = (9.0, 9.0, 7.0, 2.6, 2.6, 1.8)
_ARMATURE_KGM2 = (0.030, 0.030, 0.025, 0.012, 0.012, 0.009)
_TORQUE_NM = (12.0, 12.0, 8.0, 4.0, 4.0, 3.0)


@dataclass(frozen=True)
class Servo:
    """What a joint's servo does: torque = stiffness (wanted - is) + damping (wanted - is)', limited."""

    stiffness_nm_per_rad: NDArray[np.float64]
    damping_nms_per_rad: NDArray[np.float64]


SERVO = Servo(np.array(_STIFFNESS_NM_PER_RAD), np.array(_DAMPING_NMS_PER_RAD))


def add_arm(spec: mujoco.MjSpec, robot: Robot, base_m: NDArray[np.float64]) -> mujoco.MjsBody:
    """Add the arm with its base at ``base_m`` [m] (3,) in the vendor's frame; return the last link.

    The tool tip is the site "tip". Raises BadInput where the robot's file has no shape.
    """
    shape = shape_of(robot)
    base = spec.worldbody.add_body(name=shape.base.link, pos=base_m)
    _add_capsules(base, shape.base)
    bodies = add_chain(base, robot)
    for number, (joint, body, link) in enumerate(zip(robot.joints, bodies, shape.links, strict=True)):
        _add_capsules(body, link)
        body.gravcomp = 1.0
        body.joints[0].armature = _ARMATURE_KGM2[number]
        servo = spec.add_actuator(
            name=joint.variable, target=joint.variable, trntype=mujoco.mjtTrn.mjTRN_JOINT
        )
        servo.set_to_position(kp=_STIFFNESS_NM_PER_RAD[number], kv=_DAMPING_NMS_PER_RAD[number])
        servo.forcelimited = True
        servo.forcerange = [-_TORQUE_NM[number], _TORQUE_NM[number]]
    return bodies[-1]


def add_chain(base: mujoco.MjsBody, robot: Robot) -> list[mujoco.MjsBody]:
    """Add the links that move as bodies without substance, the tool tip as the site "tip" on the last."""
    bodies = [base]
    for joint in robot.joints:
        body = bodies[-1].add_body(
            name=joint.link, pos=joint.origin_m, quat=_quaternion(joint.origin_rotation)
        )
        body.add_joint(name=joint.variable, type=mujoco.mjtJoint.mjJNT_HINGE, axis=joint.axis, limited=False)
        bodies.append(body)
    bodies[-1].add_site(name="tip", pos=robot.tip_m)
    return bodies[1:]


def add_capsules(
    body: mujoco.MjsBody, name: str, ends_m: NDArray[np.float64], radii_m: NDArray[np.float64], mass_kg: float
) -> None:
    """Add capsules (c, 2, 3) [m] to a body; the mass is shared by volume."""
    lengths_m = np.linalg.norm(ends_m[:, 1] - ends_m[:, 0], axis=1)
    volumes = math.pi * radii_m**2 * (lengths_m + radii_m * 4 / 3)
    for number, share in enumerate(volumes / volumes.sum()):
        body.add_geom(
            name=f"{name} {number + 1}",
            type=mujoco.mjtGeom.mjGEOM_CAPSULE,
            fromto=ends_m[number].ravel(),
            size=[radii_m[number], 0.0, 0.0],
            mass=mass_kg * share,
            contype=ARM_BIT,
            conaffinity=THING_BIT,
        )


def _add_capsules(body: mujoco.MjsBody, link: LinkShape) -> None:
    add_capsules(body, link.link, link.ends_m, link.radii_m, link.mass_kg)


def _quaternion(rotation: NDArray[np.float64]) -> NDArray[np.float64]:
    quaternion = np.empty(4)
    mujoco.mju_mat2Quat(quaternion, rotation.ravel())
    return quaternion
