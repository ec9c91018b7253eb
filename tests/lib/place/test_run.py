"""One run on a cell with all errors: what is placed, refused, aborted, and what is written down."""

from __future__ import annotations

import json
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lib import stop
from lib.arm import GripFailed, LinkLost, Moved, Rebooted
from lib.lookup.refine import Refinement
from lib.place import load_memories
from lib.runlog import RunLog, connect
from lib.scan import read_request
from lib.stop import ask_to_stop
from tests.lib.place.conftest import BOX_M
from tests.lib.place.trial import Trial


def rows(tried: Trial, question: str) -> list[Any]:
    with connect(tried.settings.data_dir) as con:
        return con.execute(question).fetchall()


def test_three_runs_place_their_blocks_and_learn(tried: Trial) -> None:
    outcomes = [tried.run(number) for number in range(3)]
    assert [o.state for o in outcomes] == ["finished"] * 3, [o.reason for o in outcomes]
    assert [o.place for o in outcomes] == ["yes"] * 3
    for number, outcome in enumerate(outcomes):
        seen_mm = outcome.in_box_dist_mm
        assert seen_mm is not None
        if number == 2:  # the others are no longer in the box
            assert seen_mm == pytest.approx(tried.true_distance_mm(number), abs=0.5)
        assert seen_mm < 15.0
    assert outcomes[2].in_box_dist_mm < 6.0  # type: ignore[operator]
    (memory,) = load_memories(tried.settings.data_dir).values()
    assert memory.placements == 3
    # Homing leaves sag and play, and does not know of the shift: that is what there is to learn.
    assert 2.0 < 1e3 * np.linalg.norm(memory.bias_m) < 25.0

    states = rows(tried, "SELECT run_stem, state, reason FROM run ORDER BY run_number")
    assert [state for _, state, _ in states] == ["finished"] * 3
    course = rows(tried, "SELECT state FROM run_state WHERE run_stem LIKE 'run_0000%' ORDER BY seq")
    assert [state for (state,) in course] == [
        "LOOKING", "MOVING_TO_BLOCK", "GRABBING", "LIFTING", "MOVING_TO_PLACE", "LOWERING", "SERVOING",
        "PLACING", "RETURNING_HOME", "VERIFYING", "COMPLETE",
    ]  # fmt: skip
    observed = rows(tried, "SELECT tag, d_ee_y_vs_prev_mm FROM lookup_observation ORDER BY seq")
    assert {tag for tag, _ in observed} >= {"pick", "stage8"}
    steps = [abs(step) for tag, step in observed if tag.startswith("zservo") and step is not None]
    assert all(step <= 16.0 for step in steps)
    place = rows(
        tried,
        "SELECT seen_x_m - target_x_m, spacing_x_m + reality_x_m, memory_cell, j0_deg FROM place",
    )
    for off_m, parts_m, cell, j0_deg in place:
        assert parts_m == pytest.approx(off_m, abs=1e-9)
        assert cell == "place_x-180_z200"
        assert 25.0 < j0_deg < 50.0
    moves = rows(tried, "SELECT commanded_deg, reported_deg, seen_x_m, not_moved FROM arm_move")
    assert len(moves) > 30
    assert {not_moved for *_, not_moved in moves if not_moved is not None} == {False}
    for commanded, reported, *_ in moves:
        assert np.abs(np.subtract(json.loads(commanded), json.loads(reported))).max() < 0.9


def test_lowering_never_goes_down_by_more_than_the_clamp(tried: Trial) -> None:
    tried.run(0)
    down = rows(
        tried,
        "SELECT lag(commanded_y_m) OVER (ORDER BY move_number) - commanded_y_m, run_step FROM arm_move "
        "QUALIFY run_step IN ('LOWERING', 'SERVOING')",
    )
    assert 0 < max(step for step, _ in down) <= 0.016 + 1e-4


def test_a_target_that_no_pose_reaches_is_refused_and_asked_for(tried: Trial) -> None:
    tried.cell.things.put_box(BOX_M[0] + 0.035, BOX_M[1] - 0.015)
    outcome = tried.run(0)
    assert (outcome.state, outcome.place, outcome.rule) == ("refused", None, "out of reach")
    assert "mm off" in outcome.reason or "no pose" in outcome.reason
    assert outcome.explanation is not None
    assert [entry["filter"] for entry in outcome.explanation["funnel"]][:2] == ["ee_y_band", "ee_y_floor"]  # type: ignore[attr-defined]
    assert rows(tried, "SELECT state, rule FROM run") == [("refused", "out of reach")]
    assert not rows(tried, "SELECT * FROM place")
    held = [
        name for name in tried.cell.things.names if name != "box" and tried.cell.pose(name).place_m[1] > 0.02
    ]
    assert not held


def test_a_target_that_only_lacks_rows_goes_into_the_scan_request(tried: Trial) -> None:
    tried.bench.settings = replace(tried.settings, place=replace(tried.settings.place, farthest_m=1e-5))
    tried.bench.refine = lambda request, result: Refinement(why_not="switched off")
    outcome = tried.run(0)
    assert outcome.rule == "out of reach"
    request = read_request(tried.settings.data_dir / "requests" / "placing.csv")
    assert request.exact
    tip = tried.bench.waypoints.tips(request.bases)[0]
    assert np.hypot(tip[0] - BOX_M[0], tip[2] - BOX_M[1]) < 0.002
    tried.run(1)
    assert len(read_request(tried.settings.data_dir / "requests" / "placing.csv").bases) == 1  # asked once


def test_a_box_that_nobody_sees_is_unknown_and_nothing_moves(tried: Trial) -> None:
    tried.cell.things.put_box(-0.70, -0.70)
    sent = len(tried.arm.sent)
    outcome = tried.run(0)
    assert (outcome.state, outcome.rule) == ("refused", "box not seen")
    assert len(tried.arm.sent) == sent


def test_a_failing_observer_is_counted_warned_of_once_and_the_arm_goes_on(
    tried: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    append = RunLog.append

    def failing(self: RunLog, relation: str, /, **values: object) -> None:
        if relation in ("lookup_observation", "arm_move", "observation"):
            raise OSError("no space left")
        append(self, relation, **values)

    monkeypatch.setattr(RunLog, "append", failing)
    assert tried.run(0).state == "finished"
    assert len([line for line in tried.said if "could not be written" in line]) == 1


def test_a_wish_to_stop_puts_the_block_back_and_ends_at_home(
    tried: Trial, monkeypatch: pytest.MonkeyPatch
) -> None:
    lift = tried.arm.check_held

    def asked() -> Any:
        ask_to_stop(15)
        return lift()

    monkeypatch.setattr(tried.arm, "check_held", asked)
    try:
        outcome = tried.run(0)
    finally:
        stop.forget_wishes()
    assert (outcome.state, outcome.rule) == ("aborted", "stop")
    assert max(map(abs, tried.arm.read().joints_deg)) < 2.0
    place = tried.cell.pose("block1").place_m
    assert place[1] < 0.02
    assert 0.09 < place[0] < 0.19


@pytest.mark.parametrize(
    ("failure", "state", "link_lost"),
    [
        (LinkLost("gone"), "aborted", True),
        (Rebooted("again"), "unknown", False),
        (GripFailed("lost"), "aborted", False),
    ],
)
def test_what_stops_the_arm_ends_the_run(
    tried: Trial, monkeypatch: pytest.MonkeyPatch, failure: Exception, state: str, link_lost: bool
) -> None:
    def fails() -> Any:
        raise failure

    monkeypatch.setattr(tried.arm, "check_held", fails)
    outcome = tried.run(0)
    assert (outcome.state, outcome.link_lost) == (state, link_lost)
    assert rows(tried, "SELECT state FROM run") == [(state,)]


def test_an_arm_that_reports_a_motion_it_does_not_make_is_noticed(tried: Trial) -> None:
    move = tried.arm.move
    stuck = False

    def lies(target: Any, speed: Any = None, **more: Any) -> Any:
        if not stuck:
            return move(target, speed, **more)
        return Moved(tuple(target), tuple(target), 0.0, speed, 0.0, 1)

    tried.arm.move = lies  # type: ignore[method-assign, assignment]
    servo = tried.bench.settings.place.servo
    tried.bench.settings = replace(
        tried.bench.settings,
        place=replace(tried.bench.settings.place, servo=replace(servo, tolerance_m=0.0004, gain=1.0)),
    )
    catch = tried.watch.catch
    looks = 0

    def counted(ids: Any, images: int) -> Any:
        nonlocal looks, stuck
        looks += 1
        stuck = looks >= 3  # look, hand, then the first look over the box
        return catch(ids, images)

    tried.watch.catch = counted  # type: ignore[method-assign]
    outcome = tried.run(0)
    assert (outcome.state, outcome.rule) == ("unknown", "NotBelieved")
    assert "reported but not moved" in outcome.reason
    assert (True,) in rows(tried, "SELECT not_moved FROM arm_move")


def test_an_arm_that_came_to_rest_beyond_j4s_safe_range_goes_on(tried: Trial) -> None:
    """As seen in one of twenty seeds: a hundredth of a degree outside, every motion was refused for ever."""
    low_deg = tried.settings.arm.j4_safe_deg[0]
    start = [0.0, 0.0, 0.0, 0.0, low_deg + 0.02, 0.0]
    tried.arm.move(start, in_batch=True)
    offset_deg = tried.arm.read().joints_deg[4] - low_deg
    tried.arm.mark_homed([*tried.arm.offsets_deg[:4], tried.arm.offsets_deg[4] - offset_deg - 0.01, 0.0])
    assert tried.arm.read().joints_deg[4] == pytest.approx(low_deg - 0.01, abs=1e-9)
    assert tried.run(0).place == "yes"
