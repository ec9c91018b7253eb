"""Reading the markers of a robot file: {id, size_mm, position_mm, normal, corners_mm}.

Corners are in the order the detector gives them, clockwise as one looks at the printed face, the
first at the marker's own top left. A file may leave them out: how the marker is turned in its
plane is then unknown, and only its centre and normal count.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from lib.errors import BadInput
from lib.robot.checks import Checks, shortened
from lib.robot.machine import Marker
from lib.robot.shape import Array

UNIT_TOLERANCE = 0.01
_CORNER_TOLERANCE = 0.02  # of the marker's side: a ruler's error, not another shape's


class MarkerReader:
    """Reads the markers of one file and remembers where each id was, so that none stands twice."""

    def __init__(self, check: Checks, dictionary: str, ids: int) -> None:
        self._check = check
        self._dictionary = dictionary
        self._ids = ids
        self._seen: dict[int, str] = {}

    def markers(self, entries: Any, where: str) -> tuple[Marker, ...]:
        """Return the markers of one list; raises BadInput with the place, what was found and expected."""
        if not isinstance(entries, list):
            self._check.refuse(where, f"{shortened(entries)}; expected a list of markers")
        return tuple(self._marker(entry, f"{where}[{i}]") for i, entry in enumerate(entries))

    def _marker(self, value: Any, where: str) -> Marker:
        entry = self._check.mapping(value, where)
        marker_id = self._id(self._check.key(entry, "id", where), where)
        where = f"{where} (marker {marker_id})"
        size_mm = float(
            self._check.numbers([self._check.key(entry, "size_mm", where)], 1, f"{where}.size_mm")[0]
        )
        if size_mm < 1.0:
            self._check.refuse(
                f"{where}.size_mm", f"{size_mm:g}; expected millimetres" + ", metres?" * (size_mm > 0)
            )
        position_mm = self._check.numbers(
            self._check.key(entry, "position_mm", where), 3, f"{where}.position_mm"
        )
        normal = unit_vector(self._check, self._check.key(entry, "normal", where), f"{where}.normal")
        corners_mm = self._corners(entry.get("corners_mm"), size_mm, position_mm, normal, where)
        return Marker(
            id=marker_id,
            size_m=size_mm / 1000.0,
            position_m=position_mm / 1000.0,
            normal=normal,
            corners_m=None if corners_mm is None else corners_mm / 1000.0,
        )

    def _id(self, value: Any, where: str) -> int:
        if isinstance(value, bool) or not isinstance(value, int) or not 0 <= value < self._ids:
            self._check.refuse(
                f"{where}.id", f"{shortened(value)}; {self._dictionary} has markers 0 to {self._ids - 1}"
            )
        if value in self._seen:
            self._check.refuse(where, f"marker {value} is already {self._seen[value]}; expected each id once")
        self._seen[value] = where
        return int(value)

    def _corners(
        self, value: Any, size_mm: float, position_mm: Array, normal: Array, where: str
    ) -> Array | None:
        if value is None:
            return None
        where = f"{where}.corners_mm"
        if not isinstance(value, list) or len(value) != 4:
            self._check.refuse(where, f"{shortened(value)}; expected four corners")
        corners = np.array([self._check.numbers(corner, 3, where) for corner in value])
        allowed_mm = _CORNER_TOLERANCE * size_mm
        sides_mm = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        worst = sides_mm[np.argmax(np.abs(sides_mm - size_mm))]
        if abs(worst - size_mm) > allowed_mm:
            self._check.refuse(where, f"a side of {worst:.4g} mm; expected the marker's {size_mm:g} mm")
        off_mm = np.linalg.norm(corners.mean(axis=0) - position_mm)
        if off_mm > allowed_mm:
            self._check.refuse(where, f"their middle is {off_mm:.3g} mm from position_mm; expected it there")
        out = np.cross(corners[3] - corners[0], corners[1] - corners[0])
        facing = float(out @ normal) / max(float(np.linalg.norm(out)), 1e-300)
        if facing < 1.0 - _CORNER_TOLERANCE:
            found = (
                "run the other way round: a mirrored marker" if facing < -0.9 else "do not lie across normal"
            )
            self._check.refuse(where, f"they {found}; expected clockwise as seen from where normal points")
        return corners


def unit_vector(check: Checks, value: Any, where: str) -> Array:
    """Return a vector whose length is one within 1 % made exactly one; refuse any other."""
    vector = check.numbers(value, 3, where)
    length = float(np.linalg.norm(vector))
    if abs(length - 1.0) > UNIT_TOLERANCE:
        check.refuse(where, f"length {length:.4g}; expected a unit vector within 1 %")
    return vector / length


def dictionary_ids(name: str) -> int:
    """Return how many ids a dictionary of OpenCV has.

    Raises BadInput for a name it does not know. The number is part of the name, except for the
    AprilTag families (30, 35, 2320, 587), ARUCO_ORIGINAL (1024) and MIP_36H12 (250).
    """
    named = {
        "DICT_ARUCO_ORIGINAL": 1024,
        "DICT_ARUCO_MIP_36H12": 250,
        "DICT_APRILTAG_16H5": 30,
        "DICT_APRILTAG_25H9": 35,
        "DICT_APRILTAG_36H10": 2320,
        "DICT_APRILTAG_36H11": 587,
    }
    grids = {f"DICT_{n}X{n}_{ids}": ids for n in (4, 5, 6, 7) for ids in (50, 100, 250, 1000)}
    ids = (grids | named).get(name.upper())
    if ids is None:
        raise BadInput(f'dictionary "{name}" is not known; expected one of {_listed([*grids, *named])}')
    return ids


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names)
