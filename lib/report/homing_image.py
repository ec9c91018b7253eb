"""A homing's photo with what was seen in it: each marker, its id, where the result puts it, what is left."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.homing import Camera, Homing
from lib.homing.session import HomingRun
from lib.robot import Tree, tree_frames

# Blue, green, red, as OpenCV has them: seen and counted, seen and not counted, where the result puts it.
_COUNTED = (87, 139, 46)
_FALSE = (59, 59, 194)
_PUT = (159, 111, 47)
_FINE = 4
"""Lines are drawn to a quarter of a pixel."""
_PREVIEW_PX = 640

Picture = NDArray[np.uint8]


def write_homing_images(folder: Path, run: HomingRun) -> dict[str, Path]:
    """Write each camera's annotated photo of the last capture, and a small one for the UI.

    Returns the small ones by camera; the whole ones lie beside, as ``<camera>-annotated.png``.
    """
    written = {}
    for name, image in run.captures[-1].images.items() if run.captures else ():
        picture = annotated(run, name, image)
        cv2.imwrite(str(folder / f"{name}-annotated.png"), picture)
        scale = min(1.0, _PREVIEW_PX / picture.shape[1])
        small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        # Sensor noise does not compress: the small picture is for looking at, not for measuring.
        path = folder / f"{name}-small.png"
        cv2.imwrite(str(path), cv2.medianBlur(small, 3), [cv2.IMWRITE_PNG_COMPRESSION, 9])
        written[name] = path
    return written


def annotated(run: HomingRun, camera: str, image: Picture) -> Picture:
    """Return a photo in colour with its markers drawn in."""
    picture: Any = cv2.cvtColor(image, cv2.COLOR_GRAY2BGR)
    if run.detection is None or camera not in run.detection.views.cameras:
        return np.asarray(picture, dtype=np.uint8)
    views = run.detection.views
    mine = views.of_camera(views.cameras.index(camera))
    rows = {row.marker: row for row in run.homing.residuals if row.camera == camera}
    put = _put(run.homing, camera)
    for marker, corners in zip(mine.marker.tolist(), mine.corners_px, strict=True):
        row = rows.get(marker)
        counted = row is None or row.corners > 0
        colour = _COUNTED if counted else _FALSE
        _outline(picture, corners, colour, 2)
        if marker in put:
            _outline(picture, put[marker], _PUT, 1)
        said = str(marker) if row is None else f"{marker}: {row.rms_px:.2f} px"
        place = corners.max(axis=0).round().astype(int).tolist()
        cv2.putText(picture, said, place, cv2.FONT_HERSHEY_SIMPLEX, 0.45, colour, 1, cv2.LINE_AA)
    return np.asarray(picture, dtype=np.uint8)


def _put(homing: Homing, camera: str) -> dict[int, NDArray[np.float64]]:
    """Return where the result puts every marker in a camera's picture [px] (4, 2)."""
    placed = _camera(homing, camera)
    if placed is None:
        return {}
    machine = homing.machine
    frames = tree_frames(Tree.of(machine), homing.values(machine)[None])
    found = {}
    for i, link in enumerate(machine.links):
        for marker in link.markers + (machine.board if i == 0 else ()):
            if marker.corners_m is not None:
                corners_m = marker.corners_m @ frames.rotations[0, i].T + frames.places_m[0, i]
                found[marker.id] = placed.pixels(corners_m)
    return {marker: px for marker, px in found.items() if np.isfinite(px).all()}


def _camera(homing: Homing, name: str) -> Camera | None:
    cameras: tuple[Camera, ...] = ()
    if homing.solution is not None and homing.fallback is None:
        cameras = homing.solution.cameras
    elif homing.placing is not None:
        cameras = tuple(p.camera for p in homing.placing.placed)
    return next((camera for camera in cameras if camera.name == name), None)


def _outline(picture: Any, corners: NDArray[np.float64], colour: tuple[int, int, int], width: int) -> None:
    points = np.round(corners * 2**_FINE).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [points], True, colour, width, cv2.LINE_AA, _FINE)
