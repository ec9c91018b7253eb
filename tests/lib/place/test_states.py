"""The course of a run: only what can happen happens, and every step is told."""

from __future__ import annotations

import pytest

from lib.place.states import EMPTY, ENDS, HOLDING, Course, Event, State, Transition

WHOLE = (
    Event.START, Event.SEEN, Event.ARRIVED, Event.HELD, Event.ARRIVED, Event.ARRIVED, Event.ARRIVED,
    Event.OVER_THE_BOX, Event.RELEASED, Event.ARRIVED, Event.JUDGED,
)  # fmt: skip


def test_a_whole_run_goes_through_every_state_once() -> None:
    told: list[Transition] = []
    course = Course(told.append)
    for step, event in enumerate(WHOLE):
        course.happened(event, float(step), event.value)
    assert course.state is State.COMPLETE
    visited = [told[0].from_state, *(step.to_state for step in told)]
    assert len(visited) == len(set(visited)) == len(WHOLE) + 1
    assert not {State.PUTTING_BACK, State.REFUSED, State.ABORTED} & set(visited)
    assert [step.at_s for step in told] == [float(k) for k in range(len(WHOLE))]


def test_what_is_held_is_put_back_before_a_run_is_refused() -> None:
    for count in range(1, len(WHOLE)):
        course = Course()
        for event in WHOLE[:count]:
            course.happened(event, 0.0, "")
        if course.state in EMPTY:
            assert course.happened(Event.REFUSE, 0.0, "") is State.REFUSED
        elif course.state in HOLDING:
            with pytest.raises(ValueError, match="cannot happen"):
                course.happened(Event.REFUSE, 0.0, "")
            assert course.happened(Event.NOT_THERE, 0.0, "") is State.PUTTING_BACK
            assert course.happened(Event.REFUSE, 0.0, "") is State.REFUSED
        else:
            with pytest.raises(ValueError, match="cannot happen"):
                course.happened(Event.REFUSE, 0.0, "")


def test_every_state_but_an_end_can_be_aborted_and_nothing_follows_an_end() -> None:
    for state in State:
        course = Course()
        course.state = state
        if state in ENDS:
            for event in Event:
                with pytest.raises(ValueError, match="cannot happen"):
                    course.happened(event, 0.0, "")
        else:
            assert course.happened(Event.ABORT, 0.0, "") is State.ABORTED
