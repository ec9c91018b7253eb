"""The driver on the default emulated arm: the real library, the firmware, contact physics with its errors."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
import pytest

from lib.arm import Arm, GripFailed, connect
from lib.arm.registration import registration, running
from lib.cell import CellLink
from lib.robot import load_robot, tip_points
from lib.settings import Settings
from tests.lib.arm.test_path_check import PUBLISHED


@dataclass(frozen=True)
class InTheTwin:
    arm: Arm
    cell: CellLink


@pytest.fixture(scope="module")
def twin(tmp_path_factory: pytest.TempPathFactory) -> Iterator[InTheTwin]:
    settings = Settings(data_dir=tmp_path_factory.mktemp("twin") / "data")
    settings = replace(settings, cell=replace(settings.cell, time_scale=20.0))
    assert settings.arm.kind == "emulated"
    assert settings.arm.body == "twin"
    with connect(settings) as arm:
        where = running(registration(settings.data_dir))
        assert where is not None
        with CellLink(where.socket) as cell:
            arm.mark_homed()
            yield InTheTwin(arm, cell)


def test_the_published_poses_are_reached_in_their_order(twin: InTheTwin) -> None:
    for name in ("cup", "lift", "above", "lowered", "home", "place", "home"):
        moved = twin.arm.move([round(value, 2) for value in PUBLISHED[name]], 60)
        assert moved.off_deg < 0.9, name
        # The encoders do not know of the joints' offsets; the truth is within the largest of them.
        true_deg = np.array(twin.cell.truth()["joints_deg"])
        assert np.abs(true_deg - moved.reached_deg).max() < 1.0 + 0.5 + 0.3
    assert twin.arm.link.suspicions == []


def test_a_block_is_gripped_held_lifted_and_let_go(twin: InTheTwin) -> None:
    arm, cell = twin.arm, twin.cell
    pick = list(PUBLISHED["pick"])
    arm.move([-35.0, 40.0, 20.0, 0.0, -60.0, -30.0], 60)
    arm.grip(100)
    for name, x in (("block1", 0.0), ("block2", -0.05), ("block3", -0.10)):
        cell.put_block(name, x, 0.35)  # out of the way
    arm.move(pick, 40)
    x, _, z = cell.truth()["places_m"]["tip"]
    cell.put_block("block1", x, z, turn_deg=35.0)
    gripped = arm.grip(0)
    assert gripped.holds
    assert 40 < gripped.value < 60  # a cube of 30 mm between fingers that open 60 mm
    arm.move([-35.0, 66.0, 22.0, 0.0, -78.0, -30.0], 20)
    arm.move([-35.0, 40.0, 20.0, 0.0, -60.0, -30.0], 30)
    assert cell.truth()["held"] == "block1"
    assert cell.truth()["places_m"]["block1"][1] > 0.05
    assert arm.check_held().holds
    assert not arm.grip(100).holds
    with pytest.raises(GripFailed, match="holds nothing"):
        arm.check_held()


def test_the_cameras_film_while_the_arm_moves_and_the_line_does_not_suffer(twin: InTheTwin) -> None:
    before = len(twin.arm.link.suspicions)
    pictures: list[np.ndarray] = []

    def film() -> None:
        for camera in twin.cell.cameras():
            pictures.append(twin.cell.frame(camera))

    filming = threading.Thread(target=film)
    filming.start()
    while filming.is_alive():
        for target in ([20.0, 0, 0, 0, 0, 0], [-20.0, 0, 0, 0, 0, 0]):
            twin.arm.move(target, 30)
    filming.join()
    assert {picture.shape for picture in pictures} == {(1200, 1600)}
    assert len(twin.arm.link.suspicions) - before <= 1  # two cores for all of it


def test_the_tip_is_where_the_chain_says_within_the_errors_of_the_cell(twin: InTheTwin) -> None:
    robot = load_robot("mecharm270")
    assert robot is not None
    moved = twin.arm.move([0.0] * 6, 60)
    chain = tip_points(robot, [moved.reached_deg])[0]
    true = np.array(twin.cell.truth()["places_m"]["tip"])
    assert 0.0005 < np.linalg.norm(true - chain) < 0.030


def test_a_registered_arm_is_gone_with_its_driver(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    with connect(settings) as arm:
        assert arm.time_scale == 1.0
        socket = running(registration(settings.data_dir))
        assert socket is not None
    assert not Path(socket.socket).exists()
