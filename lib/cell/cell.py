"""The simulated cell: an arm on position servos among things that are held by friction and fall.

Places and rotations that leave this file are in the twin's axes (x right, y up, z forward), metres;
MuJoCo runs in the vendor's frame.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING

import mujoco
import numpy as np
from numpy.typing import ArrayLike, NDArray

from lib.cell.flaws import Flaws, draw_flaws, stream
from lib.cell.joint_errors import JointErrors
from lib.cell.servos import Servos
from lib.cell.things import Things
from lib.cell.world import BOX, FINGERS, Drawn, build_scene
from lib.errors import BadInput, one_of
from lib.robot import Robot, load_machine, shape_of
from lib.settings_cell import SCENES, CellErrors
from lib.settings_cell import Cell as CellSettings

if TYPE_CHECKING:
    from lib.cell.camera import Film

FloatArray = NDArray[np.float64]

_STEPS_A_TICK = 5
_FINGER_JOINTS = slice(6, 8)


@dataclass(frozen=True, eq=False)
class Pose:
    """Where a thing is and how it is turned."""

    place_m: FloatArray
    """Its place in the twin's axes, of shape (3,)."""
    rotation: FloatArray
    """Its axes as columns, in the twin's axes; the identity as it stands upright, of shape (3, 3)."""


@dataclass(frozen=True)
class Touch:
    """Two things that touch."""

    one: str
    other: str
    force_n: float
    """How hard they press against each other."""


class Cell:
    """A ``Body`` among things, with contact physics; everything random grows from the seed."""

    def __init__(
        self,
        robot: Robot,
        settings: CellSettings,
        seed: int | None = None,
        errors: CellErrors | None = None,
        scene: str | None = None,
        joints_deg: ArrayLike = (0.0,) * 6,
    ) -> None:
        """Build it; the settings' own seed, errors and scene hold where none is given.

        Raises BadInput for a scene that is not known, or a robot whose file has no body or gripper.
        """
        self.robot = robot
        self.settings = settings
        self.seed = settings.seed if seed is None else seed
        self.errors = settings.errors if errors is None else errors
        self.flaws: Flaws = draw_flaws(robot, settings, self.seed, self.errors)
        gripper = shape_of(robot).gripper
        if gripper is None:
            raise BadInput(f'robot "{robot.name}" has no gripper; expected one on its last link')
        self._stroke_m = gripper.stroke_m
        self._opening_m = gripper.stroke_m[1]
        self._resets = 0
        self._build(scene or settings.scene, np.array(joints_deg, dtype=np.float64), powered=True)

    def reset(self, scene: str | None = None) -> None:
        """Put everything where a scene starts, each time a little differently; the arm stays as it is.

        What the gripper held is gone from it. Raises BadInput for a scene that is not known.
        """
        powered = self._servos.powered
        self._build(scene or self.scene, self._servos.encoders_deg(), powered=powered)

    def _build(self, scene: str, motors_deg: FloatArray, powered: bool) -> None:
        if scene not in SCENES:
            raise BadInput(f'scene "{scene}": not known; expected {one_of(SCENES)}')
        drawn = Drawn(self.flaws.shift_m, self.flaws.grip_force_n, self.flaws.block_sizes_m)
        self.scene = scene
        self._model = build_scene(self.robot, self.settings, scene, drawn)
        self._data = mujoco.MjData(self._model)
        random = stream(self.seed, "moves", self._resets)
        errors = JointErrors(self.flaws, self.errors, random, motors_deg)
        self._servos = Servos(self._model, self._data, errors, motors_deg)
        self._servos.set_power(powered)
        self._data.qpos[_FINGER_JOINTS] = self._data.ctrl[_FINGER_JOINTS] = self._opening_m / 2
        self.things = Things(
            self._model, self._data, self.robot, self.settings, stream(self.seed, "things", self._resets)
        )
        self.things.put_all(scene)
        self._resets += 1
        mujoco.mj_forward(self._model, self._data)

    # --- Body ---

    def drive(self, setpoint_deg: ArrayLike, gripper_value: float, duration_s: float) -> None:
        """Let simulated time pass while the servos follow (see ``Body``)."""
        wanted = np.asarray(setpoint_deg, dtype=np.float64)
        tick_s = _STEPS_A_TICK * self._model.opt.timestep
        whole, rest = divmod(round(duration_s / self._model.opt.timestep), _STEPS_A_TICK)
        steps = [_STEPS_A_TICK] * whole + ([rest] if rest else [])
        start = self._servos.motors_deg
        done, total = 0, sum(steps)
        value = min(max(gripper_value, 0.0), 100.0)
        closed_m, open_m = self._stroke_m
        wanted_opening_m = closed_m + (open_m - closed_m) * value / 100.0
        slew_m = (open_m - closed_m) * tick_s / self.settings.grip_travel_s
        for count in steps:
            done += count
            self._servos.follow(start + (wanted - start) * (done / total), count)
            change_m = wanted_opening_m - self._opening_m
            self._opening_m += min(max(change_m, -slew_m), slew_m)
            self._data.ctrl[_FINGER_JOINTS] = self._opening_m / 2
            mujoco.mj_step(self._model, self._data, nstep=count)

    def encoders_deg(self) -> FloatArray:
        """Return what the encoders read [deg], of shape (6,)."""
        exact_deg, step_deg = self._servos.encoders_deg(), self.settings.encoder_step_deg
        return np.round(exact_deg / step_deg) * step_deg if step_deg else exact_deg

    def gripper_value(self) -> float:
        """Return how far the fingers are open, 0 to 100."""
        opening_m = float(self._data.qpos[_FINGER_JOINTS].sum())
        closed_m, open_m = self._stroke_m
        return 100.0 * min(max((opening_m - closed_m) / (open_m - closed_m), 0.0), 1.0)

    def set_power(self, on: bool) -> None:
        """Switch the servos on, holding where the joints are, or off: the arm sinks."""
        self._servos.set_power(on)

    def pose_by_hand(self, joints_deg: ArrayLike) -> None:
        """Move the released arm to where its encoders read ``joints_deg`` and hold it there."""
        self._servos.pose_by_hand(np.asarray(joints_deg, dtype=np.float64))

    # --- what is true, for the emulator's questions, the cameras and the tests ---

    @property
    def time_s(self) -> float:
        """Simulated time since the last reset."""
        return float(self._data.time)

    def joints_deg(self) -> FloatArray:
        """Return the true joint angles [deg], of shape (6,)."""
        return np.degrees(self._data.qpos[:6])

    def tip_pose(self) -> Pose:
        """Return where the tool tip really is, turned as the last link."""
        tip = self._data.site("tip")
        return self._pose(tip.xpos, tip.xmat.reshape(3, 3))

    def pose(self, name: str) -> Pose:
        """Return where "cup", "box" or "block1"... really is; raises BadInput where there is none."""
        if name not in self.things.names:
            raise BadInput(
                f'no "{name}" in the {self.scene} scene; expected {one_of(self.things.names) or "none"}'
            )
        body = self._data.body(name)
        return self._pose(body.xpos, body.xmat.reshape(3, 3))

    def touches(self) -> list[Touch]:
        """Return what touches what, by the names of links, fingers and things."""
        force = np.zeros(6)
        found = []
        for number in range(self._data.ncon):
            contact = self._data.contact[number]
            mujoco.mj_contactForce(self._model, self._data, number, force)
            one, other = (self._named(int(geom)) for geom in contact.geom)
            found.append(Touch(one, other, float(force[0])))
        return found

    def frame(self, camera: str, colour: bool = False) -> NDArray[np.uint8]:
        """Return what a camera of the robot file sees now: (height, width) grey levels.

        In colour (height, width, 3): blue, green, red, as OpenCV has them.
        """
        return self.film.frame(self._model, self._data, camera, colour)

    @cached_property
    def film(self) -> Film:
        """The cell's cameras; raises BadInput where the robot was not read from a file."""
        from lib.cell.camera import Film  # an arm that nobody films does not wait for OpenCV

        if self.robot.file is None:
            raise BadInput(f'robot "{self.robot.name}" has no file; expected one that names its cameras')
        machine = load_machine(self.robot.file)
        return Film(machine, self.settings, self.robot.twin_axes, self.seed, self.errors)

    def held(self) -> str | None:
        """Return the thing that both fingers press on, or None."""
        by_finger = {finger: set[str]() for finger in FINGERS}
        for touch in self.touches():
            for finger, thing in ((touch.one, touch.other), (touch.other, touch.one)):
                if finger in by_finger and thing in self.things.names and touch.force_n > 0.0:
                    by_finger[finger].add(thing)
        both = set.intersection(*by_finger.values())
        return min(both) if both else None

    def _named(self, geom: int) -> str:
        """Return the name of the thing that a geom is a part of, of the link's part, wall or table else."""
        body = self._model.body(self._model.geom_bodyid[geom]).name
        loose = body in self.things.names and body != BOX
        return str(body if loose else self._model.geom(geom).name)

    def _pose(self, place_m: FloatArray, rotation: FloatArray) -> Pose:
        axes = self.robot.twin_axes
        return Pose(axes @ place_m, axes @ rotation @ axes.T)
