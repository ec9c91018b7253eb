"""The one-shot diagnosis on photos: what it measures, which aim it corrects, what it refuses."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from lib.cell import Cell
from lib.errors import CheckFailed
from lib.place import diagnose
from lib.robot import load_robot
from lib.runlog import run_log
from lib.settings import Settings

BLOCK_M = (-0.158, 0.204)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A block lies in the box, 12 mm and 14 mm off its centre."""
    robot = load_robot("mecharm270")
    assert robot is not None
    cell = Cell(robot, Settings().cell, seed=5)
    cell.things.put_block("block2", *BLOCK_M, turn_deg=20.0, height_m=0.040)
    cell.drive([0.0] * 6, 100.0, 0.5)
    folder = tmp_path_factory.mktemp("photos")
    for camera in ("left", "above"):
        cv2.imwrite(str(folder / f"{camera}.png"), cell.frame(camera))
    return folder


def test_the_aim_is_corrected_by_what_the_photos_show(photos: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    found = diagnose(settings, photos, (-0.165, 0.195))
    assert found.block.name == "block2"
    assert found.block.x_z_m == pytest.approx(BLOCK_M, abs=0.0005)
    assert found.box.x_z_m == pytest.approx(settings.cell.box_centre_m, abs=0.0005)
    assert found.new_aim_m == pytest.approx((-0.165 - 0.012, 0.195 - 0.014), abs=0.001)
    assert f"new aim x {found.new_aim_m[0]:+.4f}" in found.text()


def test_without_an_aim_it_is_that_of_the_latest_placement(photos: Path, tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    assert diagnose(settings, photos, None).aim_from.startswith("the box's centre")
    run_log(settings.data_dir).append(
        "place", run_stem="run_0007_20261130_221500", aim_x_m=-0.18, aim_z_m=0.2
    )
    found = diagnose(settings, photos, None)
    assert (found.aim_m, found.aim_from) == ((-0.18, 0.2), "run_0007_20261130_221500")


def test_what_is_not_seen_is_said(photos: Path, tmp_path: Path) -> None:
    folder = tmp_path / "hidden"
    folder.mkdir()
    for file in photos.iterdir():
        picture = cv2.imread(str(file), cv2.IMREAD_GRAYSCALE)
        assert picture is not None
        _paint_over(picture, list(range(100, 118)))
        cv2.imwrite(str(folder / file.name), picture)
    with pytest.raises(CheckFailed, match="a block is not seen"):
        diagnose(Settings(data_dir=tmp_path / "data"), folder, None)


def _paint_over(picture: np.ndarray, ids: list[int]) -> None:
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_250))
    corners, found, _ = detector.detectMarkers(picture)
    for quad, marker in zip(corners, np.ravel(found), strict=True):
        if int(marker) in ids:
            cv2.fillConvexPoly(picture, np.round(quad).astype(np.int32).reshape(-1, 2), 128)
