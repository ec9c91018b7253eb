"""A flat printed rectangle in space: a marker on its white label, a painted face."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.cell.camera.canvas import Canvas, Window
from lib.cell.camera.eye import CELL_PX, Array, Eye

Picture = NDArray[np.uint8]

# Samples along a pixel's side: a black and white edge is averaged over four places in the pixel.
_SAMPLES = 2
# Seen flatter than this, or smaller, there is nothing to see.
_FLATTEST = 0.06
_SMALLEST_PX = 4.0


@dataclass(frozen=True, eq=False)
class Plate:
    """A rectangle with a print on it, seen from one side only."""

    centre_m: Array
    """Its middle in the world, of shape (3,)."""
    right: Array
    """Unit vector to the print's right as one looks at it, of shape (3,)."""
    up: Array
    """Unit vector to the print's top, of shape (3,)."""
    normal: Array
    """Unit vector out of its printed side, right x up, of shape (3,)."""
    size_m: tuple[float, float]
    """Width and height."""
    print: Picture
    """What is printed, rows from the top, of shape (h, w) or (h, w, 3) in blue, green, red."""
    inner_m: float = 0.0
    """Side of the marker on it; its corners are what camera noise moves."""


def draw_plate(canvas: Canvas, eye: Eye, plate: Plate, light: float, jitter_px: Array | None = None) -> bool:
    """Draw a plate where it faces the camera and falls into the picture; return whether it did.

    ``light`` is how bright its paper is, 0 to 1. ``jitter_px`` (4, 2) moves the marker's corners: top
    left, top right, bottom right, bottom left.
    """
    view_m = eye.place_m - plate.centre_m
    if float(plate.normal @ view_m) < _FLATTEST * math.sqrt(float(view_m @ view_m)):
        return False
    frame = np.stack([plate.right, plate.up, -view_m]) @ eye.rotation.T
    corners = _square(frame, plate.size_m)
    if corners[:, 2].min() <= 0.0:
        return False
    outline = eye.pixels(corners)
    low, high = outline.min(axis=0), outline.max(axis=0)
    if (high < 0).any() or (low > eye.size_px).any() or (high - low).min() < _SMALLEST_PX:
        return False
    # A point of the plate is centre + a right + b up = depth (x, y, 1): one inverse gives a and b.
    to_plate = _inverse(frame.T)
    if jitter_px is not None and plate.inner_m:
        inner = _square(frame, (plate.inner_m, plate.inner_m))
        rays = inner[:, :2] / inner[:, 2:]
        moved = eye.rays(eye.bent(rays) + jitter_px)
        # Single precision is all that OpenCV takes here, 1e-4 px.
        corners_back = cv2.getPerspectiveTransform(moved.astype(np.float32), rays.astype(np.float32))
        back = np.asarray(corners_back, dtype=np.float64)
        to_plate = to_plate @ back
        outline = eye.bent(_through(eye.rays(outline), _inverse(back)))
    window = canvas.window(outline)
    if window is None:
        return False
    fine = cv2.remap(
        canvas.toned(plate.print),
        _samples(eye, plate, to_plate, window),
        None,
        cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_REPLICATE,
    )
    patch = cv2.resize(fine, window[2:], interpolation=cv2.INTER_AREA)
    canvas.blend(window, patch, outline, light)
    return True


def _square(frame: Array, size_m: tuple[float, float]) -> Array:
    """Return the corners (4, 3) of a rectangle, from the top left clockwise; frame: right, up, centre."""
    half = np.array([[-1.0, 1.0, 1.0], [1.0, 1.0, 1.0], [1.0, -1.0, 1.0], [-1.0, -1.0, 1.0]])
    return (half * (size_m[0] / 2, size_m[1] / 2, 1.0)) @ frame


def _inverse(matrix: Array) -> Array:
    return np.asarray(np.linalg.inv(matrix), dtype=np.float64)


def _through(rays: Array, homography: Array) -> Array:
    moved = rays @ homography[:, :2].T + homography[:, 2]
    return moved[..., :2] / moved[..., 2:]


def _samples(eye: Eye, plate: Plate, to_plate: Array, window: Window) -> NDArray[np.float32]:
    """Return for each sample of a window where in the print it looks, of shape (rows, columns, 2).

    The way from pixels to the print is computed in the eye's cells and is straight between: less
    than 0.03 px off for a print seen 60 degrees aslant.
    """
    x0, y0, width, height = window
    first_column, first_row = x0 // CELL_PX, y0 // CELL_PX
    columns, rows = (x0 + width - 1) // CELL_PX + 3, (y0 + height - 1) // CELL_PX + 3
    place_m = _through(eye.cell_rays[first_row:rows, first_column:columns], to_plate)
    high, wide = plate.print.shape[:2]
    scale = np.array([wide / plate.size_m[0], -high / plate.size_m[1]])
    print_px = (place_m * scale + (wide / 2 - 0.5, high / 2 - 0.5)).astype(np.float32)
    fine = CELL_PX * _SAMPLES
    size = (print_px.shape[1] * fine, print_px.shape[0] * fine)
    whole: NDArray[Any] = cv2.resize(print_px, size, interpolation=cv2.INTER_LINEAR)
    left = (x0 - (first_column - 1) * CELL_PX) * _SAMPLES
    top = (y0 - (first_row - 1) * CELL_PX) * _SAMPLES
    return whole[top : top + height * _SAMPLES, left : left + width * _SAMPLES].astype(np.float32, copy=False)
