"""The cell's physics: the arm is where the kinematics say, things rest, are held, slip and fall."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.cell import Cell, no_errors
from lib.errors import BadInput
from lib.robot import Robot, tip_points
from lib.settings_cell import Cell as CellSettings
from tests.lib.cell.conftest import ABOVE, CUP, LIFT, LOWERED, move

HOME = (0.0,) * 6
PUBLISHED = ((36.215, 57, 20, -12, -86, -30), (-35, 70, 25, 0, -85, -30), CUP, LIFT, ABOVE, LOWERED, HOME)


@pytest.mark.parametrize("pose", PUBLISHED)
def test_with_errors_off_the_tip_is_where_the_kinematics_say_to_a_micrometre(
    robot: Robot, pose: tuple[float, ...]
) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="empty")
    move(cell, HOME, pose, 1.0, 100.0)
    cell.drive(pose, 100.0, 1.0)
    assert np.abs(cell.tip_pose().place_m - tip_points(robot, [pose])[0]).max() < 1e-6
    assert np.abs(cell.encoders_deg() - pose).max() <= 0.0879 / 2 + 1e-9


def test_what_stands_stays_where_it_stands(robot: Robot) -> None:
    for scene, names in (("motion", ["cup"]), ("batch", ["block1", "block2", "block3"])):
        cell = Cell(robot, CellSettings(), errors=no_errors(), scene=scene)  # type: ignore[arg-type]
        before = [cell.pose(name).place_m.copy() for name in names]
        cell.drive(HOME, 100.0, 5.0)
        for name, place_m in zip(names, before, strict=True):
            assert cell.pose(name).place_m == pytest.approx(place_m, abs=5e-5)
            assert cell.pose(name).rotation[1, 1] == pytest.approx(1.0, abs=1e-6)


def carry_the_cup(cell: Cell) -> None:
    """The published sequence; over the cup by the lift pose, and away from the stand by the one above."""
    move(cell, HOME, LIFT, 2.0, 100.0)
    move(cell, LIFT, CUP, 2.0, 100.0)
    cell.drive(CUP, 100.0, 0.3)
    cell.drive(CUP, 0.0, 1.0)
    move(cell, CUP, LIFT, 2.0, 0.0)


def test_a_cup_is_held_by_friction_and_put_down_upright_on_the_stand(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors())
    carry_the_cup(cell)
    assert cell.held() == "cup" and cell.gripper_value() > 50
    lifted = cell.pose("cup").place_m.copy()
    cell.drive(LIFT, 0.0, 10.0)
    assert cell.pose("cup").place_m == pytest.approx(lifted, abs=5e-4)
    move(cell, LIFT, ABOVE, 2.0, 0.0)
    move(cell, ABOVE, LOWERED, 3.0, 0.0)
    assert cell.held() == "cup"
    cell.drive(LOWERED, 100.0, 1.0)
    move(cell, LOWERED, ABOVE, 2.0, 100.0)
    cup = cell.pose("cup")
    assert cup.place_m == pytest.approx([0.219, 0.025, 0.236], abs=0.006)
    assert cup.rotation[1, 1] == pytest.approx(1.0, abs=1e-4)
    assert cell.held() is None


def test_a_cup_gripped_too_weakly_slips(robot: Robot) -> None:
    cell = Cell(robot, replace(CellSettings(), grip_force_n=0.2), errors=no_errors())
    carry_the_cup(cell)
    strong = Cell(robot, CellSettings(), errors=no_errors())
    carry_the_cup(strong)
    assert cell.pose("cup").place_m[1] < strong.pose("cup").place_m[1] - 0.01


def test_an_empty_gripper_closes_below_its_empty_value(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="empty")
    cell.drive(HOME, 0.0, 1.5)
    assert robot.shape is not None and robot.shape.gripper is not None
    assert cell.gripper_value() < robot.shape.gripper.empty_value
    cell.drive(HOME, 100.0, 1.5)
    assert cell.gripper_value() == pytest.approx(100.0, abs=0.5)


def test_the_same_seed_is_the_same_cell_and_another_is_not(robot: Robot) -> None:
    def tip(seed: int) -> list[float]:
        cell = Cell(robot, CellSettings(), seed=seed, scene="batch")
        move(cell, HOME, LIFT, 0.5, 100.0)
        where: list[float] = cell.tip_pose().place_m.tolist() + cell.pose("block1").place_m.tolist()
        return where

    assert tip(3) == tip(3)
    assert np.abs(np.subtract(tip(3), tip(4))).max() > 1e-4


def test_a_released_arm_sinks_and_a_hand_can_pose_it(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), seed=1, scene="empty")
    move(cell, HOME, LIFT, 1.0, 100.0)
    cell.set_power(False)
    before = cell.tip_pose().place_m[1]
    cell.drive(LIFT, 100.0, 1.0)
    assert cell.tip_pose().place_m[1] < before - 0.02
    cell.pose_by_hand(CUP)
    cell.drive(HOME, 100.0, 1.0)
    assert np.abs(cell.encoders_deg() - CUP).max() < 0.1
    cell.set_power(True)
    cell.drive(CUP, 100.0, 1.0)
    assert np.abs(cell.encoders_deg() - CUP).max() < 0.1


def test_a_thing_that_is_not_there_is_named(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors())
    with pytest.raises(BadInput, match='no "block1" in the motion scene; expected cup'):
        cell.pose("block1")
