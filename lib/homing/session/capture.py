"""The pictures of one instant: one a camera, by the cameras of the robot file."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from fnmatch import fnmatchcase
from pathlib import Path

import cv2
import numpy as np

from lib.errors import BadInput, one_of
from lib.homing.detection import Picture
from lib.homing.lens import Lens
from lib.robot import CameraEntry, Machine

PICTURES = (".png", ".jpg", ".jpeg", ".bmp", ".tif", ".tiff", ".webp")


@dataclass(frozen=True, eq=False)
class Capture:
    """One instant."""

    images: Mapping[str, Picture]
    """Camera to its grey picture."""
    source: str
    """``simulated cell`` and its seed, else the folder of photos."""
    encoders_deg: tuple[float, ...] | None
    """What the arm's encoders read at that instant [deg]; None where nobody asked them."""


def lenses_of(machine: Machine) -> dict[str, Lens]:
    """Return the lenses of a robot file's cameras, by name."""
    return {
        camera.name: Lens(camera.intrinsics_px, camera.distortion, camera.size_px)
        for camera in machine.cameras
    }


def captures_in(machine: Machine, folder: Path) -> list[Capture]:
    """Return the captures of a folder: its own photos, or those of its folders, in the order of their names.

    Raises BadInput as `photos_in` does.
    """
    if folder.is_dir() and not _pictures(folder):
        inner = sorted(path for path in folder.iterdir() if path.is_dir() and _pictures(path))
        if inner:
            return [photos_in(machine, path) for path in inner]
    return [photos_in(machine, folder)]


def photos_in(machine: Machine, folder: Path) -> Capture:
    """Read one photo a camera, by the ``source`` patterns of the robot file.

    A camera without a photo is left out. Raises BadInput where the folder is missing, no photo is of any
    camera, two are of one, a photo cannot be read, or it is not of the size its lens was calibrated for.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder; expected one with a photo from each camera")
    if not machine.cameras:
        raise BadInput(f"{machine.file}: names no cameras; expected them with intrinsics_px and source")
    files = _pictures(folder)
    images = {}
    for camera in machine.cameras:
        mine = [file for file in files if fnmatchcase(file.name, camera.source or f"{camera.name}*")]
        if len(mine) > 1:
            raise BadInput(
                f"{folder}: {mine[0].name} and {mine[1].name} are both of camera {camera.name}; "
                "expected one instant in a folder"
            )
        if mine:
            images[camera.name] = _read(mine[0], camera)
    if not images:
        patterns = [camera.source or f"{camera.name}*" for camera in machine.cameras]
        raise BadInput(f"{folder}: no photo of any camera; expected {one_of(patterns)}")
    return Capture(images, str(folder), None)


def _pictures(folder: Path) -> list[Path]:
    return sorted(path for path in folder.iterdir() if path.suffix.lower() in PICTURES and path.is_file())


def _read(file: Path, camera: CameraEntry) -> Picture:
    content = np.frombuffer(file.read_bytes(), dtype=np.uint8)
    image = cv2.imdecode(content, cv2.IMREAD_GRAYSCALE) if len(content) else None
    if image is None:
        raise BadInput(f"{file}: not readable as a picture; take it anew")
    height, width = image.shape
    if (width, height) != camera.size_px:
        raise BadInput(
            f"{file}: {width} x {height} pixels; the lens of camera {camera.name} was calibrated for "
            f"{camera.size_px[0]} x {camera.size_px[1]}"
        )
    return np.asarray(image, dtype=np.uint8)
