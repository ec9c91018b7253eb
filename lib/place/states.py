"""The states of one run of the batch and the table of what leads from one to the next."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from enum import Enum

from lib import course


class State(Enum):
    """What the run is at."""

    IDLE = "IDLE"
    LOOKING = "LOOKING"
    MOVING_TO_BLOCK = "MOVING_TO_BLOCK"
    GRABBING = "GRABBING"
    LIFTING = "LIFTING"
    MOVING_TO_PLACE = "MOVING_TO_PLACE"
    LOWERING = "LOWERING"
    SERVOING = "SERVOING"
    PLACING = "PLACING"
    RETURNING_HOME = "RETURNING_HOME"
    VERIFYING = "VERIFYING"
    COMPLETE = "COMPLETE"
    PUTTING_BACK = "PUTTING_BACK"
    REFUSED = "REFUSED"
    ABORTED = "ABORTED"


class Event(Enum):
    """What makes a run go on."""

    START = "start"
    SEEN = "seen"
    ARRIVED = "arrived"
    HELD = "held"
    OVER_THE_BOX = "over the box"
    RELEASED = "released"
    JUDGED = "judged"
    NOT_THERE = "not there"
    REFUSE = "refuse"
    ABORT = "abort"


ENDS = (State.COMPLETE, State.REFUSED, State.ABORTED)

HOLDING = (State.LIFTING, State.MOVING_TO_PLACE, State.LOWERING, State.SERVOING)
"""States in which the block hangs between the fingers and can be put back."""

EMPTY = (State.LOOKING, State.MOVING_TO_BLOCK, State.GRABBING)
"""States in which nothing has been taken yet."""

TRANSITIONS: Mapping[tuple[State, Event], State] = {
    (State.IDLE, Event.START): State.LOOKING,
    (State.LOOKING, Event.SEEN): State.MOVING_TO_BLOCK,
    (State.MOVING_TO_BLOCK, Event.ARRIVED): State.GRABBING,
    (State.GRABBING, Event.HELD): State.LIFTING,
    (State.LIFTING, Event.ARRIVED): State.MOVING_TO_PLACE,
    (State.MOVING_TO_PLACE, Event.ARRIVED): State.LOWERING,
    (State.LOWERING, Event.ARRIVED): State.SERVOING,
    (State.SERVOING, Event.OVER_THE_BOX): State.PLACING,
    (State.PLACING, Event.RELEASED): State.RETURNING_HOME,
    (State.RETURNING_HOME, Event.ARRIVED): State.VERIFYING,
    (State.VERIFYING, Event.JUDGED): State.COMPLETE,
    **{(state, Event.REFUSE): State.REFUSED for state in EMPTY},
    **{(state, Event.NOT_THERE): State.PUTTING_BACK for state in HOLDING},
    (State.PUTTING_BACK, Event.REFUSE): State.REFUSED,
    **{(state, Event.ABORT): State.ABORTED for state in State if state not in ENDS},
}


Transition = course.Transition[State, Event]


class Course(course.Course[State, Event]):
    """Where one run is; tells ``record`` of every transition."""

    def __init__(self, record: Callable[[Transition], None] = lambda transition: None) -> None:
        super().__init__(TRANSITIONS, State.IDLE, record)
