"""Flat printed rectangles in space: markers on their white labels, seen from one side only."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.cell.camera.canvas import Canvas
from lib.cell.camera.eye import Array, Eye
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
    """One plate as one camera sees it.

    The marker's corners are where the lens puts them; between them the print is stretched straight,
    which leaves out by how much the lens bends an edge within one marker, a tenth of a pixel at most.
    """

    print: Picture
    to_print: Array
    """From a pixel to a pixel of the print, homogeneous, of shape (3, 3)."""
    outline: Array
    """Its corners in the picture [px], from the print's top left clockwise, of shape (4, 2)."""
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
        x0, y0, width, height = window
        # Sample k of a row looks at pixel x0 + (k + 0.5) / samples - 0.5.
        first = 0.5 / _SAMPLES - 0.5
        from_sample = np.array(
            [[1 / _SAMPLES, 0.0, x0 + first], [0.0, 1 / _SAMPLES, y0 + first], [0.0, 0.0, 1.0]]
        )
        fine = cv2.warpPerspective(
            self.print,
            self.to_print @ from_sample,
            (width * _SAMPLES, height * _SAMPLES),
            flags=cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP,
            borderValue=int(self.print[0, 0]),  # beyond the print's edge lies more of its rim
        )
        patch = cv2.resize(fine, (width, height), interpolation=cv2.INTER_AREA)
        canvas.blend_grey(window, patch, self.outline, self.light)


def sheets(eye: Eye, plates: Plates, jitter_px: Array | None = None) -> list[Sheet | None]:
    """Return each plate as the camera sees it; None for what faces away or is outside the picture.

    ``jitter_px`` (n, 4, 2) moves the markers' corners: top left, top right, bottom right, bottom left.
    """
    found: list[Sheet | None] = [None] * len(plates)
    if not len(plates):
        return found
    views = eye.place_m - plates.frames[:, 0]
    flatness = np.einsum("ij,ij->i", plates.frames[:, 3], views) / np.sqrt((views**2).sum(axis=1))
    axes = np.stack([plates.frames[:, 1], plates.frames[:, 2], -views], axis=1) @ eye.rotation.T
    corners = _square(axes, plates.sides_m)
    shown = (flatness > _FLATTEST) & (corners[..., 2].min(axis=1) > 0)
    rays = corners[..., :2] / np.where(shown[:, None, None], corners[..., 2:], 1.0)
    pixels = eye.bent(rays)
    low, high = pixels.min(axis=1), pixels.max(axis=1)
    shown &= (high > 0).all(axis=1) & (low < eye.size_px).all(axis=1)
    shown &= (high - low).min(axis=1) > _SMALLEST_PX
    lights = lambert(plates.frames[:, 3])
    normals = plates.frames[:, 3] @ eye.rotation.T
    planes = normals / np.einsum("ij,ij->i", normals, axes[:, 2])[:, None]
    away_m = np.sqrt((corners**2).sum(axis=2))
    markers = _square(axes, plates.markers_m)
    markers_px = eye.bent(markers[..., :2] / np.where(shown[:, None, None], markers[..., 2:], 1.0))
    if jitter_px is not None:
        markers_px += jitter_px
    seen = np.flatnonzero(shown)
    sides_px = np.array([len(plates.prints[number]) for number in seen], dtype=np.float64)
    to_prints, outlines = _placed(markers_px[seen], sides_px, (plates.markers_m / plates.sides_m)[seen])
    for row, number in enumerate(seen.tolist()):
        found[number] = Sheet(
            plates.prints[number],
            to_prints[row],
            outlines[row],
            float(lights[number]),
            rays[number],
            planes[number],
            (float(away_m[number].min()) * _DISH, float(away_m[number].max())),
        )
    return found


def _square(axes: Array, sides_m: Array) -> Array:
    """Return the corners (n, 4, 3) of squares from the top left clockwise; axes: right, up, middle."""
    scaled = axes[:, :2] * sides_m[:, None, None]
    return np.asarray(_SQUARE @ scaled + axes[:, 2:])


def _placed(markers_px: Array, sides_px: Array, shares: Array) -> tuple[Array, Array]:
    """Return what takes pixels to each print's (n, 3, 3), and its outline (n, 4, 2).

    ``markers_px`` (n, 4, 2) are its marker's corners from the top left clockwise, ``sides_px`` (n,) the
    prints' sides in their own pixels, ``shares`` (n,) the part of them that the marker takes. From a square
    to its picture by Heckbert (Fundamentals of texture mapping, 1989, 2.2.3).
    """
    one, two, three, four = markers_px.transpose(1, 0, 2)
    x1, y1 = (two - three).T
    x2, y2 = (four - three).T
    sx, sy = (one - two + three - four).T
    area = x1 * y2 - x2 * y1
    g, h = (sx * y2 - x2 * sy) / area, (x1 * sy - sx * y1) / area
    to_picture = np.ones((len(markers_px), 3, 3))
    to_picture[:, :2, 0] = two - one + g[:, None] * two
    to_picture[:, :2, 1] = four - one + h[:, None] * four
    to_picture[:, :2, 2] = one
    to_picture[:, 2, 0], to_picture[:, 2, 1] = g, h
    # From a print's pixel to the marker's square, 0 to 1; a print's first pixel lies at -0.5 to 0.5.
    to_square = np.zeros((len(markers_px), 3, 3))
    to_square[:, 0, 0] = to_square[:, 1, 1] = 1 / (shares * sides_px)
    to_square[:, :2, 2] = (0.5 - (sides_px / 2 - 0.5) / (shares * sides_px))[:, None]
    to_square[:, 2, 2] = 1.0
    from_print = to_picture @ to_square
    corners = np.ones((len(markers_px), 4, 3))
    corners[..., :2] = _SQUARE * (1, -1) * sides_px[:, None, None] + (sides_px / 2 - 0.5)[:, None, None]
    ends = corners @ from_print.transpose(0, 2, 1)
    to_print: Array = np.asarray(np.linalg.inv(from_print), dtype=np.float64)
    return to_print, np.asarray(ends[..., :2] / ends[..., 2:], dtype=np.float64)
