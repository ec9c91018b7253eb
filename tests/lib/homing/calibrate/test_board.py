"""Boards are found however they are printed, their corners where they really are."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from lib.homing.calibrate import BoardFinder, BoardSpec

SPEC = BoardSpec.parse("charuco:5x7:0.036:0.027:DICT_6X6_250")
PX_PER_SQUARE = 60


def drawn(legacy: bool = False, spec: BoardSpec = SPEC) -> tuple[np.ndarray, np.ndarray]:
    """Return a board seen askew and its corners [px], pixel centres at whole numbers."""
    size = (spec.columns * PX_PER_SQUARE, spec.rows * PX_PER_SQUARE)
    flat = spec.made(legacy).generateImage(size)
    far = 4  # drawn large and averaged down, so that edges lie between pixels
    askew = np.array([[0.9, -0.25, 160.0], [0.2, 0.95, 40.0], [1e-4, -5e-5, 1.0]])
    up = np.diag([far, far, 1.0])
    half = np.array([[1, 0, 0.5], [0, 1, 0.5], [0, 0, 1.0]])
    # Places count from a pixel's corner while warping, from its centre in the picture.
    warp = np.linalg.inv(half) @ up @ half @ askew
    picture = cv2.warpPerspective(flat, warp, (700 * far, 620 * far), flags=cv2.INTER_LINEAR, borderValue=255)
    picture = cv2.resize(picture, (700, 620), interpolation=cv2.INTER_AREA)
    corners = spec.corners_m()[:, :2] / spec.square_m * PX_PER_SQUARE - 0.5
    return picture, cv2.perspectiveTransform(corners[None], askew)[0]


@pytest.mark.parametrize("inverted", [False, True])
def test_corners_are_where_they_were_drawn(inverted: bool) -> None:
    picture, corners_px = drawn()
    view = BoardFinder(SPEC).find(255 - picture if inverted else picture)
    assert view.inverted == inverted
    assert len(view.ids) == len(SPEC.corners_m())
    off = view.corners_px - corners_px[view.ids]
    # OpenCV 4 would be half a pixel off here: intrinsics from it need cx and cy half a pixel less.
    assert np.abs(off.mean(axis=0)).max() < 0.05
    assert np.abs(off).max() < 0.2


def test_boards_drawn_before_4_6_are_found_too() -> None:
    even = BoardSpec.parse("charuco:5x8:0.036:0.027:DICT_6X6_250")
    picture, corners_px = drawn(legacy=True, spec=even)
    view = BoardFinder(even).find(picture)
    assert len(view.ids) > 20
    assert np.abs(view.corners_px - corners_px[view.ids]).max() < 0.3


def test_a_picture_without_a_board_has_no_corners() -> None:
    view = BoardFinder(SPEC).find(np.full((480, 640), 128, dtype=np.uint8))
    assert (len(view.ids), view.markers) == (0, 0)


def test_the_finder_remembers_how_the_board_is_printed() -> None:
    picture, _ = drawn()
    finder = BoardFinder(SPEC)
    assert finder.find(255 - picture).inverted
    assert len(finder.find(picture).ids) == 0
    assert len(finder.find(255 - picture).ids) > 0
