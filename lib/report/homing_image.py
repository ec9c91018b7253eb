"""A homing's photo with what was seen in it: each marker, its id, where the result puts it, what is left."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.homing import Camera, Homing, ResidualRow
from lib.homing.session import HomingRun
from lib.report.picture_labels import PAPER, Colour, Label, put_labels, put_text, text_size
from lib.robot import Tree, tree_frames

# Blue, green, red, as OpenCV has them.
_COUNTED: Colour = (96, 190, 60)
_PARTLY: Colour = (30, 160, 245)
_FALSE: Colour = (70, 70, 235)
_OF_BOARD: Colour = (205, 150, 60)
_STRANGE: Colour = (150, 150, 150)
_LEFT: Colour = (215, 60, 225)
_BAND: Colour = (41, 31, 24)
_FINE = 4
"""Lines are drawn to a sixteenth of a pixel."""
_ENLARGED = 30.0
"""How much longer than it is what is left at a corner is drawn."""
_LONGEST_PX = 60.0
_DETAIL_PX = (960, 680)
_JPEG = [cv2.IMWRITE_JPEG_QUALITY, 88]

Picture = NDArray[np.uint8]
Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class _Seen:
    """One marker in one photo."""

    marker: int
    corners_px: Array
    put_px: Array | None
    """Where the result puts its corners."""
    row: ResidualRow | None
    """What is left at it; None for what the machine does not carry."""
    of_board: bool

    @property
    def colour(self) -> Colour:
        if self.row is None:
            return _OF_BOARD if self.of_board else _STRANGE
        return _COUNTED if self.row.corners == 4 else _PARTLY if self.row.corners else _FALSE


def write_homing_images(folder: Path, run: HomingRun) -> dict[str, Path]:
    """Write each camera's annotated photo of the last capture, whole and the machine alone.

    Returns the latter by camera, ``<camera>-machine.jpg``; the whole ones are ``<camera>-annotated.jpg``.
    """
    written = {}
    for name, image in run.captures[-1].images.items() if run.captures else ():
        cv2.imwrite(str(folder / f"{name}-annotated.jpg"), annotated(run, name, image), _JPEG)
        written[name] = folder / f"{name}-machine.jpg"
        cv2.imwrite(str(written[name]), annotated_machine(run, name, image), _JPEG)
    return written


def annotated(run: HomingRun, camera: str, image: Picture) -> Picture:
    """Return a photo in colour with its markers drawn in."""
    height, width = image.shape
    return _drawn(run, camera, image, np.array([0.0, 0.0, width, height]), (width, height))


def annotated_machine(run: HomingRun, camera: str, image: Picture) -> Picture:
    """Return the part of a photo that shows the machine's markers, as large as it gets."""
    height, width = image.shape
    own = [seen.corners_px for seen in _seen(run, camera) if seen.row is not None]
    window = np.array([0.0, 0.0, width, height])
    if own:
        corners = np.concatenate(own)
        low, high = corners.min(axis=0), corners.max(axis=0)
        wide = max(
            1.3 * np.max((high - low) / _DETAIL_PX) + 100 / _DETAIL_PX[0], 0.25 * width / _DETAIL_PX[0]
        )
        half = np.minimum(wide * np.array(_DETAIL_PX), [width, height]) / 2
        middle = np.clip((low + high) / 2, half, np.array([width, height]) - half)
        window = np.concatenate([middle - half, middle + half])
    scale = min(_DETAIL_PX[0] / (window[2] - window[0]), _DETAIL_PX[1] / (window[3] - window[1]))
    size = (round(scale * (window[2] - window[0])), round(scale * (window[3] - window[1])))
    return _drawn(run, camera, image, window, size)


def _drawn(run: HomingRun, camera: str, image: Picture, window: Array, size: tuple[int, int]) -> Picture:
    """Return the window (left, top, right, bottom) of a photo at a size, its markers drawn in."""
    scale = size[0] / (window[2] - window[0])

    def at(px: Array) -> Array:
        return np.asarray((px + 0.5 - window[:2]) * scale - 0.5)

    way = np.array([[scale, 0, scale * (0.5 - window[0]) - 0.5], [0, scale, scale * (0.5 - window[1]) - 0.5]])
    grey = cv2.warpAffine(image, way, size, flags=cv2.INTER_AREA if scale < 1 else cv2.INTER_CUBIC)
    grey = cv2.convertScaleAbs(grey, alpha=0.82, beta=22)
    picture: Any = cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR)
    seen = _seen(run, camera)
    labels = []
    for one in sorted(seen, key=lambda one: one.row is not None):
        corners = at(one.corners_px)
        _outline(picture, corners, one.colour, 1 if one.row is None else 2)
        if one.row is None:
            _small_id(picture, one, corners, size)
            continue
        if one.put_px is not None:
            _outline(picture, at(one.put_px), PAPER, 1)
            _left(picture, corners, (at(one.put_px) - corners) / scale)
        labels.append(Label(f"{one.marker}  {one.row.rms_px:.2f}", corners, one.colour))
    put_labels(picture, labels, 15)
    return np.vstack([_band(run, camera, seen, size[0]), picture]).astype(np.uint8)


def _small_id(picture: Any, one: _Seen, corners: Array, size: tuple[int, int]) -> None:
    left, top = corners.max(axis=0).round().astype(int).tolist()
    if 0 <= left < size[0] - 30 and 14 <= top < size[1]:
        put_text(picture, str(one.marker), left + 2, top, 13, one.colour)


def _left(picture: Any, corners: Array, off_px: Array) -> None:
    """Draw what is left at each corner, from where it was seen towards where the result puts it, enlarged."""
    for corner, off in zip(corners, off_px, strict=True):
        length = float(np.linalg.norm(off))
        end = corner + off * min(_ENLARGED, _LONGEST_PX / max(length, 1e-9))
        _line(picture, corner, end, _LEFT)


def _band(run: HomingRun, camera: str, seen: list[_Seen], width: int) -> Picture:
    """Return the strip above a photo: whose it is, how well it fits, what the colours mean."""
    band: Any = np.full((34, width, 3), _BAND, dtype=np.uint8)
    own = [one.row for one in seen if one.row is not None]
    counted = sum(row.corners > 0 for row in own)
    placed = next(
        (p for p in (run.homing.placing.placed if run.homing.placing else ()) if p.camera.name == camera),
        None,
    )
    said = f"{counted} of {len(own)} markers count" if own else "no marker of the machine"
    said += f"   board {placed.rms_px:.2f} px" if placed else "   not placed by the board"
    put_text(band, camera, 10, 23, 17, PAPER, 700)
    left = 24 + text_size(camera, 17, 700)[0]
    put_text(band, said, left, 23, 15, PAPER)
    left += text_size(said, 15)[0] + 28
    keys = [("counts", _COUNTED), ("in part", _PARTLY), ("not", _FALSE), ("the result's", PAPER),
            (f"px left, {_ENLARGED:g}x", _LEFT), ("board", _OF_BOARD), ("other", _STRANGE)]  # fmt: skip
    for text, colour in keys:
        room = 20 + text_size(text, 14)[0]
        if left + room > width:
            break
        cv2.rectangle(band, (left, 12), (left + 10, 22), colour, -1)
        put_text(band, text, left + 15, 22, 14, PAPER)
        left += room + 12
    return np.asarray(band, dtype=np.uint8)


def _seen(run: HomingRun, camera: str) -> list[_Seen]:
    """Return every marker seen in a camera's photo."""
    if run.detection is None or camera not in run.detection.views.cameras:
        return []
    views = run.detection.views
    mine = views.of_camera(views.cameras.index(camera))
    rows = {row.marker: row for row in run.homing.residuals if row.camera == camera}
    board = {marker.id for marker in run.machine.board}
    put = _put(run.homing, camera)
    return [
        _Seen(marker, corners, put.get(marker), rows.get(marker), marker in board)
        for marker, corners in zip(mine.marker.tolist(), mine.corners_px, strict=True)
    ]


def _put(homing: Homing, camera: str) -> dict[int, Array]:
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


def _outline(picture: Any, corners: Array, colour: Colour, width: int) -> None:
    points = np.round(corners * 2**_FINE).astype(np.int32).reshape(-1, 1, 2)
    cv2.polylines(picture, [points], True, colour, width, cv2.LINE_AA, _FINE)


def _line(picture: Any, start: Array, end: Array, colour: Colour) -> None:
    first, last = (np.round(p * 2**_FINE).astype(int).tolist() for p in (start, end))
    cv2.line(picture, first, last, colour, 2, cv2.LINE_AA, _FINE)
