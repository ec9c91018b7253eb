"""Poses for a tip that is to be elsewhere: solved within limits, or told how far they stay away."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.motion import reach, tool_frames
from lib.robot import outside_limits, tip_points
from tests.lib.motion.published import SEQUENCE, robot


@settings(max_examples=30, deadline=None)
@given(st.floats(-0.04, 0.04), st.floats(-0.03, 0.08), st.floats(0.0, 0.06))
def test_a_tip_near_the_cup_is_reached_with_the_tool_held_the_same(
    right: float, up: float, back: float
) -> None:
    cup = np.array(SEQUENCE.to_cup_deg)
    axes, tips_m = tool_frames(robot(), cup[None])
    wanted_m = tips_m[0] + right * axes[0][:, 0] + up * np.array([0.0, 1.0, 0.0]) - back * axes[0][:, 2]
    found = reach(robot(), cup, wanted_m, axes[0])
    assert found.ok
    assert not outside_limits(robot(), found.joints_deg[None])[0]
    held, reached_m = tool_frames(robot(), found.joints_deg[None])
    assert np.linalg.norm(reached_m[0] - wanted_m) <= 1e-4
    assert np.degrees(np.arccos(np.clip((np.trace(held[0].T @ axes[0]) - 1) / 2, -1, 1))) <= 0.1


def test_out_of_reach_the_nearest_pose_within_limits_says_how_far_it_stays_away() -> None:
    cup = np.array(SEQUENCE.to_cup_deg)
    axes, tips_m = tool_frames(robot(), cup[None])
    wanted_m = tips_m[0] + [0.0, 0.5, 0.0]
    found = reach(robot(), cup, wanted_m, axes[0])
    assert not found.ok
    assert not outside_limits(robot(), found.joints_deg[None])[0]
    away_m = np.linalg.norm(tip_points(robot(), found.joints_deg[None])[0] - wanted_m)
    assert found.place_error_m == pytest.approx(away_m)
    assert 0.1 < away_m < 0.5
