"""The cup is kept in the tool's own frame: j0 turns 95 degrees and it stays where it was gripped."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

from lib.motion import Grasp, State, above_floor, commanded_cup, tool_frames, upright, yaw_deg
from tests.lib.motion.published import CUP_M, SEQUENCE, published_plan, robot


def test_the_commanded_cup_is_constant_in_the_tools_frame_while_j0_turns_95_degrees() -> None:
    planned = published_plan()
    cup = commanded_cup(planned, robot(), CUP_M, SEQUENCE.floor_m)
    axes, tips_m = tool_frames(robot(), planned.targets_deg)
    carried = np.isin(planned.states, ["GRABBING", "LIFTING", "MOVING_TO_PLACE", "LOWERING"])
    j0 = planned.targets_deg[carried, 0]
    assert j0.max() - j0.min() == pytest.approx(95.0)
    offsets = np.einsum("nij,ni->nj", axes, cup.free_m - tips_m)[carried]
    turned = np.einsum("nij,nik->njk", axes, cup.axes)[carried]
    assert np.abs(offsets - offsets[0]).max() < 1e-9
    assert np.abs(turned - turned[0]).max() < 1e-9
    world = (cup.free_m - tips_m)[carried]
    assert np.abs(world - world[0]).max() > 0.004  # what an offset kept in the room's axes would get wrong


def test_the_foot_never_sinks_below_the_stands_top_but_follows_the_tool_above_it() -> None:
    free_m = np.array([[0.1, 0.024, 0.2], [0.1, 0.026, 0.2]])
    assert above_floor(free_m, 0.025).tolist() == [[0.1, 0.025, 0.2], [0.1, 0.026, 0.2]]
    assert free_m[0, 1] == 0.024


def test_at_release_the_published_pose_holds_the_cup_just_under_20_mm_above_the_stand() -> None:
    planned = published_plan()
    cup = commanded_cup(planned, robot(), CUP_M, SEQUENCE.floor_m)
    last = np.flatnonzero(planned.states == State.LOWERING.value)[-1]
    assert 0.017 < cup.foot_m[last, 1] - SEQUENCE.floor_m < 0.020
    assert np.degrees(np.arccos(cup.axes[last, 1, 1])) == pytest.approx(
        4.0, abs=0.1
    )  # the tool's pitch changed
    assert cup.foot_m[-1, 1] == SEQUENCE.floor_m
    assert np.array_equal(cup.axes[-1][:, 1], [0.0, 1.0, 0.0])


def test_a_grasp_given_back_is_the_cup_that_was_recorded() -> None:
    rng = np.random.default_rng(4)
    mirror = np.diag([1.0, 1.0, -1.0])  # the twin's axes are left-handed
    tool = mirror @ Rotation.random(rng=rng).as_matrix()
    cup = mirror @ Rotation.random(rng=rng).as_matrix()
    tip_m, cup_m = rng.normal(size=(2, 3))
    axes, places_m = Grasp.recorded(tool, tip_m, cup, cup_m).cup_poses(tool[None], tip_m[None])
    assert axes[0] == pytest.approx(cup, abs=1e-14)
    assert places_m[0] == pytest.approx(cup_m, abs=1e-14)


@pytest.mark.parametrize("turn_deg", [-170.0, -15.0, 0.0, 90.0, 180.0])
def test_the_turn_about_the_upright_is_counted_as_unity_does(turn_deg: float) -> None:
    axes = upright(turn_deg)
    forward = axes[:, 2]
    assert forward == pytest.approx([np.sin(np.radians(turn_deg)), 0.0, np.cos(np.radians(turn_deg))])
    assert yaw_deg(axes[None])[0] == pytest.approx(turn_deg)
