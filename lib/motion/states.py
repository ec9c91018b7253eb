"""The states of one pick-place run and the table of what leads from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Enum


class State(Enum):
    """What the arm is at."""

    IDLE = "IDLE"
    MOVING_TO_CUP = "MOVING_TO_CUP"
    GRABBING = "GRABBING"
    LIFTING = "LIFTING"
    MOVING_TO_PLACE = "MOVING_TO_PLACE"
    LOWERING = "LOWERING"
    PLACING = "PLACING"
    RETURNING_HOME = "RETURNING_HOME"
    COMPLETE = "COMPLETE"
    ABORTED = "ABORTED"


class Event(Enum):
    """What makes a run go on."""

    START = "start"
    ARRIVED = "arrived"
    HELD = "held"
    RELEASED = "released"
    ABORT = "abort"


TRANSITIONS: Mapping[tuple[State, Event], State] = {
    (State.IDLE, Event.START): State.MOVING_TO_CUP,
    (State.MOVING_TO_CUP, Event.ARRIVED): State.GRABBING,
    (State.GRABBING, Event.HELD): State.LIFTING,
    (State.LIFTING, Event.ARRIVED): State.MOVING_TO_PLACE,
    (State.MOVING_TO_PLACE, Event.ARRIVED): State.LOWERING,
    (State.LOWERING, Event.ARRIVED): State.PLACING,
    (State.PLACING, Event.RELEASED): State.RETURNING_HOME,
    (State.RETURNING_HOME, Event.ARRIVED): State.COMPLETE,
    **{(state, Event.ABORT): State.ABORTED for state in State if state is not State.ABORTED},
}

HOLDING = (State.LIFTING, State.MOVING_TO_PLACE, State.LOWERING)
"""States in which the cup hangs between the fingers."""


@dataclass(frozen=True)
class Transition:
    """One step of a run, as it is recorded."""

    from_state: State
    to_state: State
    event: Event
    at_s: float
    """Time of the run [s]."""
    reason: str
    """Why, in words a person reads."""


class Run:
    """Where one pick-place run is; tells ``record`` of every transition."""

    def __init__(self, record: Callable[[Transition], None] = lambda transition: None) -> None:
        self._record = record
        self.state = State.IDLE
        self.transitions: list[Transition] = []

    def happened(self, event: Event, at_s: float, reason: str) -> State:
        """Go where the table leads and return that state.

        Raises ValueError for what cannot happen in this state: the caller's order is wrong.
        """
        to_state = TRANSITIONS.get((self.state, event))
        if to_state is None:
            possible = ", ".join(e.value for s, e in TRANSITIONS if s is self.state) or "nothing"
            raise ValueError(f"{event.value} cannot happen in {self.state.value}; possible there: {possible}")
        transition = Transition(self.state, to_state, event, at_s, reason)
        self.state = to_state
        self.transitions.append(transition)
        self._record(transition)
        return to_state
