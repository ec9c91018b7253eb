"""What an eye sees wrong with a run, as numbers: computed from the frame log alone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict, dataclass

import numpy as np

from lib.motion.frame_log import FrameLog
from lib.motion.grasp import tool_frames
from lib.motion.minimum_jerk import Values
from lib.motion.states import HOLDING, State
from lib.robot import Robot, tip_points
from lib.settings_motion import Diagnosis as Bounds
from lib.settings_motion import Sequence

LOST_M = 0.030
"""A cup this far from where it was gripped is not between the fingers any more."""


@dataclass(frozen=True)
class Diagnosis:
    """One thing looked at: how much, how much is allowed, what that means."""

    name: str
    value_m: float | None
    """The number [m]; None where the run never came to what is looked at."""
    bound_m: float
    """What is allowed [m]."""
    ok: bool
    """Whether nothing is wrong."""
    says: str
    """The verdict in words."""

    def as_json(self) -> dict[str, object]:
        """Return it as ``--json`` shows it."""
        return asdict(self)


def diagnose(log: FrameLog, robot: Robot, sequence: Sequence, bounds: Bounds) -> tuple[Diagnosis, ...]:
    """Return the four diagnoses of a run: sinks, slips, dropped from above, tool and target diverge.

    They need the frame log and the robot's kinematics only, so an old log can be judged by new bounds.
    """
    return (
        cup_sinks(log, sequence.floor_m, bounds.sink_limit_m),
        cup_slips(log, robot, bounds.slip_limit_m),
        dropped_from_above(log, robot, sequence.floor_m, bounds.release_limit_m),
        tool_and_target_diverge(log, robot, bounds.diverge_limit_m),
    )


def cup_sinks(log: FrameLog, floor_m: float, bound_m: float) -> Diagnosis:
    """Measure how far the cup's foot was below the floor [m] at worst."""
    return _judged(
        "cup sinks",
        floor_m - log.cup_m[:, 1] if len(log) else np.empty(0),
        bound_m,
        log,
        lambda mm, when: f"the cup's foot is {mm} below the stand's top {when}",
        f"the cup stays above the stand's top, {1e3 * floor_m:g} mm",
    )


def cup_slips(log: FrameLog, robot: Robot, bound_m: float) -> Diagnosis:
    """Measure how far the cup moved in the tool's own frame [m] while it was held, at worst."""
    return _judged(
        "cup slips in the grip",
        moved_in_grip_m(log, robot),
        bound_m,
        log,
        lambda mm, when: f"the cup is {mm} from where it was gripped {when}",
        "the cup stays where it was gripped",
    )


def dropped_from_above(log: FrameLog, robot: Robot, floor_m: float, bound_m: float) -> Diagnosis:
    """Measure how high above the stand the cup's foot was when it was let go [m]."""
    name = "dropped from above"
    lowering = np.flatnonzero(log.during(State.LOWERING))
    if not log.during(State.PLACING).any() or not len(lowering):
        return _unknown(name, bound_m, "the arm never let go at the place")
    last = int(lowering[-1])
    if moved_in_grip_m(log, robot)[last] > LOST_M:
        return _unknown(name, bound_m, "the cup was not in the grip when the arm let go")
    height_m = float(log.cup_m[last, 1] - floor_m)
    ok = height_m <= bound_m
    drop = "" if ok else ", that is a drop"
    return Diagnosis(name, height_m, bound_m, ok, f"let go {1e3 * height_m:.1f} mm above the stand{drop}")


def moved_in_grip_m(log: FrameLog, robot: Robot) -> Values:
    """Return how far the cup is from where it was grasped, in the tool's own frame [m], of shape (n,).

    NaN where the cup is not carried; the grasp is the last frame before it is.
    """
    moved_m = np.full(len(log), np.nan)
    held = np.flatnonzero(log.during(*HOLDING))
    if len(held):
        frames = np.concatenate([[max(held[0] - 1, 0)], held])
        axes, _ = tool_frames(robot, log.joints_deg[frames])
        offsets_m = np.einsum("nij,ni->nj", axes, log.cup_m[frames] - log.tip_m[frames])
        moved_m[held] = np.linalg.norm(offsets_m[1:] - offsets_m[0], axis=1)
    return moved_m


def tool_and_target_diverge(log: FrameLog, robot: Robot, bound_m: float) -> Diagnosis:
    """Measure how far the tool was from where its joints were told to bring it [m] at worst."""
    return _judged(
        "tool and target diverge",
        tracking_error_m(log, robot),
        bound_m,
        log,
        lambda mm, when: f"the tool is {mm} from where it was told to be {when}",
        "the tool goes where it is told",
    )


def tracking_error_m(log: FrameLog, robot: Robot) -> Values:
    """Return the distance of the measured tip from the commanded one [m] at each frame, of shape (n,)."""
    if not len(log):
        return np.empty(0)
    return np.linalg.norm(log.tip_m - tip_points(robot, log.targets_deg), axis=1)


def _judged(
    name: str, values_m: Values, bound_m: float, log: FrameLog, wrong: Callable[[str, str], str], fine: str
) -> Diagnosis:
    if not len(values_m) or np.isnan(values_m).all():
        return _unknown(name, bound_m, "the run never came to it")
    worst = int(np.nanargmax(values_m))
    value_m = float(values_m[worst])
    ok = value_m <= bound_m
    when = f"at {log.time_s[worst]:.2f} s, {log.states[worst]}"
    return Diagnosis(name, value_m, bound_m, ok, fine if ok else wrong(f"{1e3 * value_m:.1f} mm", when))


def _unknown(name: str, bound_m: float, why: str) -> Diagnosis:
    return Diagnosis(name, None, bound_m, False, why)
