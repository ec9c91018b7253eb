"""The states of one pick-place run and the table of what leads from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from lib import course


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


Transition = course.Transition[State, Event]


class Run(course.Course[State, Event]):
    """Where one run is; tells ``record`` of every transition."""

    def __init__(self, record: Callable[[Transition], None] = lambda transition: None) -> None:
        super().__init__(TRANSITIONS, State.IDLE, record)
