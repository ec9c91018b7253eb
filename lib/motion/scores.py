"""What one run of a variant is worth: gates first, then numbers a person can argue about."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass

import numpy as np

from lib.motion.diagnoses import moved_in_grip_m, tracking_error_m
from lib.motion.frame_log import FrameLog
from lib.motion.minimum_jerk import FRAMES_PER_S, Values
from lib.motion.plan import Plan
from lib.motion.smoothness import log_dimensionless_jerk, spectral_arc_length
from lib.motion.states import State
from lib.robot import Robot, tip_points

MOVING = (
    State.MOVING_TO_CUP,
    State.LIFTING,
    State.MOVING_TO_PLACE,
    State.LOWERING,
    State.RETURNING_HOME,
)
_NAN = float("nan")

SETTLED_M = 0.001
"""A tip that stays this near to where it comes to rest has settled."""

_WAITS = (State.GRABBING, State.PLACING, State.COMPLETE)


@dataclass(frozen=True)
class Scores:
    """One run in numbers."""

    complete: bool
    """Whether COMPLETE was reached."""
    placed: bool
    """Whether the cup stands on the stand, upright."""
    clearance_m: float
    """Smallest distance of the commanded arm from what it must keep out of [m]."""
    slip_m: float
    """How far the cup moved in the grip at worst [m]; NaN where it was never carried."""
    release_height_m: float
    """How high above the stand the cup was let go [m]; NaN where it never was."""
    cycle_s: float
    """How long a cycle takes [s]."""
    spectral_arc_length: float
    """Of the measured tip speed, mean over the moves; nearer to 0 is smoother."""
    log_dimensionless_jerk: float
    """Of the commanded tip path, mean over the moves; nearer to 0 is smoother."""
    peak_jerk_deg_s3: float
    """Largest joint jerk of the commanded path [deg/s^3]."""
    tracking_rms_m: float
    """Root mean square distance of the measured tip from the commanded one [m]."""
    settling_s: float
    """How long the tip takes to settle within a millimetre after a move that ends in a wait [s], at worst."""
    path_ratio: float
    """Measured way of the tip over the straight lines between the moves' ends, summed."""
    joint_speed_share: float
    """Fastest commanded joint speed, as a share of the arm's limit."""

    @property
    def gates_passed(self) -> bool:
        """Whether the run counts: complete, placed, and clear of everything."""
        return self.complete and self.placed and self.clearance_m >= 0.0

    def as_json(self) -> dict[str, object]:
        """Return the numbers as ``--json`` shows them."""
        return asdict(self)


RANKED: Mapping[str, int] = {
    "spectral_arc_length": -1,
    "peak_jerk_deg_s3": 1,
    "tracking_rms_m": 1,
    "settling_s": 1,
    "path_ratio": 1,
    "cycle_s": 1,
}
"""The scores a ranking goes by: 1 where less is better, -1 where more is."""


@dataclass(frozen=True)
class Known:
    """What is known of a variant before it is played."""

    clearance_m: float
    joint_speed_share: float
    peak_jerk_deg_s3: float
    log_dimensionless_jerk: float
    cycle_s: float


def known_beforehand(
    plan: Plan, robot: Robot, clearance_m: float, joint_speed_deg_s: float, limit_deg_s: float
) -> Known:
    """Return the scores of the commanded path alone."""
    tips_m = [tip_points(robot, move.targets_deg) for move in plan.moves]
    return Known(
        clearance_m=clearance_m,
        joint_speed_share=joint_speed_deg_s / limit_deg_s,
        peak_jerk_deg_s3=max(float(np.abs(move.jerk_deg_s3).max()) for move in plan.moves),
        log_dimensionless_jerk=float(np.mean([log_dimensionless_jerk(path) for path in tips_m])),
        cycle_s=plan.duration_s,
    )


def score(log: FrameLog, robot: Robot, known: Known, placed: bool, release_height_m: float) -> Scores:
    """Score a run by its frame log and what is known of its variant."""
    slips_m = moved_in_grip_m(log, robot)
    return Scores(
        complete=bool(log.during(State.COMPLETE).any()),
        placed=placed,
        clearance_m=known.clearance_m,
        slip_m=float(np.nanmax(slips_m)) if not np.isnan(slips_m).all() else _NAN,
        release_height_m=release_height_m,
        cycle_s=known.cycle_s,
        spectral_arc_length=_mean([spectral_arc_length(tip_speed(path)) for path in moved_paths(log)]),
        log_dimensionless_jerk=known.log_dimensionless_jerk,
        peak_jerk_deg_s3=known.peak_jerk_deg_s3,
        tracking_rms_m=float(np.sqrt(np.mean(tracking_error_m(log, robot) ** 2))),
        settling_s=max((settling_s(log, wait) for wait in _WAITS if log.during(wait).any()), default=_NAN),
        path_ratio=path_ratio(log),
        joint_speed_share=known.joint_speed_share,
    )


def moved_paths(log: FrameLog) -> list[Values]:
    """Return the measured tip path [m] (n, 3) of each move that was made."""
    paths = [log.tip_m[log.during(state)] for state in MOVING]
    return [path for path in paths if len(path) > 1]


def tip_speed(path_m: Values) -> Values:
    """Return the speed [m/s] along a path (n, 3), of shape (n - 1,)."""
    return np.linalg.norm(np.diff(path_m, axis=0), axis=1) * FRAMES_PER_S


def settling_s(log: FrameLog, wait: State) -> float:
    """Return how long into a wait the tip is still farther than a millimetre from its rest [s].

    The rest is the mean of the wait's last five frames.
    """
    path_m = log.tip_m[log.during(wait)]
    away_m = np.linalg.norm(path_m - path_m[-5:].mean(axis=0), axis=1)
    outside = np.flatnonzero(away_m > SETTLED_M)
    return float((outside[-1] + 1) / FRAMES_PER_S) if len(outside) else 0.0


def path_ratio(log: FrameLog) -> float:
    """Return the tip's way over the straight lines between its moves' ends; NaN where nothing moved."""
    paths = moved_paths(log)
    straight_m = sum(float(np.linalg.norm(path[-1] - path[0])) for path in paths)
    way_m = sum(float(tip_speed(path).sum()) / FRAMES_PER_S for path in paths)
    return way_m / straight_m if straight_m else _NAN


def _mean(values: list[float]) -> float:
    return float(np.mean(values)) if values else _NAN
