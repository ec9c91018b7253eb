"""The eight states, one after the other by the table; ABORTED from any."""

from __future__ import annotations

import pytest

from lib.motion import TRANSITIONS, Event, Run, State, Transition

PUBLISHED = {
    "MOVING_TO_CUP": Event.START,
    "GRABBING": Event.ARRIVED,
    "LIFTING": Event.HELD,
    "MOVING_TO_PLACE": Event.ARRIVED,
    "LOWERING": Event.ARRIVED,
    "PLACING": Event.ARRIVED,
    "RETURNING_HOME": Event.RELEASED,
    "COMPLETE": Event.ARRIVED,
}


def test_a_run_goes_through_the_published_states_and_each_transition_is_told_with_time_and_reason() -> None:
    told: list[Transition] = []
    run = Run(told.append)
    assert run.state is State.IDLE
    for at_s, event in enumerate(PUBLISHED.values()):
        run.happened(event, float(at_s), f"because {at_s}")
    assert tuple(step.to_state.value for step in told) == tuple(PUBLISHED)
    assert [step.from_state for step in told] == [State.IDLE, *(State[name] for name in list(PUBLISHED)[:-1])]
    assert [(step.at_s, step.reason) for step in told] == [(float(i), f"because {i}") for i in range(8)]
    assert run.transitions == told


@pytest.mark.parametrize("state", [state for state in State if state is not State.ABORTED])
def test_a_run_can_be_aborted_from_any_state(state: State) -> None:
    run = Run()
    run.state = state
    assert run.happened(Event.ABORT, 1.0, "stopped") is State.ABORTED


def test_nothing_leads_out_of_aborted_and_nothing_but_an_abort_out_of_complete() -> None:
    assert [event for state, event in TRANSITIONS if state is State.ABORTED] == []
    assert [event for state, event in TRANSITIONS if state is State.COMPLETE] == [Event.ABORT]


def test_every_state_is_reached_by_the_table() -> None:
    assert set(TRANSITIONS.values()) | {State.IDLE} == set(State)


def test_what_cannot_happen_is_a_defect_that_names_what_could() -> None:
    run = Run()
    with pytest.raises(ValueError, match="released cannot happen in IDLE; possible there: start, abort"):
        run.happened(Event.RELEASED, 0.0, "")
    assert run.state is State.IDLE and run.transitions == []
