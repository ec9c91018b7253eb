"""Flat printed rectangles in space: markers on their white labels, seen from one side only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.cell.camera.canvas import Canvas, Window
from lib.cell.camera.eye import CELL_PX, Array, Eye
from lib.cell.camera.light import lambert

Picture = NDArray[np.uint8]

# Samples along a pixel's side: a black and white edge is averaged over four places in the pixel.
_SAMPLES = 2
# Seen flatter than this, or smaller, there is nothing to see.
_FLATTEST = 0.06
_SMALLEST_PX = 4.0
# The middle of a plate may be this much nearer than its nearest corner.
_DISH = 0.995
_SQUARE = np.array([[-0.5, 0.5], [0.5, 0.5], [0.5, -0.5], [-0.5, -0.5]])


@dataclass(frozen=True, eq=False)
class Plates:
    """Square labels with a marker printed on each."""

    frames: Array
    """Middle [m], unit vectors to the right, up and out of the print, of shape (n, 4, 3)."""
    sides_m: Array
    """Side of each label, of shape (n,)."""
    markers_m: Array
    """Side of the marker on it, whose corners are what a camera's noise moves, of shape (n,)."""
    prints: tuple[Picture, ...]
    """What is printed, rows from the top, grey, of shape (k, k)."""

    def __len__(self) -> int:
        return len(self.prints)

    def on(self, places_m: Array, turns: Array) -> Plates:
        """Return the plates of bodies in the world: places (n, 3), rotations (n, 3, 3), one a plate."""
        frames = self.frames @ turns.transpose(0, 2, 1)
        frames[:, 0] += places_m
        return Plates(frames, self.sides_m, self.markers_m, self.prints)


@dataclass(frozen=True, eq=False)
class Sheet:
    """One plate as one camera sees it."""

    print: Picture
    outline: Array
    """Its corners in the picture [px], from the print's top left clockwise, of shape (4, 2)."""
    to_print: Array
    """From a ray (x, y, 1) to a place on the print, 0 to 1 from its top left, homogeneous, (3, 3)."""
    light: float
    """How bright its paper is."""
    rays: Array
    """Its corners as rays, of shape (4, 2)."""
    plane: Array
    """What a ray times this is one over its depth on the plane [1/m], of shape (3,)."""
    span_m: tuple[float, float]
    """How near and how far from the camera it is."""

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where unit rays (n, 3) in the camera's axes meet its plane (n,)."""
        towards = directions @ self.plane
        return np.where(towards > 1e-9, 1.0 / np.maximum(towards, 1e-9), np.inf)

    def draw(self, canvas: Canvas, eye: Eye) -> None:
        """Draw it."""
        window = canvas.window(self.outline)
        if window is None:
            return
        samples = _samples(eye, self, window)
        # Beyond the print's edge lies more of its rim.
        fine = cv2.remap(self.print, samples, None, cv2.INTER_LINEAR, borderValue=int(self.print[0, 0]))
        patch = cv2.resize(fine, window[2:], interpolation=cv2.INTER_AREA)
        canvas.blend_grey(window, patch, self.outline, self.light)


def sheets(eye: Eye, plates: Plates, jitter_px: Array | None = None) -> list[Sheet | None]:
    """Return each plate as the camera sees it; None for what faces away or is outside the picture.

    ``jitter_px`` (n, 4, 2) moves the markers' corners: top left, top right, bottom right, bottom left.
    """
    if not len(plates):
        return []
    views = eye.place_m - plates.frames[:, 0]
    flatness = np.einsum("ij,ij->i", plates.frames[:, 3], views) / np.sqrt((views**2).sum(axis=1))
    axes = np.stack([plates.frames[:, 1], plates.frames[:, 2], -views], axis=1) @ eye.rotation.T
    corners = _square(axes, plates.sides_m)
    shown = (flatness > _FLATTEST) & (corners[..., 2].min(axis=1) > 0)
    pixels = eye.bent(corners[..., :2] / np.where(shown[:, None, None], corners[..., 2:], 1.0))
    low, high = pixels.min(axis=1), pixels.max(axis=1)
    shown &= (high > 0).all(axis=1) & (low < eye.size_px).all(axis=1)
    shown &= (high - low).min(axis=1) > _SMALLEST_PX
    lights = lambert(plates.frames[:, 3])
    found: list[Sheet | None] = [None] * len(plates)
    numbers = np.flatnonzero(shown)
    if not len(numbers):
        return found
    # A point of the plate is middle + a right + b up = depth (x, y, 1): one inverse gives a and b.
    to_plates = np.linalg.inv(axes[numbers].transpose(0, 2, 1))
    to_prints = _print_from_plate(plates.sides_m[numbers]) @ to_plates
    outlines, rays = pixels[numbers], corners[numbers][..., :2] / corners[numbers][..., 2:]
    if jitter_px is not None:
        moves = _moves(eye, _square(axes[numbers], plates.markers_m[numbers]), jitter_px[numbers])
        to_prints = to_prints @ moves
        outlines = eye.bent(_through(rays, np.asarray(np.linalg.inv(moves), dtype=np.float64)))
    away_m = np.sqrt((corners[numbers] ** 2).sum(axis=2))
    for place, number in enumerate(numbers.tolist()):
        found[number] = Sheet(
            plates.prints[number],
            outlines[place],
            to_prints[place],
            float(lights[number]),
            rays[place],
            to_plates[place, 2],
            (float(away_m[place].min()) * _DISH, float(away_m[place].max())),
        )
    return found


def _square(axes: Array, sides_m: Array) -> Array:
    """Return the corners (n, 4, 3) of squares from the top left clockwise; axes: right, up, middle."""
    scaled = axes[:, :2] * sides_m[:, None, None]
    return np.asarray(_SQUARE @ scaled + axes[:, 2:])


def _print_from_plate(sides_m: Array) -> Array:
    """Return what takes (right, up, 1) [m] to the share of the print from its top left, (n, 3, 3)."""
    found = np.zeros((len(sides_m), 3, 3))
    found[:, 0, 0], found[:, 1, 1] = 1.0 / sides_m, -1.0 / sides_m
    found[:, :2, 2], found[:, 2, 2] = 0.5, 1.0
    return found


def _moves(eye: Eye, markers: Array, jitter_px: Array) -> Array:
    """Return the homographies (n, 3, 3) from rays that jitter has moved to where they belong."""
    rays = markers[..., :2] / markers[..., 2:]
    moved = eye.rays(eye.bent(rays) + jitter_px)
    pairs = zip(moved.astype(np.float32), rays.astype(np.float32), strict=True)
    return np.array([cv2.getPerspectiveTransform(one, other) for one, other in pairs])


def _through(rays: Array, homographies: Array) -> Array:
    """Return rays (n, k, 2) moved by homographies (n, 3, 3)."""
    moved = rays @ homographies[:, :, :2].transpose(0, 2, 1) + homographies[:, None, :, 2]
    return np.asarray(moved[..., :2] / moved[..., 2:])


def _samples(eye: Eye, sheet: Sheet, window: Window) -> NDArray[Any]:
    """Return for each sample of a window where in the print it looks, of shape (rows, columns, 2).

    The way from pixels to the print is computed in the eye's cells and is straight between: less
    than 0.03 px off for a print seen 60 degrees aslant.
    """
    x0, y0, width, height = window
    first_column, first_row = x0 // CELL_PX, y0 // CELL_PX
    last_column, last_row = (x0 + width - 1) // CELL_PX + 3, (y0 + height - 1) // CELL_PX + 3
    rays = eye.cell_rays[first_row:last_row, first_column:last_column]
    place = rays @ sheet.to_print[:, :2].T + sheet.to_print[:, 2]
    side = len(sheet.print)
    print_px = (place[..., :2] * (side / place[..., 2:]) - 0.5).astype(np.float32)
    fine = CELL_PX * _SAMPLES
    size = (print_px.shape[1] * fine, print_px.shape[0] * fine)
    whole = cv2.resize(print_px, size, interpolation=cv2.INTER_LINEAR)
    left = (x0 - (first_column - 1) * CELL_PX) * _SAMPLES
    top = (y0 - (first_row - 1) * CELL_PX) * _SAMPLES
    return whole[top : top + height * _SAMPLES, left : left + width * _SAMPLES]
