"""Finding ArUco markers in photos: their corners to a fraction of a pixel, and every rejection counted."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.homing.lens import Array, Lens
from lib.homing.sharpen import sharpened
from lib.homing.views import Views

Picture = NDArray[np.uint8]
Window = tuple[slice, slice]

# Looked through when the robot file's own finds nothing: the largest of each size covers its smaller ones.
_FAMILIES = ("DICT_4X4_1000", "DICT_5X5_1000", "DICT_6X6_1000", "DICT_7X7_1000", "DICT_ARUCO_ORIGINAL")
_SUSPICIOUS = 3
"""Markers of another kind that are no accident; fewer of the named kind than this may be one."""


@dataclass(frozen=True)
class CameraDetection:
    """What was found in one image, and what was not taken."""

    camera: str
    found: int
    rejected: int
    """Squares that carry no marker of the dictionary."""
    doubled: tuple[int, ...]
    """Ids seen twice in the image, dropped: nobody knows which is the real one."""

    def as_json(self) -> dict[str, object]:
        """Return the counts by their names."""
        return {**vars(self), "doubled": list(self.doubled)}


@dataclass(frozen=True, eq=False)
class Detection:
    """All images of a capture."""

    views: Views
    cameras: tuple[CameraDetection, ...]
    warnings: tuple[str, ...]


def detect(
    images: Mapping[str, Picture], dictionary: str, lenses: Mapping[str, Lens] | None = None
) -> Detection:
    """Find the markers of a dictionary in grey images, one a camera; known lenses make edges straight."""
    lenses = lenses or {}
    rows: list[tuple[int, int, tuple[Array, float]]] = []
    counts, warnings = [], []
    for c, (name, image) in enumerate(images.items()):
        corners, ids, rejected = _markers(image, dictionary)
        doubled = tuple(sorted({i for i in ids if ids.count(i) > 1}))
        if doubled:
            listed = ", ".join(map(str, doubled))
            warnings.append(f"camera {name}: marker {listed} is there more than once; dropped in this image")
        kept = [(i, px) for i, px in zip(ids, corners, strict=True) if i not in doubled]
        rows += [(c, i, sharpened(image, px, lenses.get(name))) for i, px in kept]
        counts.append(CameraDetection(name, len(kept), rejected, doubled))
        if len(ids) < _SUSPICIOUS:
            warnings += [f"camera {name}: {said}" for said in _few_found(image, dictionary, len(ids))]
    views = Views(
        cameras=tuple(images),
        camera=np.array([row[0] for row in rows], dtype=np.int64),
        marker=np.array([row[1] for row in rows], dtype=np.int64),
        corners_px=np.array([row[2][0] for row in rows]).reshape(-1, 4, 2),
        floor_px=np.array([row[2][1] for row in rows]),
    )
    return Detection(views, tuple(counts), tuple(warnings))


def markers_in(image: Picture, dictionary: str, window: Window | None = None) -> dict[int, Array]:
    """Return the markers in a grey image, or in a window (rows, columns) of it, by their ids.

    Corners (4, 2) [px] are the detector's own, in the whole image; ids seen twice are left out.
    """
    rows, columns = window or (slice(0, None), slice(0, None))
    corners, ids, _ = _markers(np.ascontiguousarray(image[rows, columns]), dictionary)
    first_px = np.array([columns.start, rows.start])
    return {i: px + first_px for i, px in zip(ids, corners, strict=True) if ids.count(i) == 1}


def _markers(image: Picture, dictionary: str) -> tuple[list[Array], list[int], int]:
    """Return corners (4, 2) and ids of all markers, and how many squares were rejected."""
    corners, ids, rejected = _detector(dictionary).detectMarkers(image)
    if ids is None:
        return [], [], len(rejected)
    # OpenCV 5 gives ids (n,), 4.x (n, 1).
    return (
        [c.reshape(4, 2).astype(np.float64) for c in corners],
        [int(i) for i in np.ravel(ids)],
        len(rejected),
    )


@cache
def _detector(dictionary: str) -> cv2.aruco.ArucoDetector:
    parameters = cv2.aruco.DetectorParameters()
    parameters.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX  # off by default
    predefined = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    return cv2.aruco.ArucoDetector(predefined, parameters)


def _few_found(image: Picture, dictionary: str, found: int) -> list[str]:
    """Say what an image with hardly any marker of the dictionary shows in their place."""
    what_is_there = f"{found or 'no'} marker{'s' * (found > 1)} of {dictionary}"
    for what, picture in (("turned white on black", 255 - image), ("mirrored", image[:, ::-1].copy())):
        count = len(_markers(picture, dictionary)[1])
        if count >= max(_SUSPICIOUS, 2 * found):
            return [f"{what_is_there}, but {count} when the picture is {what}"]
    best, seen = "", 0
    for family in _FAMILIES:
        ids = _markers(image, family)[1]
        if len(ids) > seen:
            best, seen = _smallest(family, max(ids)), len(ids)
    if seen >= max(_SUSPICIOUS, 2 * found):
        return [f"{what_is_there}, but {seen} of {best}"]
    return [] if found else [what_is_there]


def _smallest(family: str, highest_id: int) -> str:
    """Return the smallest dictionary of a family that has an id."""
    if not family.endswith("_1000"):
        return family
    return next(family.replace("1000", str(n)) for n in (50, 100, 250, 1000) if highest_id < n)
