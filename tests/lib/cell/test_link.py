"""A cell in another process answers questions over a socket: pictures, truth, where things are put."""

from __future__ import annotations

import json
import socket
import threading
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from lib.cell import Cell, CellLink, answer, no_errors
from lib.errors import BadInput, NightpickError, Refused
from lib.robot import Robot
from lib.settings_cell import Cell as CellSettings


@pytest.fixture
def cell(robot: Robot) -> Cell:
    return Cell(robot, CellSettings(), errors=no_errors(), scene="batch")


@pytest.fixture
def link(cell: Cell, tmp_path: Path) -> Iterator[CellLink]:
    """A link to a cell that is served line by line, as the emulated arm serves it."""
    listening = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
    listening.bind(str(tmp_path / "cell.sock"))
    listening.listen()

    def serve() -> None:
        client, _ = listening.accept()
        with client, client.makefile("rb") as lines:
            for line in lines:
                try:
                    header, raw = answer(cell, json.loads(line))
                except NightpickError as error:
                    header, raw = {"error": str(error)}, b""
                client.sendall(json.dumps({**header, "bytes": len(raw)}).encode() + b"\n" + raw)

    thread = threading.Thread(target=serve)
    thread.start()
    with CellLink(tmp_path / "cell.sock") as connected:
        yield connected
    thread.join(10)
    listening.close()


def test_pictures_come_through_as_they_were_taken(cell: Cell, link: CellLink) -> None:
    assert link.cameras() == ["left", "right", "above", "back"]
    grey, colour = link.frame("above"), link.frame("above", colour=True)
    assert (grey.shape, colour.shape, grey.dtype) == ((1200, 1600), (1200, 1600, 3), np.uint8)
    # The same scene, another picture's noise.
    again = cell.frame("above")
    assert np.abs(grey.astype(int) - again.astype(int)).mean() < 4
    grey[0, 0] = 0


def test_the_truth_is_the_cells(cell: Cell, link: CellLink) -> None:
    truth = link.truth()
    assert truth["scene"] == "batch"
    assert truth["joints_deg"] == pytest.approx(cell.joints_deg())
    assert truth["places_m"]["block1"] == pytest.approx(cell.pose("block1").place_m)
    assert truth["places_m"]["tip"] == pytest.approx(cell.tip_pose().place_m)
    assert np.array(truth["rotations"]["box"]) == pytest.approx(np.eye(3))
    assert truth["joint_offsets_deg"] == [0.0] * 6
    assert truth["held"] is None


def test_things_are_put_and_scenes_are_set_from_afar(cell: Cell, link: CellLink) -> None:
    link.put_block("block1", 0.05, 0.3, 10.0)
    assert cell.pose("block1").place_m == pytest.approx([0.05, 0.015, 0.3])
    link.put_box(-0.15, 0.2, 5.0)
    box = cell.pose("box")
    assert box.place_m == pytest.approx([-0.15, 0.0, 0.2])
    assert np.degrees(np.arctan2(box.rotation[0, 2], box.rotation[2, 2])) == pytest.approx(5.0)
    place_m = cell.film.eye("left").place_m
    link.bump_camera("left", shift_m=(0.015, 0.0, 0.0))
    # The twin's x is the vendor's -y.
    assert cell.film.eye("left").place_m - place_m == pytest.approx([0.0, -0.015, 0.0])
    link.reset("motion")
    link.put_cup(0.1, 0.0, 0.3)
    assert cell.pose("cup").place_m == pytest.approx([0.1, 0.0, 0.3])


def test_what_the_cell_refuses_is_raised_here(link: CellLink, cell: Cell) -> None:
    with pytest.raises(NightpickError, match='simulated cell: no camera "front"; expected left, right'):
        link.frame("front")
    with pytest.raises(NightpickError, match='no "block9" in this scene; expected block1, block2 or block3'):
        link.put_block("block9", 0.0, 0.0)
    assert link.truth()["scene"] == "batch"
    with pytest.raises(BadInput, match="question 'dance': not known; expected frame, truth"):
        answer(cell, {"ask": "dance"})
    with pytest.raises(BadInput, match='question "frame": missing a required argument'):
        answer(cell, {"ask": "frame"})


def test_nobody_listening_is_one_clear_line(tmp_path: Path) -> None:
    with pytest.raises(Refused, match="no simulated cell answers there"):
        CellLink(tmp_path / "nothing.sock")
