"""A whole pick-place run as told to the arm: every frame's state, joints and gripper, known beforehand."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from lib.motion.minimum_jerk import FRAMES_PER_S, Values, frame_count
from lib.motion.move import Move
from lib.motion.states import Event, State
from lib.settings_motion import Sequence

OPEN = 100.0
CLOSED = 0.0


@dataclass(frozen=True, eq=False)
class Waypoints:
    """Poses [deg] a run passes between those of the sequence, each of shape (w, 6)."""

    before_cup: Values
    """On the way to the cup, in order."""
    after_place: Values
    """On the way home from the place, in order."""


NO_WAYPOINTS = Waypoints(np.empty((0, 6)), np.empty((0, 6)))


@dataclass(frozen=True, eq=False)
class Phase:
    """What one state tells the arm."""

    state: State
    targets_deg: Values
    """Joints at each frame [deg], of shape (n, 6)."""
    gripper_value: float
    """Where the gripper is told to be all the while, 0 closed to 100 open."""
    ends_with: Event
    reason: str
    """Why the state ends, in words a person reads."""
    move: Move | None = None
    """The move, None where the arm waits."""


@dataclass(frozen=True, eq=False)
class Plan:
    """The phases of a run in order, COMPLETE last: there the arm is watched while it settles."""

    phases: tuple[Phase, ...]

    @property
    def frames(self) -> int:
        """How many frames the run has."""
        return sum(len(phase.targets_deg) for phase in self.phases)

    @property
    def duration_s(self) -> float:
        """How long a cycle takes, from the first frame to being home [s]."""
        working = [phase for phase in self.phases if phase.state is not State.COMPLETE]
        return sum(len(phase.targets_deg) for phase in working) / FRAMES_PER_S

    @property
    def moves(self) -> tuple[Move, ...]:
        """The run's moves in order."""
        return tuple(phase.move for phase in self.phases if phase.move is not None)

    @cached_property
    def targets_deg(self) -> Values:
        """Joints at every frame of the run [deg], of shape (frames, 6)."""
        return np.vstack([phase.targets_deg for phase in self.phases])

    @cached_property
    def states(self) -> NDArray[np.str_]:
        """The state's name at every frame, of shape (frames,)."""
        return np.concatenate([[phase.state.value] * len(phase.targets_deg) for phase in self.phases])

    @cached_property
    def frame_index(self) -> NDArray[np.int64]:
        """Number of every frame within its state, of shape (frames,)."""
        return np.concatenate([np.arange(len(phase.targets_deg)) for phase in self.phases])

    @cached_property
    def time_s(self) -> Values:
        """Time at the end of every frame [s], of shape (frames,)."""
        return np.arange(1, self.frames + 1) / FRAMES_PER_S


def plan(
    sequence: Sequence,
    move_s: float,
    waypoints: Waypoints = NO_WAYPOINTS,
    overlap_share: float = 0.4,
    grip_value: float = CLOSED,
) -> Plan:
    """Plan the run through the sequence's poses, ``move_s`` [s] a move.

    ``grip_value`` is how far the gripper is told to close on the cup, 0 to 100.
    """
    home, cup, lift, above, lowered = (
        np.asarray(pose, dtype=np.float64)
        for pose in (
            sequence.home_deg, sequence.to_cup_deg, sequence.lift_deg, sequence.above_place_deg,
            sequence.lowered_deg,
        )
    )  # fmt: skip

    def move(state: State, gripper_value: float, duration_s: float, *poses_deg: Values) -> Phase:
        moved = Move(np.vstack(poses_deg), duration_s, overlap_share)
        reason = f"{moved.frames} frames played"
        return Phase(state, moved.targets_deg, gripper_value, Event.ARRIVED, reason, moved)

    def wait(state: State, gripper_value: float, pause_s: float, pose_deg: Values, ends: Event) -> Phase:
        targets_deg = np.tile(pose_deg, (frame_count(pause_s), 1))
        return Phase(state, targets_deg, gripper_value, ends, f"waited {pause_s:g} s")

    lowering_s = move_s * sequence.lowering_factor
    return Plan(
        (
            move(State.MOVING_TO_CUP, OPEN, move_s, home, *waypoints.before_cup, cup),
            wait(State.GRABBING, grip_value, sequence.grasp_pause_s, cup, Event.HELD),
            move(State.LIFTING, grip_value, move_s, cup, lift),
            move(State.MOVING_TO_PLACE, grip_value, move_s, lift, above),
            move(State.LOWERING, grip_value, lowering_s, above, lowered),
            wait(State.PLACING, OPEN, sequence.release_pause_s, lowered, Event.RELEASED),
            move(State.RETURNING_HOME, OPEN, move_s, lowered, *waypoints.after_place, home),
            wait(State.COMPLETE, OPEN, sequence.rest_s, home, Event.ARRIVED),
        )
    )
