"""Which markers are glued to blocks and box, and where: what the cell's labels and a camera's sight share.

A marker is described in its thing's own frame, right-handed and upright: a block's in its middle, the
box's in the middle of its foot on the table, turned as the vendor's frame.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.cell.floor_plan import Box, layout
from lib.settings_cell import Cell as CellSettings

Array = NDArray[np.float64]
Colour = tuple[int, int, int]

BLOCK_COLOURS: tuple[Colour, ...] = (
    (60, 140, 236), (90, 175, 95), (190, 130, 80), (150, 100, 190), (80, 190, 220),
)  # fmt: skip
"""Of the blocks in turn, in full light: blue, green, red."""
BOX_COLOUR: Colour = (148, 92, 44)

_UP, _FORWARD = np.array([0.0, 0.0, 1.0]), np.array([1.0, 0.0, 0.0])
# A block's faces in the order of their ids: normal and the print's top, in the block's own axes.
_FACES = tuple(
    (side * np.eye(3)[axis], _UP if axis < 2 else _FORWARD) for axis in range(3) for side in (1.0, -1.0)
)
# The floor's markers keep this far from its walls.
_FLOOR_GAP_M = 0.002
# A label's white rim is one module wide, and so is the marker's black one.
_RIM_MODULES = 2


@dataclass(frozen=True, eq=False)
class ThingMarker:
    """One marker in its thing's own frame."""

    id: int
    side_m: float
    middle_m: Array
    """Of shape (3,)."""
    normal: Array
    """Unit vector out of its printed face, of shape (3,)."""
    up: Array
    """Unit vector to the top of its print, of shape (3,)."""

    @property
    def corners_m(self) -> Array:
        """Corners (4, 3) in the detector's order: clockwise from the print's top left."""
        right = np.cross(self.up, self.normal)
        signs = ((-1, 1), (1, 1), (1, -1), (-1, -1))
        return np.array([self.middle_m + self.side_m / 2 * (x * right + y * self.up) for x, y in signs])


def block_markers(cell: CellSettings, number: int, size_m: float | None = None) -> tuple[ThingMarker, ...]:
    """Return the six markers of block ``number``, the first one being 1.

    Ids begin at first + 6 (n - 1), on +x, -x, +y, -y, +z, -z; ``size_m`` is its edge, unless given as drawn.
    """
    first = cell.block_marker_first + len(_FACES) * (number - 1)
    half_m = (cell.block_size_m if size_m is None else size_m) / 2
    return tuple(
        ThingMarker(first + face, cell.block_marker_m, normal * half_m, normal, up)
        for face, (normal, up) in enumerate(_FACES)
    )


def box_markers(cell: CellSettings, axes: Array, dictionary: str) -> tuple[ThingMarker, ...]:
    """Return the markers outside on each wall, in the layout's order, then in each corner of the floor.

    ``axes`` (3, 3) turns the vendor's frame into the twin's.
    """
    drawn = layout(cell)
    foot_m = axes.T @ [cell.box_centre_m[0], 0.0, cell.box_centre_m[1]]
    markers = []
    for marker, wall in enumerate(drawn.walls, cell.box_marker_first):
        middle_m, half_m = _in_own_frame(wall, axes, foot_m)
        axis = int(np.argmin(half_m[:2]))
        normal = np.sign(middle_m[axis]) * np.eye(3)[axis]
        markers.append(ThingMarker(marker, cell.box_marker_m, middle_m + normal * half_m, normal, _UP))
    middle_m, half_m = _in_own_frame(drawn.floor, axes, foot_m)
    side_m = cell.box_floor_marker_m
    inset_m = side_m * label_share(dictionary) / 2 + _FLOOR_GAP_M
    reach_m = half_m - [inset_m, inset_m, 0.0]
    corners = ((-1, -1, 1), (-1, 1, 1), (1, -1, 1), (1, 1, 1))
    for marker, corner in enumerate(corners, cell.box_marker_first + len(drawn.walls)):
        markers.append(ThingMarker(marker, side_m, middle_m + np.array(corner) * reach_m, _UP, _FORWARD))
    return tuple(markers)


def label_share(dictionary: str) -> float:
    """Return how many times as wide as its marker a label is."""
    predefined = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, dictionary))
    modules = float(predefined.markerSize + 2)
    return (modules + _RIM_MODULES) / modules


def _in_own_frame(box: Box, axes: Array, foot_m: Array) -> tuple[Array, Array]:
    """Return middle and half size [m] of a box of the layout, in the frame at the foot."""
    low_m, high_m = np.array(box.low_m), np.array(box.high_m)
    return axes.T @ (low_m + high_m) / 2 - foot_m, np.abs(axes.T @ (high_m - low_m)) / 2
