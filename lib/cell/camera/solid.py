"""Solid things as a camera sees them: outline, depth along a ray, shaded surface."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np

from lib.cell.camera.canvas import Canvas
from lib.cell.camera.eye import Array, Eye, cross
from lib.cell.camera.light import lambert, shine
from lib.cell.camera.plate import Plate

Colour = tuple[int, int, int]

_ROUND = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
_CIRCLE = np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)
# Straight edges are cut into pieces of this length, which the lens then bends.
_PIECE_PX = 60.0
# A cup's wall, as the radius of its inside, and how dark it is in there.
_INSIDE, _INSIDE_LIGHT = 0.88, 0.36
# Roundness is shaded on a coarse grid and stretched: it changes slowly.
_SHADE_STEP_PX = 7


class Solid(Protocol):
    """What can be sorted by depth and drawn."""

    name: str
    plates: list[Plate]
    """What is glued to it, drawn with it."""

    def outline(self, eye: Eye) -> Array | None:
        """Return its convex outline as rays (n, 2), clockwise or not; None: not in front of the camera."""

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where rays (n, 3) in the camera's axes meet it first (n,); infinite where they miss."""

    def draw(self, canvas: Canvas, eye: Eye, outline: Array) -> None:
        """Draw it; ``outline`` is its own, in pixels (n, 2)."""


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
    plates: list[Plate] = field(default_factory=list)

    def outline(self, eye: Eye) -> Array | None:
        """Return the hull of its two ends' outlines as rays."""
        ends = eye.seen(self.ends_m)
        if ends[:, 2].min() <= 2 * self.radius_m:
            return None
        if self.flat:
            axis = ends[1] - ends[0]
            side, other = _square_to(axis / np.linalg.norm(axis))
            rim = self.radius_m * (_CIRCLE[:, :1] * side + _CIRCLE[:, 1:] * other)
            return _hull(_rays((ends[:, None, :] + rim[None]).reshape(-1, 3)))
        # A sphere is seen along its tangent cone: the circle where that touches.
        distance = np.linalg.norm(ends, axis=1)
        shrink = 1.0 - (self.radius_m / distance) ** 2
        rims = []
        for end, far, share in zip(ends, distance, shrink, strict=True):
            side, other = _square_to(end / far)
            radius = self.radius_m * np.sqrt(share)
            rims.append(end * share + radius * (_CIRCLE[:, :1] * side + _CIRCLE[:, 1:] * other))
        return _hull(_rays(np.concatenate(rims)))

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where rays meet it, its ends taken as round."""
        along, _, gap = self._nearest(eye, directions)
        inside = self.radius_m**2 - gap**2
        return np.where(inside > 0, along - np.sqrt(np.maximum(inside, 0.0)), np.inf)

    def draw(self, canvas: Canvas, eye: Eye, outline: Array) -> None:
        """Draw it lit from above, its far side away from the light darker."""
        window = canvas.window(outline)
        if window is None:
            return
        x0, y0, width, height = window
        columns, rows = max(width // _SHADE_STEP_PX, 4), max(height // _SHADE_STEP_PX, 4)
        pixels = np.empty((rows, columns, 2))
        pixels[..., 0] = x0 - 0.5 + (np.arange(columns) + 0.5) * width / columns
        pixels[..., 1] = (y0 - 0.5 + (np.arange(rows) + 0.5) * height / rows)[:, None]
        rays = (pixels.reshape(-1, 2) - eye.intrinsics_px[2:]) / eye.intrinsics_px[:2]
        directions = np.concatenate([rays, np.ones((len(rays), 1))], axis=1)
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        _, offset, gap = self._nearest(eye, directions)
        share = np.minimum(gap / self.radius_m, 0.97)
        sideways = offset * (share / np.maximum(gap, 1e-12))[:, None]
        normals = (sideways - directions * np.sqrt(1 - share**2)[:, None]) @ eye.rotation
        light = lambert(normals)
        gloss = 40.0 * shine(normals, directions @ eye.rotation)
        tone = canvas.tone(self.colour)
        shaded = np.minimum(light[:, None] * tone + gloss[:, None], 255.0).astype(np.float32)
        shape = (rows, columns) if len(tone) == 1 else (rows, columns, 3)
        patch = cv2.resize(shaded.reshape(shape), (width, height), interpolation=cv2.INTER_LINEAR)
        canvas.blend(window, patch, outline)
        if self.flat:
            self._draw_top(canvas, eye)

    def _draw_top(self, canvas: Canvas, eye: Eye) -> None:
        start, end = self.ends_m
        axis = (end - start) / np.linalg.norm(end - start)
        if (eye.place_m - end) @ axis <= 0:
            return
        side, other = _square_to(axis)
        rim = self.radius_m * (_CIRCLE[:, :1] * side + _CIRCLE[:, 1:] * other)
        canvas.fill(eye.pixels(eye.seen(end + rim)), self.colour, float(lambert(axis)))
        if self.hollow:
            canvas.fill(eye.pixels(eye.seen(end + _INSIDE * rim)), self.colour, _INSIDE_LIGHT)

    def _nearest(self, eye: Eye, directions: Array) -> tuple[Array, Array, Array]:
        """Return where each ray comes nearest to the axis: how far along the ray, offset, gap [m]."""
        start, end = eye.seen(self.ends_m)
        axis = end - start
        length2 = float(axis @ axis)
        across = directions @ axis
        # Nearest points of a line from the origin and a segment (Ericson 2005, 5.1.9), u clamped.
        from_start = directions @ start
        bottom = np.maximum(length2 - across**2, 1e-12)
        share = np.clip((across * from_start - float(axis @ start)) / bottom, 0.0, 1.0)
        on_axis = start + share[:, None] * axis
        along = np.einsum("ij,ij->i", directions, on_axis)
        offset = directions * along[:, None] - on_axis
        return along, offset, np.linalg.norm(offset, axis=1)


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
    plates: list[Plate] = field(default_factory=list)

    def outline(self, eye: Eye) -> Array | None:
        """Return the hull of its corners as rays."""
        corners = eye.seen(self.corners_m())
        if corners[:, 2].min() <= 1e-3:
            return None
        return _hull(_rays(corners))

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where rays enter it (slab test, Kay and Kajiya 1986)."""
        origin = self.rotation.T @ (eye.place_m - self.centre_m)
        own = directions @ eye.rotation @ self.rotation
        own = np.where(np.abs(own) < 1e-12, 1e-12, own)
        near = (-np.sign(own) * self.half_m - origin) / own
        far = (np.sign(own) * self.half_m - origin) / own
        enter, leave = near.max(axis=1), far.min(axis=1)
        return np.where((enter <= leave) & (leave > 0), enter, np.inf)

    def draw(self, canvas: Canvas, eye: Eye, outline: Array) -> None:
        """Draw the faces that look at the camera over the whole outline, so that no seam shows."""
        origin = self.rotation.T @ (eye.place_m - self.centre_m)
        faces = []
        for axis in range(3):
            side = 1.0 if origin[axis] > 0 else -1.0
            if abs(origin[axis]) <= self.half_m[axis]:
                continue
            faces.append((float(lambert(side * self.rotation[:, axis])), axis, side))
        if not faces:
            return
        canvas.fill(outline, self.colour, float(np.mean([light for light, _, _ in faces])))
        corners = self.corners_m().reshape(2, 2, 2, 3)
        for light, axis, side in faces:
            face = np.take(corners, 1 if side > 0 else 0, axis=axis).reshape(4, 3)[[0, 1, 3, 2]]
            canvas.fill(bent_outline(eye, _rays(eye.seen(face))), self.colour, float(light))

    def corners_m(self) -> Array:
        """Return its corners in the world, of shape (8, 3)."""
        signs = np.array([[i, j, k] for i in (-1, 1) for j in (-1, 1) for k in (-1, 1)], dtype=np.float64)
        return self.centre_m + (signs * self.half_m) @ self.rotation.T


def bent_outline(eye: Eye, rays: Array) -> Array:
    """Return an outline of rays (n, 2) in pixels (m, 2), long edges cut so that the lens bends them."""
    edges = np.concatenate([rays[1:], rays[:1]]) - rays
    longest = int(np.abs(edges * eye.intrinsics_px[:2]).max() / _PIECE_PX) + 1
    if longest == 1:
        return eye.bent(rays)
    shares = np.arange(longest)[None, :, None] / longest
    return eye.bent((rays[:, None] + shares * edges[:, None]).reshape(-1, 2))


def _rays(seen_m: Array) -> Array:
    return seen_m[:, :2] / seen_m[:, 2:]


def _hull(rays: Array) -> Array:
    hull: Array = cv2.convexHull(rays.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    return hull


def _square_to(unit: Array) -> tuple[Array, Array]:
    side = cross(unit, np.eye(3)[np.argmin(np.abs(unit))])
    side /= np.linalg.norm(side)
    return side, cross(unit, side)
