"""One plan played in the simulated cell, frame by frame, with physics."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import numpy as np

from lib.cell import Cell, Layout, layout
from lib.motion.frame_log import FrameLog
from lib.motion.grasp import yaw_deg
from lib.motion.minimum_jerk import FRAMES_PER_S, Values
from lib.motion.plan import Phase, Plan
from lib.motion.states import Event, Run, State, Transition
from lib.robot import Robot, shape_of
from lib.settings_cell import Cell as CellSettings
from lib.settings_cell import CellErrors

UPRIGHT_DEG = 5.0
ON_TOP_M = 0.003

# Fingers that still close this much (0 to 100) in the last five frames have met nothing yet.
_STILL_CLOSING = 2.0
_LOOK_BACK_FRAMES = 6


@dataclass(frozen=True)
class Placed:
    """Where the cup was when the run ended."""

    ok: bool
    """Whether it stands on the stand, upright."""
    says: str
    distance_m: float
    """From the stand's middle, over the table [m]."""
    height_m: float
    """Of its foot above the stand's top [m]."""
    tilt_deg: float


@dataclass(frozen=True, eq=False)
class Playback:
    """One run as it went."""

    log: FrameLog
    cup_up: Values
    """The direction of the cup's axis at each frame, in the twin's axes, of shape (n, 3)."""
    gripper_value: Values
    """How far the fingers were open at each frame, 0 to 100, of shape (n,)."""
    transitions: tuple[Transition, ...]
    state: State
    """COMPLETE, or ABORTED."""
    placed: Placed

    @property
    def reason(self) -> str:
        """Why the run ended as it did."""
        return self.transitions[-1].reason


def study_errors(errors: CellErrors) -> CellErrors:
    """Return the cell's errors that a study of motions has: what homing takes away is left out.

    Joint offsets and the shift between twin and arm would judge the calibration, not the motion.
    """
    return replace(errors, joint_offset_deg=0.0, twin_shift_m=(0.0, 0.0))


def play(
    plan: Plan,
    robot: Robot,
    cell: CellSettings,
    seed: int,
    record: Callable[[Transition], None] = lambda transition: None,
    stop: Callable[[], bool] = lambda: False,
) -> Playback:
    """Play a plan in a cell of its own; ``record`` is told of every transition, ``stop`` ends it early.

    The same plan, settings and seed give the same run.
    """
    player = _Player(robot, Cell(robot, cell, seed, study_errors(cell.errors), "motion"), record, stop)
    player.play(plan)
    return player.result(layout(cell))


class _Player:
    def __init__(
        self, robot: Robot, cell: Cell, record: Callable[[Transition], None], stop: Callable[[], bool]
    ) -> None:
        gripper = shape_of(robot).gripper
        assert gripper is not None, "the cell refuses a robot without a gripper"
        self._empty_value = gripper.empty_value
        self._cell = cell
        self._stop = stop
        self._run = Run(record)
        self._gripper_values: list[float] = []
        self._frames: list[tuple[State, int, Values, Values, Values, Values, Values]] = []

    def play(self, plan: Plan) -> None:
        self._run.happened(Event.START, 0.0, "asked to play")
        for phase in plan.phases:
            if not self._play_phase(phase) or not self._still_right(phase):
                return
            if phase.ends_with is not None:
                self._run.happened(phase.ends_with, self._time_s, phase.reason)

    @property
    def _time_s(self) -> float:
        return len(self._frames) / FRAMES_PER_S

    def _play_phase(self, phase: Phase) -> bool:
        first = self._frames[-1][1] + 1 if self._frames and self._frames[-1][0] is phase.state else 0
        for index, target_deg in enumerate(phase.targets_deg, first):
            if self._stop():
                return self._abort("stopped")
            self._cell.drive(target_deg, phase.gripper_value, 1.0 / FRAMES_PER_S)
            tip, cup = self._cell.tip_pose(), self._cell.pose("cup")
            joints_deg = self._cell.encoders_deg()
            self._gripper_values.append(self._cell.gripper_value())
            if not (np.isfinite(joints_deg).all() and np.isfinite(cup.place_m).all()):
                return self._abort("the physics came apart: a place is not a finite number")
            self._frames.append(
                (phase.state, index, tip.place_m, cup.place_m, cup.rotation, target_deg, joints_deg)
            )
        return True

    def _still_right(self, phase: Phase) -> bool:
        """Read the gripper back after it closed and before it lets go: above empty and at rest, it holds."""
        if phase.state not in (State.GRABBING, State.LOWERING):
            return True
        value, before = self._cell.gripper_value(), self._gripper_values[-_LOOK_BACK_FRAMES]
        lost = "closed on nothing" if phase.state is State.GRABBING else "lost the cup on the way"
        if value <= self._empty_value:
            return self._abort(f"{lost}: the gripper reads {value:.1f}, empty it reads {self._empty_value:g}")
        if before - value > _STILL_CLOSING:
            return self._abort(f"{lost}: the gripper reads {value:.1f} and still closes")
        return True

    def _abort(self, reason: str) -> bool:
        self._run.happened(Event.ABORT, self._time_s, reason)
        return False

    def result(self, here: Layout) -> Playback:
        count = len(self._frames)
        states, indices, tips_m, cups_m, cup_axes, targets_deg, joints_deg = (
            zip(*self._frames, strict=True) if count else ((),) * 7
        )
        axes = np.array(cup_axes).reshape(count, 3, 3)
        log = FrameLog(
            time_s=np.arange(1, count + 1) / FRAMES_PER_S,
            states=np.array([state.value for state in states], dtype=np.str_),
            frame_index=np.array(indices, dtype=np.int64),
            tip_m=np.array(tips_m).reshape(count, 3),
            cup_m=np.array(cups_m).reshape(count, 3),
            cup_yaw_deg=yaw_deg(axes),
            targets_deg=np.array(targets_deg).reshape(count, 6),
            joints_deg=np.array(joints_deg).reshape(count, 6),
        )
        cup = self._cell.pose("cup")
        return Playback(
            log,
            axes[:, :, 1],
            np.array(self._gripper_values),
            tuple(self._run.transitions),
            self._run.state,
            where_placed(cup.place_m, cup.rotation[:, 1], here),
        )


def where_placed(foot_m: Values, up: Values, here: Layout) -> Placed:
    """Judge where the cup is by its foot [m] (3,) and its axis (3,)."""
    low_m, high_m = np.array(here.stand.low_m), np.array(here.stand.high_m)
    from_middle_m = (foot_m - (low_m + high_m) / 2)[[0, 2]]
    height_m = float(foot_m[1] - high_m[1])
    tilt_deg = float(np.degrees(np.arccos(np.clip(up[1], -1.0, 1.0))))
    over = bool((foot_m[[0, 2]] >= low_m[[0, 2]]).all() and (foot_m[[0, 2]] <= high_m[[0, 2]]).all())
    distance_m = float(np.linalg.norm(from_middle_m))
    if not over:
        says = f"the cup is {1e3 * distance_m:.0f} mm from the stand's middle, not on it"
    elif tilt_deg > UPRIGHT_DEG:
        says = f"the cup on the stand leans by {tilt_deg:.0f} deg"
    elif abs(height_m) > ON_TOP_M:
        says = f"the cup's foot is {1e3 * height_m:.1f} mm above the stand's top"
    else:
        says = f"the cup stands on the stand, {1e3 * distance_m:.1f} mm from its middle"
    ok = over and tilt_deg <= UPRIGHT_DEG and abs(height_m) <= ON_TOP_M
    return Placed(ok, says, distance_m, height_m, tilt_deg)
