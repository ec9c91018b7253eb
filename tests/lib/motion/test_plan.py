"""The published sequence: eight states, 2.0 s a move, lowering half as long again, 0.5 s at the grasp."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.motion import State, plan
from tests.lib.motion.published import SEQUENCE, published_plan

MOVES = (State.MOVING_TO_CUP, State.LIFTING, State.MOVING_TO_PLACE, State.LOWERING, State.RETURNING_HOME)


def test_the_published_run_goes_through_its_poses_in_the_published_times() -> None:
    planned = published_plan()
    frames = {phase.state: len(phase.targets_deg) for phase in planned.phases}
    assert frames == {
        State.MOVING_TO_CUP: 100, State.GRABBING: 25, State.LIFTING: 100, State.MOVING_TO_PLACE: 100,
        State.LOWERING: 150, State.PLACING: 25, State.RETURNING_HOME: 100, State.COMPLETE: 25,
    }  # fmt: skip
    ends = {phase.state: phase.targets_deg[-1].round(9).tolist() for phase in planned.phases}
    assert ends[State.MOVING_TO_CUP] == [40, 82, -36, 0, -50, 0]
    assert ends[State.LIFTING] == [40, 50, -20, 0, -42, 0]
    assert ends[State.MOVING_TO_PLACE] == [-55, 50, -25, 0, -38, 0]
    assert ends[State.LOWERING] == [-44, 75, -20, 0, -55, 0]
    assert ends[State.RETURNING_HOME] == [0, 0, 0, 0, 0, 0]
    assert planned.duration_s == pytest.approx(12.0)


@pytest.mark.parametrize(("move_s", "frames"), [(5.0, 250), (3.0, 150), (1.5, 75)])
def test_a_speed_sets_every_move_and_lowering_keeps_its_factor(move_s: float, frames: int) -> None:
    counts = {phase.state: len(phase.targets_deg) for phase in plan(SEQUENCE, move_s).phases}
    assert [counts[state] for state in MOVES] == [frames, frames, frames, round(move_s * 1.5 * 50), frames]


def test_one_move_begins_where_the_one_before_ended() -> None:
    planned = published_plan()
    for before, after in zip(planned.phases[:-1], planned.phases[1:], strict=True):
        assert after.targets_deg[0] == pytest.approx(before.targets_deg[-1], abs=1e-12)
    assert planned.frames == 625
    assert planned.frame_index[planned.states == "LOWERING"].tolist() == list(range(150))
    assert np.diff(planned.time_s) == pytest.approx(np.full(624, 0.02))


def test_the_sequence_is_configuration() -> None:
    taught = replace(SEQUENCE, lowered_deg=(-44.0, 76.0, -20.0, 0.0, -56.0, 0.0), lowering_factor=2.0)
    lowering = next(phase for phase in plan(taught, 2.0).phases if phase.state is State.LOWERING)
    assert lowering.targets_deg[-1].round(9).tolist() == [-44, 76, -20, 0, -56, 0]
    assert len(lowering.targets_deg) == 200
