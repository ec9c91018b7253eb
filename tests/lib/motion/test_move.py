"""One move: the published interpolation, waypoints passed without a stop, derivatives in closed form."""

from __future__ import annotations

import numpy as np
import pytest

from lib.motion import Move

HOME = np.zeros(6)
CUP = np.array([40.0, 82.0, -36.0, 0.0, -50.0, 0.0])
FRONT = np.array([40.0, 63.8, 13.9, 0.0, -81.7, 0.0])


def test_a_direct_move_is_the_original_loop() -> None:
    targets = Move(np.vstack([HOME, CUP]), 2.0).targets_deg
    n = 100
    assert targets.shape == (n, 6)
    for i in (0, 1, 37, 50, 98, 99):
        t = i / (n - 1)
        s = 10 * t**3 - 15 * t**4 + 6 * t**5
        assert targets[i] == pytest.approx(HOME + (CUP - HOME) * s, abs=1e-12)


def test_a_move_starts_and_ends_at_its_poses_to_the_last_bit() -> None:
    for duration_s in (0.1, 1.5, 2.0, 3.0, 5.0):
        for overlap in (0.0, 0.3, 0.5, 0.9):
            targets = Move(np.vstack([HOME, FRONT, CUP]), duration_s, overlap).targets_deg
            assert np.array_equal(targets[0], HOME)
            assert targets[-1] == pytest.approx(CUP, abs=1e-12)


def test_without_overlap_the_waypoint_is_reached_and_the_arm_stands_there() -> None:
    as_far = FRONT + 81.7 * np.eye(6)[3]
    move = Move(np.vstack([HOME, FRONT, as_far]), 2.02, overlap_share=0.0)  # 101 frames: one in the middle
    assert move.targets_deg[50] == pytest.approx(FRONT, abs=1e-12)
    assert np.abs(move.speed_deg_s[50]).max() < 1e-12


def test_a_leg_takes_time_by_how_far_its_farthest_joint_turns() -> None:
    move = Move(np.vstack([HOME, 80.0 * np.eye(6)[1], 60.0 * np.eye(6)[1]]), 2.02, overlap_share=0.0)
    assert move.targets_deg[80, 1] == pytest.approx(80.0, abs=1e-12)
    assert np.abs(move.speed_deg_s[:80, 1]).max() == pytest.approx(1.875 * 80.0 / 1.6, rel=1e-3)


def test_with_overlap_it_is_passed_in_motion_and_the_end_is_a_straight_line() -> None:
    move = Move(np.vstack([HOME, FRONT, CUP]), 2.0, overlap_share=0.4)
    assert np.abs(move.speed_deg_s[1:-1]).max(axis=1).min() > 0
    last_leg = move.targets_deg[73:]  # then the first leg is over
    along = (CUP - FRONT) / np.linalg.norm(CUP - FRONT)
    aside = (last_leg - CUP) - ((last_leg - CUP) @ along)[:, None] * along
    assert np.abs(aside).max() < 1e-9
    assert np.linalg.norm(last_leg[0] - CUP) > 0.65 * np.linalg.norm(FRONT - CUP)


@pytest.mark.parametrize("overlap", [0.0, 0.5, 0.8])
def test_speed_acceleration_and_jerk_are_the_slopes_of_the_targets(overlap: float) -> None:
    move = Move(np.vstack([HOME, FRONT, CUP]), 60.0, overlap)
    slope = np.gradient(move.targets_deg, 1 / 50, axis=0)
    assert slope[2:-2] == pytest.approx(move.speed_deg_s[2:-2], abs=2e-3)
    slope = np.gradient(move.speed_deg_s, 1 / 50, axis=0)
    assert slope[2:-2] == pytest.approx(move.acceleration_deg_s2[2:-2], abs=2e-3)
    inside = (
        np.abs(np.diff(move.jerk_deg_s3, axis=0)).max(axis=1) < 1e-2
    )  # it jumps where a leg begins or ends
    slope = np.gradient(move.acceleration_deg_s2, 1 / 50, axis=0)
    assert slope[1:-1][inside[1:] & inside[:-1]] == pytest.approx(
        move.jerk_deg_s3[1:-1][inside[1:] & inside[:-1]], abs=2e-3
    )


def test_peak_speed_of_a_direct_move_is_fifteen_eighths_of_the_mean() -> None:
    move = Move(np.vstack([HOME, CUP]), 2.02)
    assert np.abs(move.speed_deg_s).max() == pytest.approx(1.875 * 82.0 / 2.0, rel=1e-12)
