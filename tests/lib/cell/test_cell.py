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
        cell = Cell(robot, CellSettings(), errors=no_errors(), scene=scene)
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
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="motion")
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


def test_a_cup_slips_where_coulombs_law_says_that_the_grip_is_too_weak(robot: Robot) -> None:
    # Two fingers press with F, the line between them 30 degrees aslant: each has the normal force F cos 30
    # and spends F sin 30 of its friction on the slant. With a coefficient of 1.3 the rest carries
    # 2 F sqrt((1.3 cos 30)^2 - sin(30)^2), and the cup's weight is 0.59 N.
    carried_per_n = 2 * np.sqrt((1.3 * np.cos(np.pi / 6)) ** 2 - np.sin(np.pi / 6) ** 2)
    needed_n = CellSettings().cup_mass_kg * 9.81 / carried_per_n
    assert needed_n == pytest.approx(0.29, abs=0.01)
    lifted_m = []
    for force_n in (0.75 * needed_n, 1.5 * needed_n, CellSettings().grip_force_n):
        weak = replace(CellSettings(), grip_force_n=force_n)
        cell = Cell(robot, weak, errors=no_errors(), scene="motion")
        carry_the_cup(cell)
        lifted_m.append(cell.pose("cup").place_m[1])
    assert lifted_m[0] < lifted_m[2] - 0.02
    assert lifted_m[1] > lifted_m[2] - 0.004


def test_a_block_dropped_into_the_box_does_not_bounce(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="batch")
    cell.things.put_block("block1", -0.17, 0.19, 10.0, height_m=0.090)
    heights_m = []
    for _ in range(100):
        cell.drive(HOME, 100.0, 0.01)
        heights_m.append(cell.pose("block1").place_m[1] - CellSettings().block_size_m / 2)
    landed = int(np.argmax(np.array(heights_m) < CellSettings().box_floor_m + 0.001))
    # Free fall through 50 mm takes sqrt(2 h / g), a tenth of a second.
    assert landed * 0.01 == pytest.approx(np.sqrt(2 * 0.050 / 9.81), abs=0.02)
    assert max(heights_m[landed:]) < CellSettings().box_floor_m + 0.003
    assert cell.pose("block1").place_m[[0, 2]] == pytest.approx([-0.17, 0.19], abs=5e-4)


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
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="motion")
    with pytest.raises(BadInput, match='no "block1" in the motion scene; expected cup'):
        cell.pose("block1")


def test_a_reset_puts_the_things_back_and_leaves_the_arm(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="batch", joints_deg=LIFT)
    before = cell.tip_pose().place_m
    assert before == pytest.approx(tip_points(robot, [LIFT])[0], abs=1e-9)
    first = cell.pose("block1").place_m.copy()
    cell.things.put_block("block1", 0.0, 0.3, 0.0)
    cell.reset()
    assert cell.tip_pose().place_m == pytest.approx(before, abs=1e-9)
    again = cell.pose("block1").place_m
    assert np.abs(again - first).max() > 1e-4
    assert 0.10 <= again[0] <= 0.18 and 0.15 <= again[2] <= 0.24
    cell.reset("motion")
    assert cell.things.names == ("cup",)
    with pytest.raises(BadInput, match='scene "night": not known; expected batch, motion or empty'):
        cell.reset("night")


def test_a_block_put_in_the_air_falls_and_comes_to_rest(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="batch")
    cell.drive(HOME, 100.0, 1.0)
    size_m = CellSettings().block_size_m
    cell.things.put_block("block2", 0.0, 0.3, 20.0, height_m=0.1)
    assert cell.pose("block2").place_m == pytest.approx([0.0, 0.1 + size_m / 2, 0.3], abs=1e-9)
    # Free fall: g t^2 / 2 after a tenth of a second.
    cell.drive(HOME, 100.0, 0.1)
    assert 0.1 + size_m / 2 - cell.pose("block2").place_m[1] == pytest.approx(9.81 * 0.01 / 2, rel=0.03)
    cell.drive(HOME, 100.0, 1.0)
    assert cell.pose("block2").place_m == pytest.approx([0.0, size_m / 2, 0.3], abs=1e-3)
    # Turned by 20 degrees about y, from z towards x.
    x, z = cell.pose("block2").rotation[[0, 2], 2]
    assert np.degrees(np.arctan2(x, z)) == pytest.approx(20.0, abs=0.5)


def test_a_box_that_is_moved_carries_its_walls_and_holds_a_block(robot: Robot) -> None:
    cell = Cell(robot, CellSettings(), errors=no_errors(), scene="batch")
    cell.drive(HOME, 100.0, 1.0)
    cell.things.put_box(0.0, 0.35, 30.0)
    cell.things.put_block("block1", 0.0, 0.35, 0.0, height_m=0.06)
    cell.drive(HOME, 100.0, 1.0)
    assert cell.pose("block1").place_m == pytest.approx([0.0, 0.040 + 0.015, 0.35], abs=2e-3)
    # Through the wall there is no way: put beside it, a block falls to the table.
    cell.things.put_block("block2", 0.0, 0.45, 0.0, height_m=0.06)
    cell.drive(HOME, 100.0, 1.0)
    assert cell.pose("block2").place_m[1] == pytest.approx(0.015, abs=1e-3)
