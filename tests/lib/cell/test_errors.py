"""The cell's errors: as large as set, each by itself, the same for the same seed."""

from __future__ import annotations

from dataclasses import fields, replace

import numpy as np
import pytest

from lib.cell import Cell, no_errors
from lib.cell.flaws import draw_flaws, stream
from lib.cell.joint_errors import JointErrors
from lib.robot import Robot, tip_points
from lib.settings_cell import Cell as CellSettings
from lib.settings_cell import CellErrors
from tests.lib.cell.conftest import ABOVE, CUP, LIFT, move

SETTINGS = replace(CellSettings(), encoder_step_deg=0.0)
HOME = (0.0,) * 6


def only(**errors: object) -> CellErrors:
    return replace(no_errors(), **errors)  # type: ignore[arg-type]


def settled(cell: Cell, pose: tuple[float, ...]) -> None:
    move(cell, tuple(cell.encoders_deg()), pose, 1.0, 100.0)
    cell.drive(pose, 100.0, 0.5)


def test_off_means_exactly_as_drawn(robot: Robot) -> None:
    flaws = draw_flaws(robot, SETTINGS, 3, no_errors())
    assert not flaws.joint_offsets_deg.any() and not flaws.shift_m.any()
    assert flaws.grip_force_n == SETTINGS.grip_force_n
    assert set(flaws.block_sizes_m) == {SETTINGS.block_size_m}


def test_over_seeds_each_flaw_is_as_large_as_set(robot: Robot) -> None:
    flaws = [draw_flaws(robot, SETTINGS, seed, CellErrors()) for seed in range(400)]
    offsets = np.array([flaw.joint_offsets_deg for flaw in flaws])
    assert np.abs(offsets).max() <= 1.0
    assert offsets.std() == pytest.approx(1 / np.sqrt(3), rel=0.05)  # uniform on -1 to 1
    shifts = np.linalg.norm([flaw.shift_m for flaw in flaws], axis=1)
    assert shifts.min() >= 0.002 and shifts.max() <= 0.006
    forces = np.array([flaw.grip_force_n for flaw in flaws]) / SETTINGS.grip_force_n
    assert (forces.mean(), forces.std()) == pytest.approx((1.0, 0.1), abs=0.02)
    sizes = np.array([flaw.block_sizes_m for flaw in flaws])
    assert (sizes.mean(), sizes.std()) == pytest.approx((0.030, 0.0005), abs=5e-5)


def test_switching_one_error_off_leaves_the_others_as_they_were(robot: Robot) -> None:
    whole = draw_flaws(robot, SETTINGS, 5, CellErrors())
    without = draw_flaws(robot, SETTINGS, 5, replace(CellErrors(), joint_offset_deg=0.0))
    assert not without.joint_offsets_deg.any()
    for name in ("shift_m", "sag_shares", "grip_force_n", "block_sizes_m"):
        assert np.array_equal(getattr(whole, name), getattr(without, name)), name


def test_an_offset_turns_the_true_joint_away_from_its_encoder(robot: Robot) -> None:
    cell = Cell(robot, SETTINGS, seed=4, errors=only(joint_offset_deg=1.0), scene="empty")
    settled(cell, LIFT)
    assert cell.encoders_deg() == pytest.approx(LIFT, abs=1e-5)
    assert cell.joints_deg() - LIFT == pytest.approx(cell.flaws.joint_offsets_deg, abs=1e-5)
    # An encoder cannot see it: only the tip tells.
    away = cell.tip_pose().place_m - tip_points(robot, [LIFT])[0]
    assert 0.0005 < np.linalg.norm(away) < 0.02


def test_the_arm_is_shifted_against_its_twin_by_one_vector(robot: Robot) -> None:
    cell = Cell(robot, SETTINGS, seed=4, errors=only(twin_shift_m=(0.002, 0.006)), scene="empty")
    away = []
    for pose in (HOME, LIFT, ABOVE):
        settled(cell, pose)
        away.append(cell.tip_pose().place_m - tip_points(robot, [pose])[0])
    assert np.ptp(away, axis=0).max() < 2e-6
    assert 0.002 <= np.linalg.norm(away[0]) <= 0.006


def test_play_leaves_a_joint_behind_by_half_of_it_on_the_side_it_came_from(robot: Robot) -> None:
    flaws = draw_flaws(robot, SETTINGS, 0, no_errors())
    errors = JointErrors(flaws, only(backlash_deg=0.3), stream(0, "moves"), np.zeros(6))
    level = np.zeros(6)
    assert errors.step(np.full(6, 5.0), level) == pytest.approx(np.full(6, -0.15))
    assert errors.step(np.full(6, 4.9), level) == pytest.approx(np.full(6, -0.05))
    assert errors.step(np.full(6, 4.0), level) == pytest.approx(np.full(6, 0.15))
    # From above and from below, the same set point leaves the tip in two places.
    cell = Cell(robot, SETTINGS, errors=only(backlash_deg=0.3), scene="empty")
    settled(cell, CUP)
    settled(cell, LIFT)
    down = cell.joints_deg()[1] - LIFT[1]
    settled(cell, HOME)
    settled(cell, LIFT)
    assert (down, cell.joints_deg()[1] - LIFT[1]) == pytest.approx((0.15, -0.15), abs=1e-5)
    assert cell.encoders_deg() == pytest.approx(LIFT, abs=1e-5)


def test_the_arm_sags_most_stretched_out_and_not_at_all_upright(robot: Robot) -> None:
    cell = Cell(robot, SETTINGS, seed=1, errors=only(sag_deg=0.5), scene="empty")
    stretched = (0.0, 90.0, -90.0, 0.0, 0.0, 0.0)
    settled(cell, stretched)
    sag = cell.joints_deg() - stretched
    # The weight turns the shoulder down: j1 grows. The column carries it without turning.
    assert sag[1] == pytest.approx(0.5 * cell.flaws.sag_shares[1], rel=1e-3)
    assert sag[0] == pytest.approx(0.0, abs=1e-6)
    assert np.abs(sag).max() <= 0.5
    tip_m = cell.tip_pose().place_m
    assert tip_m[1] < tip_points(robot, [stretched])[0, 1] - 0.001
    # Folded straight up the weight is over the shoulder: a tenth of it remains.
    settled(cell, (0.0, 0.0, -90.0, 0.0, 0.0, 0.0))
    assert abs(cell.joints_deg()[1]) < 0.1 * sag[1]


def test_a_repeated_move_ends_within_the_repeatability(robot: Robot) -> None:
    cell = Cell(robot, SETTINGS, seed=2, errors=only(repeatability_m=0.0007), scene="empty")
    ends = []
    for _ in range(60):
        cell.drive(HOME, 100.0, 0.4)
        cell.drive(HOME, 100.0, 0.2)
        cell.drive(LIFT, 100.0, 0.4)
        cell.drive(LIFT, 100.0, 0.4)
        ends.append(cell.tip_pose().place_m - tip_points(robot, [LIFT])[0])
    misses = np.linalg.norm(ends, axis=1)
    assert np.sqrt((misses**2).mean()) == pytest.approx(0.0007, rel=0.2)
    # Standing still, nothing moves.
    before = cell.tip_pose().place_m
    cell.drive(LIFT, 100.0, 1.0)
    assert cell.tip_pose().place_m == pytest.approx(before, abs=1e-6)


def test_every_error_of_the_settings_can_be_switched_off() -> None:
    for f in fields(CellErrors):
        assert getattr(no_errors(), f.name) in (0.0, (0.0, 0.0))
        assert getattr(CellErrors(), f.name) not in (0.0, (0.0, 0.0))
