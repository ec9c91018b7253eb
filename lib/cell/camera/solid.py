"""Solid things as a camera sees them: depth along a ray, shaded surface."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np

from lib.cell.camera.canvas import Canvas
from lib.cell.camera.eye import Array, Eye
from lib.cell.camera.light import lambert, shine

Colour = tuple[int, int, int]

# Roundness is shaded on a coarse grid and stretched: it changes slowly.
_SHADE_STEP_PX = 9
_GLOSS = 40.0


@dataclass(eq=False)
class Round:
    """A capsule, or with flat ends a cylinder."""

    name: str
    ends_m: Array
    """Both ends of its axis in the world, of shape (2, 3)."""
    radius_m: float
    colour: Colour
    flat: bool = False
    hollow: bool = False
    """Whether its second end is open, as a cup's."""

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where unit rays (n, 3) in the camera's axes meet it (n,); infinite where they miss.

        Its ends are taken as round.
        """
        along, _, gap = self._nearest(eye, directions)
        inside = self.radius_m**2 - gap**2
        return np.where(inside > 0, along - np.sqrt(np.maximum(inside, 0.0)), np.inf)

    def draw(self, canvas: Canvas, eye: Eye, outline: Array) -> None:
        """Draw it within its outline (n, 2) [px], lit from above, darker where it turns from the lamp."""
        window = canvas.window(outline)
        if window is None:
            return
        x0, y0, width, height = window
        columns, rows = max(width // _SHADE_STEP_PX, 4), max(height // _SHADE_STEP_PX, 4)
        grid = np.empty((rows, columns, 3))
        fx, fy, cx, cy = eye.intrinsics_px.tolist()
        grid[..., 0] = (x0 - 0.5 - cx + (np.arange(columns) + 0.5) * (width / columns)) / fx
        grid[..., 1] = ((y0 - 0.5 - cy + (np.arange(rows) + 0.5) * (height / rows)) / fy)[:, None]
        grid[..., 2] = 1.0
        directions: Array = grid.reshape(-1, 3)
        directions = directions / np.sqrt(np.einsum("ij,ij->i", directions, directions))[:, None]
        _, offset, gap = self._nearest(eye, directions)
        share = np.minimum(gap / self.radius_m, 0.97)
        sideways = offset * (share / np.maximum(gap, 1e-12))[:, None]
        normals = (sideways - directions * np.sqrt(1 - share**2)[:, None]) @ eye.rotation
        shaded = lambert(normals)[:, None] * canvas.tone(self.colour)
        shaded += _GLOSS * shine(normals, directions @ eye.rotation)[:, None]
        tones = shaded.reshape(rows, columns, -1).astype(np.float32)
        patch = cv2.resize(np.minimum(tones, np.float32(255.0)), (width, height))
        canvas.blend(window, patch, outline)

    def _nearest(self, eye: Eye, directions: Array) -> tuple[Array, Array, Array]:
        """Return where each ray comes nearest to the axis: how far along the ray, offset, gap [m]."""
        start, end = eye.seen(self.ends_m)
        axis = end - start
        across = directions @ axis
        # Nearest points of a line from the origin and a segment (Ericson 2005, 5.1.9), clamped.
        bottom = np.maximum(float(axis @ axis) - across**2, 1e-12)
        share = np.clip((across * (directions @ start) - float(axis @ start)) / bottom, 0.0, 1.0)
        on_axis = start + share[:, None] * axis
        along = np.einsum("ij,ij->i", directions, on_axis)
        offset = directions * along[:, None] - on_axis
        return along, offset, np.sqrt(np.einsum("ij,ij->i", offset, offset))


@dataclass(eq=False)
class Slab:
    """A box with straight sides: six faces of one colour."""

    name: str
    centre_m: Array
    """Its middle in the world, of shape (3,)."""
    rotation: Array
    """Its axes in the world as columns, of shape (3, 3)."""
    half_m: Array
    """Half its size along its axes, of shape (3,)."""
    colour: Colour

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where unit rays (n, 3) in the camera's axes enter it (n,); infinite where they miss.

        The slab test (Kay and Kajiya 1986).
        """
        origin = self.rotation.T @ (eye.place_m - self.centre_m)
        own = directions @ eye.rotation @ self.rotation
        own = np.where(np.abs(own) < 1e-12, 1e-12, own)
        near = (-np.sign(own) * self.half_m - origin) / own
        far = (np.sign(own) * self.half_m - origin) / own
        enter, leave = near.max(axis=1), far.min(axis=1)
        return np.where((enter <= leave) & (leave > 0), enter, np.inf)

    def corners_m(self) -> Array:
        """Return its corners in the world, of shape (8, 3): along the last axis fastest."""
        return self.centre_m + (_CORNERS * self.half_m) @ self.rotation.T

    def faces(self, eye: Eye) -> list[tuple[list[int], float]]:
        """Return the faces that look at the camera: which corners, in turn, and how bright."""
        origin = self.rotation.T @ (eye.place_m - self.centre_m)
        found = []
        for axis in range(3):
            if abs(origin[axis]) > self.half_m[axis]:
                side = 1 if origin[axis] > 0 else 0
                light = float(lambert((2 * side - 1) * self.rotation[:, axis]))
                found.append((_FACE_CORNERS[axis, side].tolist(), light))
        return found


Solid = Round | Slab

_CORNERS = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], dtype=np.float64)
_NUMBERS = np.arange(8).reshape(2, 2, 2)
_FACE_CORNERS = np.array(
    [[np.take(_NUMBERS, side, axis=axis).ravel()[[0, 1, 3, 2]] for side in range(2)] for axis in range(3)]
)
