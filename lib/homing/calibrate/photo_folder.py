"""Calibrating from folders of photos."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.errors import BadInput
from lib.homing.calibrate.board import BoardFinder, BoardSpec
from lib.homing.calibrate.camera_calibration import CameraCalibration, FlangePhoto, calibrate_camera
from lib.homing.calibrate.pose_file import read_pose
from lib.homing.calibrate.rig_calibration import LyingPhoto, RigCalibration, place_rig
from lib.homing.lens import Array, Lens

_PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp")
_POSES = (".yaml", ".yml", ".json")


def calibrate_photos(
    images: Path, poses: Path, board: BoardSpec, intrinsics_px: Array | None = None
) -> CameraCalibration:
    """Calibrate a fixed camera from a folder of photos and one of flange poses with the same names.

    Photos without a pose are left out. Raises BadInput for folders and files that are not what they
    should be, CheckFailed as `calibrate_camera` does.
    """
    files = _photos(images)
    if not poses.is_dir():
        raise BadInput(f"{poses}: no such folder; expected a pose file for each photo")
    told = {path.stem: path for path in sorted(poses.iterdir()) if path.suffix in _POSES}
    with_pose = [file for file in files if file.stem in told]
    if not with_pose:
        raise BadInput(f"{poses}: no pose has a photo's name, like {files[0].stem}.yaml")
    finder, corners_m = BoardFinder(board), board.corners_m()
    photos, sizes = [], set()
    for file in with_pose:
        image = _grey(file)
        sizes.add((image.shape[1], image.shape[0]))
        view = finder.find(image)
        photos.append(
            FlangePhoto(file.stem, read_pose(told[file.stem]), corners_m[view.ids], view.corners_px)
        )
    if len(sizes) > 1:
        raise BadInput(f"{images}: photos of {len(sizes)} sizes; expected those of one camera")
    return calibrate_camera(images.name, photos, sizes.pop(), intrinsics_px)


def place_rig_by_photos(images: Path, board: BoardSpec, lenses: Mapping[str, Lens]) -> RigCalibration:
    """Place cameras by photos named INSTANT_CAMERA.jpg; raises BadInput where no name fits a camera."""
    finder, corners_m, photos = BoardFinder(board), board.corners_m(), []
    for file in _photos(images):
        instant, _, camera = file.stem.rpartition("_")
        if camera in lenses and instant:
            view = finder.find(_grey(file))
            photos.append(LyingPhoto(camera, instant, corners_m[view.ids], view.corners_px))
    if not photos:
        raise BadInput(
            f"{images}: no photo is named INSTANT_CAMERA with a camera of the robot file "
            f"({', '.join(lenses) or 'it names none'}); or give --poses for a board on the flange"
        )
    return place_rig(lenses, photos)


def _photos(folder: Path) -> list[Path]:
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder; expected photos of the board")
    files = sorted(path for path in folder.iterdir() if path.suffix.lower() in _PICTURES and path.is_file())
    if not files:
        raise BadInput(f"{folder}: no photo in it; expected {', '.join(_PICTURES)}")
    return files


def _grey(file: Path) -> NDArray[np.uint8]:
    content = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    image = cv2.imdecode(content, cv2.IMREAD_GRAYSCALE) if len(content) else None
    if image is None:
        raise BadInput(f"{file}: not readable as a picture; take it anew")
    return np.asarray(image, dtype=np.uint8)
