"""Boards to calibrate with: what they look like, and where their corners are in a photo.

A ChArUco board is written ``charuco:COLUMNSxROWS:SQUARE:MARKER:DICTIONARY``, lengths in metres.
Boards printed white on black are found by turning the picture's tones about.
"""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.errors import BadInput
from lib.homing.lens import Array
from lib.robot import dictionary_ids

_LARGEST_SQUARE_M = 0.5
_WINDOW_SHARE = 0.9
_WINDOW_PX = (2, 12)
_FORM = "charuco:COLUMNSxROWS:SQUARE_M:MARKER_M:DICTIONARY, like charuco:5x7:0.036195:0.018256:DICT_6X6_250"


@dataclass(frozen=True)
class BoardSpec:
    """A ChArUco board."""

    columns: int
    rows: int
    """Squares across and down."""
    square_m: float
    marker_m: float
    dictionary: str

    @classmethod
    def parse(cls, text: str) -> BoardSpec:
        """Read ``charuco:5x7:0.036195:0.018256:DICT_6X6_250``; raises BadInput with what was expected."""
        parts = text.split(":")
        size = parts[1].lower().split("x") if len(parts) == 5 else []
        if parts[0] != "charuco" or len(size) != 2 or not all(n.isascii() and n.isdigit() for n in size):
            raise BadInput(f'board "{text}"; expected {_FORM}')
        try:
            square_m, marker_m = float(parts[2]), float(parts[3])
        except ValueError as error:
            raise BadInput(f'board "{text}": {error}; expected {_FORM}') from error
        if square_m > _LARGEST_SQUARE_M:
            raise BadInput(
                f'board "{text}": squares of {square_m:g} m; expected metres, are these millimetres?'
            )
        if not 0 < marker_m < square_m:
            raise BadInput(
                f'board "{text}": markers of {marker_m:g} m in squares of {square_m:g} m; '
                "expected the square's size first, then the smaller marker's"
            )
        if min(map(int, size)) < 2:
            raise BadInput(f'board "{text}": expected at least 2x2 squares')
        needed = int(size[0]) * int(size[1]) // 2
        if dictionary_ids(parts[4]) < needed:
            raise BadInput(f'board "{text}": {needed} markers; {parts[4]} has {dictionary_ids(parts[4])}')
        return cls(int(size[0]), int(size[1]), square_m, marker_m, parts[4].upper())

    def corners_m(self) -> Array:
        """Return all chessboard corners in the board's frame [m], of shape (n, 3)."""
        return np.asarray(self.made(legacy=False).getChessboardCorners(), dtype=np.float64)

    def made(self, legacy: bool) -> cv2.aruco.CharucoBoard:
        """Return OpenCV's board; boards drawn before 4.6 with an even row count are ``legacy``."""
        dictionary = cv2.aruco.getPredefinedDictionary(getattr(cv2.aruco, self.dictionary))
        board = cv2.aruco.CharucoBoard((self.columns, self.rows), self.square_m, self.marker_m, dictionary)
        board.setLegacyPattern(legacy)
        return board


@dataclass(frozen=True, eq=False)
class BoardView:
    """A board in one photo."""

    ids: NDArray[np.int64]
    """Chessboard corners found, of shape (n,)."""
    corners_px: Array
    """Where [px], of shape (n, 2), in OpenCV 5's convention: half a pixel less than 4.x gave."""
    markers: int
    inverted: bool
    """Whether the board is white on black."""


class BoardFinder:
    """Finds one kind of board in photos; knows after the first which way it is printed."""

    def __init__(self, spec: BoardSpec) -> None:
        self._spec = spec
        self._detectors = [cv2.aruco.CharucoDetector(spec.made(legacy)) for legacy in (False, True)]
        self._likely: tuple[int, bool] | None = None

    def find(self, image: NDArray[np.uint8]) -> BoardView:
        """Return what of the board is in a grey image, whichever way it is printed."""
        ways = [(which, inverted) for inverted in (False, True) for which in range(len(self._detectors))]
        if self._likely is not None:
            ways = [self._likely]
        views = [self._detected(image, *way) for way in ways]
        best = max(range(len(ways)), key=lambda i: (len(views[i].ids), views[i].markers))
        if len(views[best].ids):
            self._likely = ways[best]
        return views[best]

    def _detected(self, image: NDArray[np.uint8], which: int, inverted: bool) -> BoardView:
        picture = 255 - image if inverted else image
        corners, ids, _, marker_ids = self._detectors[which].detectBoard(picture)
        markers = 0 if marker_ids is None else len(marker_ids)
        if ids is None or not len(ids):
            return BoardView(np.zeros(0, dtype=np.int64), np.zeros((0, 2)), markers, inverted)
        # OpenCV 5 gives ids (n,) and corners (n, 2), 4.x (n, 1) and (n, 1, 2): flattened, both are right.
        numbers = np.asarray(ids, dtype=np.int64).reshape(-1)
        found = np.asarray(corners, dtype=np.float32).reshape(-1, 2)
        return BoardView(numbers, self._refined(picture, numbers, found), markers, inverted)

    def _refined(
        self, picture: NDArray[np.uint8], ids: NDArray[np.int64], corners: NDArray[np.float32]
    ) -> Array:
        """Return the corners looked at again through windows that no marker's edge reaches into.

        The detector's own windows go up to the markers: where those are wide in their squares their
        edges pull every other corner by half a pixel.
        """
        flat = self._spec.corners_m()[ids]
        apart_m = np.linalg.norm(flat[:, None] - flat, axis=-1)
        apart_px = np.linalg.norm(corners[:, None] - corners, axis=-1)
        neighbours = (apart_m > 0) & (apart_m < 1.2 * self._spec.square_m)
        if not neighbours.any():
            return np.asarray(corners, dtype=np.float64)
        square_px = float(np.median(apart_px[neighbours]))
        gap_px = square_px * (1 - self._spec.marker_m / self._spec.square_m) / 2
        half = int(np.clip(_WINDOW_SHARE * gap_px, *_WINDOW_PX))
        stop = (cv2.TERM_CRITERIA_EPS + cv2.TERM_CRITERIA_MAX_ITER, 60, 1e-4)
        refined = cv2.cornerSubPix(picture, corners[:, None].copy(), (half, half), (-1, -1), stop)[:, 0]
        strayed = np.linalg.norm(refined - corners, axis=1) > half
        return np.where(strayed[:, None], corners, refined).astype(np.float64)
