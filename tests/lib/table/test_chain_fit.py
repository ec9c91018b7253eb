"""The chain fit: finds the tip a table was made with, whatever part of the rows is wrong."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.robot import Robot, load_robot, tip_points
from lib.table import chain_fit
from lib.table.chain_fit import extend_fit, fit_tips, implied_tips

LIMIT_M = 1e-3


@pytest.fixture(scope="module")
def robot() -> Robot:
    found = load_robot("mecharm270")
    assert found is not None
    return found


def scan(robot: Robot, rows: int, seed: int = 0) -> np.ndarray:
    rng = np.random.default_rng(seed)
    joints = rng.uniform(-80, 60, size=(rows, 6))
    return np.hstack([tip_points(robot, joints), joints])


def test_the_fit_is_the_tip_the_rows_were_made_with(robot: Robot) -> None:
    fit = fit_tips(robot, implied_tips(robot, scan(robot, 500)), LIMIT_M)
    assert fit.tip_m == pytest.approx(tuple(robot.tip_m), abs=1e-12)
    assert fit.rms_m < 1e-12 and fit.rows == 500 and fit.axes == "-y z x"


def test_noise_gives_its_own_size_as_rms(robot: Robot) -> None:
    points = scan(robot, 20_000)
    points[:, :3] += np.random.default_rng(1).normal(0, 1e-4, size=(len(points), 3))
    fit = fit_tips(robot, implied_tips(robot, points), LIMIT_M)
    # Three independent coordinates of 0.1 mm: the distance has 0.1 * sqrt(3) RMS.
    assert fit.rms_m == pytest.approx(1e-4 * np.sqrt(3), rel=0.02)


def test_rows_that_are_wrong_do_not_move_the_tip(robot: Robot) -> None:
    points = scan(robot, 1_000)
    points[:400, :3] += 0.05
    fit = fit_tips(robot, implied_tips(robot, points), LIMIT_M)
    assert fit.tip_m == pytest.approx(tuple(robot.tip_m), abs=1e-9)
    assert fit.rows == 600 and fit.worst_m == pytest.approx(0.05 * np.sqrt(3), rel=1e-6)


@settings(max_examples=30, deadline=None)
@given(cut=st.integers(1, 299), seed=st.integers(0, 1_000))
def test_extending_a_fit_is_the_fit_of_all_rows(cut: int, seed: int) -> None:
    robot = load_robot("mecharm270")
    assert robot is not None
    points = scan(robot, 300, seed)
    points[:, :3] += np.random.default_rng(seed).normal(0, 5e-5, size=(300, 3))
    tips = implied_tips(robot, points)
    whole = fit_tips(robot, tips, LIMIT_M)
    extended = extend_fit(fit_tips(robot, tips[:cut], LIMIT_M), tips[cut:], LIMIT_M)
    assert extended.rows == whole.rows
    assert extended.tip_m == pytest.approx(whole.tip_m, abs=1e-12)
    assert extended.sum_squares_m2 == pytest.approx(whole.sum_squares_m2, rel=1e-9)


def test_a_table_of_no_rows_has_no_fit(robot: Robot) -> None:
    fit = fit_tips(robot, np.empty((0, 3)), LIMIT_M)
    assert fit.rows == 0 and np.isnan(fit.rms_m)


def test_another_tool_is_told_by_its_length(robot: Robot) -> None:
    longer = replace(robot, tip_m=robot.tip_m + np.array([0.0, 0.0, 0.02]))
    fit = fit_tips(robot, implied_tips(robot, scan(longer, 200)), LIMIT_M)
    assert fit.tip_m == pytest.approx(tuple(longer.tip_m), abs=1e-12)


def test_rows_taken_in_lots_give_the_same_fit(robot: Robot, monkeypatch: pytest.MonkeyPatch) -> None:
    tips_m = np.random.default_rng(3).normal([0.01, 0.0, 0.1], 1e-4, (1_000, 3))
    tips_m[::50] += 0.02
    at_once = fit_tips(robot, tips_m, 1e-3)
    monkeypatch.setattr(chain_fit, "_AT_ONCE", 7)
    assert fit_tips(robot, tips_m, 1e-3) == at_once and at_once.rows == 980
