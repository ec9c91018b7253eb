"""The published sequence with physics: the cup ends on the stand; gripped too weakly it slips, as is said."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.arm import gate_context
from lib.cell import layout, no_errors
from lib.motion import (
    HOLDING,
    Plan,
    Playback,
    State,
    Transition,
    diagnose,
    plan_variant,
    play,
    published_variant,
    where_placed,
)
from lib.settings import Settings
from lib.settings_cell import Cell as CellSettings
from tests.lib.motion.published import robot

SETTINGS = Settings()
MOTION = SETTINGS.motion
AS_DRAWN = replace(SETTINGS.cell, errors=no_errors())


@pytest.fixture(scope="module")
def published() -> Plan:
    found = plan_variant(published_variant(MOTION), SETTINGS, gate_context(SETTINGS))
    assert found.plan is not None
    return found.plan


@pytest.fixture(scope="module")
def as_drawn(published: Plan) -> Playback:
    return play(published, robot(), AS_DRAWN, seed=0)


@pytest.mark.parametrize("cell", [AS_DRAWN, SETTINGS.cell], ids=["as drawn", "with errors"])
@pytest.mark.parametrize("seed", [0, 1, 2])
def test_the_published_sequence_ends_with_the_cup_on_the_stand_upright(
    published: Plan, cell: CellSettings, seed: int
) -> None:
    run = play(published, robot(), cell, seed)
    assert run.state is State.COMPLETE, run.reason
    assert run.placed.ok, run.placed.says
    assert run.placed.tilt_deg < 1.0 and run.placed.distance_m < 0.006
    wrong = [d.says for d in diagnose(run.log, robot(), MOTION.sequence, MOTION.diagnosis) if not d.ok]
    assert wrong == []
    release_m = next(
        d.value_m for d in diagnose(run.log, robot(), MOTION.sequence, MOTION.diagnosis) if "drop" in d.name
    )
    assert release_m is not None and 0.0 < release_m <= 0.020


def test_its_frame_log_is_complete_every_frame_of_every_state_fifty_a_second(
    published: Plan, as_drawn: Playback
) -> None:
    log = as_drawn.log
    assert len(log) == published.frames
    assert log.states.tolist() == published.states.tolist()
    assert log.frame_index.tolist() == published.frame_index.tolist()
    assert np.diff(log.time_s) == pytest.approx(np.full(len(log) - 1, 0.02))
    assert log.targets_deg == pytest.approx(published.targets_deg)
    for values in (log.tip_m, log.cup_m, log.cup_yaw_deg, log.joints_deg):
        assert np.isfinite(values).all()


def test_each_transition_is_told_when_it_happens_with_its_time_and_reason(published: Plan) -> None:
    told: list[Transition] = []
    play(published, robot(), AS_DRAWN, 0, told.append)
    assert [step.to_state for step in told] == [s for s in State if s not in (State.IDLE, State.ABORTED)]
    assert [step.at_s for step in told] == pytest.approx([0.0, 2.0, 2.5, 4.5, 6.5, 9.5, 10.8, 12.8])
    assert all(step.reason for step in told)


def test_the_cup_hangs_by_friction_and_stays_where_it_was_gripped_to_two_millimetres(
    as_drawn: Playback,
) -> None:
    carried = as_drawn.log.during(*HOLDING)
    assert as_drawn.log.cup_m[carried, 1].max() > 0.14  # lifted, by nothing but the fingers
    slip = next(
        d for d in diagnose(as_drawn.log, robot(), MOTION.sequence, MOTION.diagnosis) if "slips" in d.name
    )
    assert slip.value_m is not None
    assert 0.0 < slip.value_m < 0.002


def test_the_same_seed_gives_the_same_run_and_another_seed_another(published: Plan) -> None:
    one, again, other = (play(published, robot(), SETTINGS.cell, seed).log for seed in (3, 3, 4))
    assert np.array_equal(one.cup_m, again.cup_m) and np.array_equal(one.joints_deg, again.joints_deg)
    assert not np.array_equal(one.tip_m, other.tip_m)


def test_a_cup_gripped_too_weakly_slips_and_the_diagnosis_says_so(published: Plan) -> None:
    weak = replace(AS_DRAWN, grip_force_n=0.45)
    run = play(published, robot(), weak, seed=0)
    found = {d.name: d for d in diagnose(run.log, robot(), MOTION.sequence, MOTION.diagnosis)}
    slip = found["cup slips in the grip"]
    assert not slip.ok and slip.value_m is not None and slip.value_m > MOTION.diagnosis.slip_limit_m
    assert "from where it was gripped" in slip.says
    assert found["tool and target diverge"].ok  # the arm did what it was told: it is the grip


def test_a_cup_that_falls_out_of_the_fingers_aborts_the_run_before_it_is_put_down(published: Plan) -> None:
    run = play(published, robot(), replace(AS_DRAWN, grip_force_n=0.2), seed=0)
    assert run.state is State.ABORTED
    assert run.transitions[-1].from_state is State.LOWERING
    assert run.reason == "lost the cup on the way: the gripper reads 0.0, empty it reads 4"
    found = {d.name: d for d in diagnose(run.log, robot(), MOTION.sequence, MOTION.diagnosis)}
    assert not found["cup slips in the grip"].ok
    assert found["dropped from above"].says == "the arm never let go at the place"


def test_fingers_that_close_on_nothing_abort_the_run_before_it_lifts(published: Plan) -> None:
    nowhere = replace(AS_DRAWN, support_centre_m=(-0.30, 0.30))
    run = play(published, robot(), nowhere, seed=0)
    assert run.state is State.ABORTED
    assert run.transitions[-1].from_state is State.GRABBING
    assert run.reason.startswith("closed on nothing: the gripper reads 1")
    assert set(run.log.states) == {"MOVING_TO_CUP", "GRABBING"}


def test_a_run_that_is_stopped_is_aborted_where_it_is_and_its_log_ends_there(published: Plan) -> None:
    calls = iter(range(10_000))
    run = play(published, robot(), AS_DRAWN, 0, stop=lambda: next(calls) >= 150)
    assert (run.state, run.reason, len(run.log)) == (State.ABORTED, "stopped", 150)
    assert run.transitions[-1].at_s == pytest.approx(3.0)


@pytest.mark.parametrize(
    ("foot_m", "up", "ok", "says"),
    [
        ((0.219, 0.025, 0.236), (0.0, 1.0, 0.0), True, "the cup stands on the stand, 0.0 mm from its middle"),
        ((0.230, 0.025, 0.240), (0.0, 1.0, 0.0), True, "11.7 mm from its middle"),
        ((0.260, 0.025, 0.236), (0.0, 1.0, 0.0), False, "41 mm from the stand's middle, not on it"),
        ((0.219, 0.030, 0.236), (0.17, 0.985, 0.0), False, "leans by 10 deg"),
        ((0.219, 0.045, 0.236), (0.0, 1.0, 0.0), False, "20.0 mm above the stand's top"),
    ],
)
def test_where_the_cup_ended_is_judged_by_place_height_and_tilt(
    foot_m: tuple[float, ...], up: tuple[float, ...], ok: bool, says: str
) -> None:
    found = where_placed(np.array(foot_m), np.array(up), layout(SETTINGS.cell))
    assert found.ok is ok
    assert says in found.says
