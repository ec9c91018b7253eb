"""What of the solids a camera sees: their outlines, all computed together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import cv2
import numpy as np

from lib.cell.camera.canvas import Canvas
from lib.cell.camera.eye import Array, Eye
from lib.cell.camera.light import lambert
from lib.cell.camera.solid import Round, Slab, Solid

_ROUND = np.linspace(0.0, 2 * np.pi, 36, endpoint=False)
_CIRCLE = np.stack([np.cos(_ROUND), np.sin(_ROUND)], axis=1)
# Straight edges are cut into pieces of this length, which the lens then bends.
_PIECE_PX = 60.0
# Nothing smaller than this shows.
_SMALLEST_PX = 1.0
# A cup's wall, as the radius of its inside, and how dark it is in there.
_INSIDE, _INSIDE_LIGHT = 0.88, 0.36


@dataclass(eq=False)
class Sighting:
    """A solid as one camera sees it."""

    solid: Solid
    rays: Array
    """Its convex outline as rays, of shape (n, 2)."""
    span_m: tuple[float, float]
    """How near and how far from the camera it is."""
    pieces: list[tuple[Array, float]] = field(default_factory=list)
    """Flat faces as rays (n, 2) and how bright each is, the inside of a cup last."""
    outline: Array = field(default_factory=lambda: np.empty((0, 2)))
    """Its outline in the picture [px], of shape (m, 2)."""
    faces: list[tuple[Array, float]] = field(default_factory=list)
    """The flat faces in the picture [px]."""

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where unit rays (n, 3) in the camera's axes meet it (n,)."""
        return self.solid.depths(eye, directions)

    def draw(self, canvas: Canvas, eye: Eye) -> None:
        """Draw the solid without what is glued to it."""
        colour = self.solid.colour
        if isinstance(self.solid, Round):
            self.solid.draw(canvas, eye, self.outline)
        elif self.faces:
            # The whole outline first, so that no seam shows between two faces.
            canvas.fill(self.outline, colour, sum(light for _, light in self.faces) / len(self.faces))
        for face, light in self.faces:
            canvas.fill(face, colour, light)


def sightings(eye: Eye, solids: Sequence[Solid]) -> list[Sighting]:
    """Return the solids in front of the camera and in its picture."""
    rounds = [solid for solid in solids if isinstance(solid, Round)]
    slabs = [solid for solid in solids if isinstance(solid, Slab)]
    found = [*_rounds(eye, rounds), *_slabs(eye, slabs)]
    size, middle, focal = np.array(eye.size_px), eye.intrinsics_px[2:], eye.intrinsics_px[:2]
    seen = []
    for sighting in found:
        low, high = sighting.rays.min(axis=0) * focal + middle, sighting.rays.max(axis=0) * focal + middle
        if (high > 0).all() and (low < size).all() and (high - low).min() > _SMALLEST_PX:
            seen.append(sighting)
    polygons = [sighting.rays for sighting in seen]
    polygons += [rays for sighting in seen for rays, _ in sighting.pieces]
    bent = bent_polygons(eye, polygons)
    rest = iter(bent[len(seen) :])
    for sighting, outline in zip(seen, bent, strict=False):
        sighting.outline = outline
        sighting.faces = [(next(rest), light) for _, light in sighting.pieces]
    return seen


def bent_polygons(eye: Eye, polygons: Sequence[Array]) -> list[Array]:
    """Return polygons of rays (n, 2) in pixels (m, 2), long edges cut so that the lens can bend them."""
    if not polygons:
        return []
    counts = np.array([len(polygon) for polygon in polygons])
    starts = np.concatenate(polygons)
    ends = np.concatenate([np.concatenate([polygon[1:], polygon[:1]]) for polygon in polygons])
    edges = ends - starts
    cuts = (np.abs(edges * eye.intrinsics_px[:2]).max(axis=1) / _PIECE_PX).astype(np.int64) + 1
    which = np.repeat(np.arange(len(starts)), cuts)
    first = np.cumsum(cuts) - cuts
    shares = (np.arange(len(which)) - first[which]) / cuts[which]
    pixels = eye.bent(starts[which] + shares[:, None] * edges[which])
    last_edges = np.cumsum(counts) - 1
    stops = (first + cuts)[last_edges]
    return np.split(pixels, stops[:-1])


def _rounds(eye: Eye, rounds: Sequence[Round]) -> list[Sighting]:
    if not rounds:
        return []
    ends = eye.seen(np.array([solid.ends_m for solid in rounds]))
    radii = np.array([solid.radius_m for solid in rounds])
    far = np.sqrt((ends**2).sum(axis=2))
    along = ends[:, 1] - ends[:, 0]
    share = -(ends[:, 0] * along).sum(axis=1) / np.maximum((along**2).sum(axis=1), 1e-12)
    near = np.linalg.norm(ends[:, 0] + np.clip(share, 0.0, 1.0)[:, None] * along, axis=1)
    # A sphere is seen along its tangent cone: the circle where that touches.
    shrink = 1.0 - (radii[:, None] / far) ** 2
    side, other = _square_to(ends / far[..., None])
    rims = ends * shrink[..., None]
    rims = rims[:, :, None] + (radii[:, None] * np.sqrt(np.maximum(shrink, 0.0)))[..., None, None] * (
        _CIRCLE[:, :1] * side[:, :, None] + _CIRCLE[:, 1:] * other[:, :, None]
    )
    found = []
    for number, solid in enumerate(rounds):
        if ends[number, :, 2].min() <= 2 * solid.radius_m:
            continue
        points: Array = rims[number].reshape(-1, 3)
        pieces: list[tuple[Array, float]] = []
        if solid.flat:
            points, pieces = _flat_ends(eye, solid, ends[number])
        span_m = (float(near[number]) - solid.radius_m, float(far[number].max()) + solid.radius_m)
        found.append(Sighting(solid, _hull(_rays(points)), span_m, pieces))
    return found


def _flat_ends(eye: Eye, solid: Round, ends: Array) -> tuple[Array, list[tuple[Array, float]]]:
    """Return the rims of a cylinder (n, 3) and, where it is seen, its second end as a face."""
    axis = (ends[1] - ends[0]) / np.linalg.norm(ends[1] - ends[0])
    side, other = _square_to(axis)
    rim = solid.radius_m * (_CIRCLE[:, :1] * side + _CIRCLE[:, 1:] * other)
    pieces = []
    if float(ends[1] @ axis) < 0:
        pieces.append((_rays(ends[1] + rim), float(lambert(axis @ eye.rotation))))
        if solid.hollow:
            pieces.append((_rays(ends[1] + _INSIDE * rim), _INSIDE_LIGHT))
    return (ends[:, None, :] + rim[None]).reshape(-1, 3), pieces


def _slabs(eye: Eye, slabs: Sequence[Slab]) -> list[Sighting]:
    found = []
    for slab in slabs:
        corners = eye.seen(slab.corners_m())
        if corners[:, 2].min() > 1e-3:
            rays = _rays(corners)
            pieces = [(rays[numbers], light) for numbers, light in slab.faces(eye)]
            outside = np.abs(slab.rotation.T @ (eye.place_m - slab.centre_m)) - slab.half_m
            near_m = float(np.linalg.norm(np.maximum(outside, 0.0)))
            far_m = float(np.sqrt((corners**2).sum(axis=1).max()))
            found.append(Sighting(slab, _hull(rays), (near_m, far_m), pieces))
    return found


def _rays(seen_m: Array) -> Array:
    return seen_m[..., :2] / seen_m[..., 2:]


def _hull(rays: Array) -> Array:
    # Single precision is all that OpenCV takes here, 1e-4 px.
    hull: Array = cv2.convexHull(rays.astype(np.float32)).reshape(-1, 2).astype(np.float64)
    return hull


def _square_to(units: Array) -> tuple[Array, Array]:
    """Return two unit vectors square to each unit vector (..., 3) and to each other."""
    x, y, z = units[..., 0], units[..., 1], units[..., 2]
    # Duff et al. 2017, "Building an orthonormal basis, revisited".
    sign = np.where(z < 0, -1.0, 1.0)
    a = -1.0 / (sign + z)
    b = x * y * a
    side = np.stack([1.0 + sign * x * x * a, sign * b, -sign * x], axis=-1)
    other = np.stack([b, sign + y * y * a, -y], axis=-1)
    return side, other
