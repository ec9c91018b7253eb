"""The four diagnoses: silent on a run that goes as told, and each planted trouble found by its number."""

from __future__ import annotations

import numpy as np
import pytest

from lib.motion import Diagnosis, FrameLog, State, diagnose, tool_frames
from lib.settings import Settings
from tests.lib.motion.published import SEQUENCE, changed, ideal_log, robot

BOUNDS = Settings().motion.diagnosis


def diagnosed(log: FrameLog) -> dict[str, Diagnosis]:
    return {found.name: found for found in diagnose(log, robot(), SEQUENCE, BOUNDS)}


def wrong(log: FrameLog) -> set[str]:
    return {name for name, found in diagnosed(log).items() if not found.ok}


def test_the_published_run_as_told_has_nothing_wrong_and_each_number_is_there() -> None:
    found = diagnosed(ideal_log())
    assert wrong(ideal_log()) == set()
    assert found["cup sinks"].value_m == pytest.approx(0.0, abs=1e-12)
    assert found["cup slips in the grip"].value_m == pytest.approx(0.0, abs=1e-9)
    assert found["dropped from above"].value_m == pytest.approx(0.0179, abs=0.002)
    assert found["tool and target diverge"].value_m == pytest.approx(0.0, abs=1e-12)


def test_a_cup_that_sinks_into_the_stand_is_found_with_its_depth_and_time() -> None:
    log = ideal_log()
    placing = np.flatnonzero(log.during(State.PLACING))
    cup_m = log.cup_m.copy()
    cup_m[placing[3], 1] = 0.025 - 0.0042
    found = diagnosed(changed(log, cup_m=cup_m))
    assert wrong(changed(log, cup_m=cup_m)) == {"cup sinks"}
    assert found["cup sinks"].value_m == pytest.approx(0.0042)
    assert found["cup sinks"].says == "the cup's foot is 4.2 mm below the stand's top at 9.58 s, PLACING"


def test_a_cup_that_slips_sideways_while_it_is_carried_is_found_in_the_tools_own_frame() -> None:
    log = ideal_log()
    axes, _ = tool_frames(robot(), log.joints_deg)
    carried = np.flatnonzero(log.during(State.MOVING_TO_PLACE))
    cup_m = log.cup_m.copy()
    slip_m = np.linspace(0.0, 0.007, len(carried))
    cup_m[carried] += axes[carried][:, :, 0] * slip_m[:, None]
    found = diagnosed(changed(log, cup_m=cup_m))
    assert wrong(changed(log, cup_m=cup_m)) == {"cup slips in the grip"}
    assert found["cup slips in the grip"].value_m == pytest.approx(0.007)
    assert (
        "7.0 mm" in found["cup slips in the grip"].says
        and "MOVING_TO_PLACE" in found["cup slips in the grip"].says
    )


def test_an_offset_kept_in_the_rooms_axes_is_the_slip_the_original_had() -> None:
    log = ideal_log()
    grasped = np.flatnonzero(log.during(State.GRABBING))[-1]
    carried = log.during(State.LIFTING, State.MOVING_TO_PLACE, State.LOWERING)
    cup_m = log.cup_m.copy()
    cup_m[carried] = log.tip_m[carried] + (log.cup_m[grasped] - log.tip_m[grasped]) + [0.02, 0.0, 0.0]
    assert "cup slips in the grip" in wrong(changed(log, cup_m=cup_m))


def test_a_cup_let_go_too_high_is_a_drop_with_its_height() -> None:
    log = ideal_log()
    lowering = np.flatnonzero(log.during(State.LOWERING))
    raised = log.during(State.GRABBING, State.LIFTING, State.MOVING_TO_PLACE, State.LOWERING)
    up = np.where(raised[:, None], [0.0, 0.012, 0.0], 0.0)
    higher = changed(log, cup_m=log.cup_m + up, tip_m=log.tip_m + up)
    found = diagnosed(higher)["dropped from above"]
    assert wrong(higher) == {"dropped from above"}
    assert found.value_m == pytest.approx(log.cup_m[lowering[-1], 1] + 0.012 - 0.025)
    assert found.says.endswith("that is a drop")


def test_a_cup_left_on_the_way_is_not_called_dropped_from_where_it_lies() -> None:
    log = ideal_log()
    lost = np.arange(len(log)) > np.flatnonzero(log.during(State.LIFTING))[40]
    cup_m = np.where(lost[:, None], [-0.2, 0.055, 0.3], log.cup_m)
    found = diagnosed(changed(log, cup_m=cup_m))
    assert found["dropped from above"].value_m is None
    assert found["dropped from above"].says == "the cup was not in the grip when the arm let go"
    assert not found["cup slips in the grip"].ok


def test_a_joint_that_stays_behind_makes_tool_and_target_diverge() -> None:
    log = ideal_log()
    stuck = log.during(State.LIFTING)
    joints = log.joints_deg.copy()
    joints[stuck, 1] = joints[np.flatnonzero(stuck)[0], 1]
    _, tips_m = tool_frames(robot(), joints)
    tip_m = np.where(stuck[:, None], tips_m, log.tip_m)
    found = diagnosed(changed(log, joints_deg=joints, tip_m=tip_m))["tool and target diverge"]
    assert not found.ok
    assert found.value_m == pytest.approx(np.linalg.norm(tip_m - log.tip_m, axis=1).max())
    assert "LIFTING" in found.says


def test_a_run_that_was_aborted_before_the_grasp_says_so_and_is_not_well() -> None:
    log = ideal_log()
    cut = FrameLog(**{name: value[:50] for name, value in vars(log).items()})
    found = diagnosed(cut)
    assert wrong(cut) == {"cup slips in the grip", "dropped from above"}
    assert {found[name].value_m for name in wrong(cut)} == {None}
