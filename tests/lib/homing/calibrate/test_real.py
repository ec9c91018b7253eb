"""Real photos and readings give at least what was reached on them before."""

from __future__ import annotations

import tomllib
from functools import cache
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from lib.homing import Lens
from lib.homing.calibrate import (
    BoardFinder,
    BoardSpec,
    FlangePhoto,
    LyingPhoto,
    calibrate_arm,
    calibrate_camera,
    place_rig,
    read_pose,
    read_readings,
)

VISION = Path(__file__).parents[4] / "../shared/accept/vision"
needs_photos = pytest.mark.skipif(not VISION.is_dir(), reason=f"no real photos at {VISION}")
ABB_BOARD = BoardSpec.parse("charuco:5x7:0.036195:0.018256:DICT_6X6_250")
ABB_START = np.array([1352.02747, 1356.14287, 789.67065, 627.2995])


def grey(file: Path) -> NDArray[np.uint8]:
    return np.asarray(cv2.imread(str(file), cv2.IMREAD_GRAYSCALE), dtype=np.uint8)


@cache
def abb_photos() -> tuple[FlangePhoto, ...]:
    finder, corners_m = BoardFinder(ABB_BOARD), ABB_BOARD.corners_m()
    photos = []
    for file in sorted((VISION / "abb_charuco").glob("*.jpg")):
        view = finder.find(grey(file))
        pose = read_pose(VISION / "abb_charuco" / "poses" / f"{file.stem}.yaml")
        photos.append(FlangePhoto(file.stem, pose, corners_m[view.ids], view.corners_px))
    return tuple(photos)


@needs_photos
def test_a_fixed_camera_and_a_real_arm_agree_within_the_arms_own_error() -> None:
    found = calibrate_camera("abb", abb_photos(), (1600, 1200), ABB_START)
    assert len(found.used) == 14
    assert found.rms_px < 1.04
    left_out = found.as_json()["leave_one_out"]
    assert isinstance(left_out, dict)
    # The reference fits the corners to the arm's poses as told: 2.02 mm and 0.309 deg, worst 6.40 and
    # 0.940. Giving the arm its own error halves what is left.
    assert left_out["mean_mm"] < 1.1
    assert left_out["worst_mm"] < 2.0
    assert left_out["mean_deg"] < 0.2
    assert left_out["worst_deg"] < 0.4


@needs_photos
def test_without_start_intrinsics_the_same_camera_is_found() -> None:
    told = calibrate_camera("abb", abb_photos(), (1600, 1200), ABB_START).camera
    found = calibrate_camera("abb", abb_photos(), (1600, 1200)).camera
    np.testing.assert_allclose(found.lens.intrinsics_px, told.lens.intrinsics_px, atol=0.01)
    np.testing.assert_allclose(found.place_m, told.place_m, atol=1e-5)


@needs_photos
def test_half_of_a_positioners_readings_foretell_the_other_half() -> None:
    found = calibrate_arm(read_readings(VISION / "positioner" / "measurements.yaml"))
    assert len(found.off_mm) == 205
    assert found.off_mm.mean() < 0.40
    assert found.off_deg.mean() < 0.0465
    assert len(found.held_out_deg) == 102
    assert (found.held_out_deg.mean(axis=0) < [0.022, 0.016]).all()
    assert (found.held_out_deg.max(axis=0) < [0.066, 0.050]).all()


@needs_photos
def test_four_real_cameras_are_placed_by_a_board_printed_white_on_black() -> None:
    folder = VISION / "four_cameras"
    array = tomllib.loads((folder / "camera_array.toml").read_text())["cameras"]
    lenses = {}
    for key, entry in array.items():
        (fx, _, cx), (_, fy, cy), _ = entry["matrix"]
        lenses[f"cam{key}"] = Lens(
            np.array([fx, fy, cx, cy]), np.array(entry["distortions"]), tuple(entry["size"])
        )
    spec = BoardSpec.parse("charuco:4x5:0.054:0.0405:DICT_4X4_1000")
    finder, photos = BoardFinder(spec), []
    for file in sorted(folder.glob("*.jpg")):
        view = finder.find(grey(file))
        assert view.inverted
        instant, camera = file.stem.split("_")
        photos.append(LyingPhoto(camera, instant, spec.corners_m()[view.ids], view.corners_px))
    found = place_rig(lenses, photos)
    assert (len(found.cameras), found.unplaced) == (4, ())
    assert found.single_view_px < 0.128
    assert round(found.rms_px, 2) <= 0.59
    assert found.median_px <= 0.43
