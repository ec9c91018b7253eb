"""Scenes with known truth, down to the corners: poses, cameras, noise, dropped and false markers.

The published prototype's conditions: four cameras of 1920 x 1200, f 1600 px, about 1.5 m away; poses
anywhere in the limits; 0.3 px corner noise; 10 % of detections dropped.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from lib.homing.camera import Camera
from lib.homing.lens import Array, Lens
from lib.homing.views import Views
from lib.robot import Machine, Tree, tree_frames

STEEPEST_VIEW_COS = 0.3
"""A marker seen flatter than this is not detected."""


@dataclass(frozen=True)
class Conditions:
    """What a scene is made under."""

    noise_px: float = 0.3
    dropped: float = 0.1
    outlier_corners: float = 0.0
    """Share of corners moved by 5 to 60 px."""
    false_markers: float = 0.0
    """Share of marker views replaced by a square elsewhere in the image."""
    cameras: int = 4
    distance_m: float = 1.5
    focal_px: float = 1600.0
    size_px: tuple[int, int] = (1920, 1200)
    distortion: tuple[float, ...] = (0.0, 0.0, 0.0, 0.0, 0.0)


PUBLISHED = Conditions()


@dataclass(frozen=True, eq=False)
class Scene:
    """One capture and its truth."""

    machine: Machine
    cameras: tuple[Camera, ...]
    """Where the cameras really are."""
    values: Array
    """True joint values [rad or m], of shape (v,)."""
    views: Views
    """What was seen of links and board."""
    true_corners_px: Array
    """The same corners without noise, of shape (n, 4, 2)."""

    @property
    def own(self) -> Views:
        """What was seen of the links."""
        return self.views.rows(np.isin(self.views.marker, list(self.machine.carrier)))

    @property
    def links_seen(self) -> set[int]:
        """Links of which any marker was seen."""
        return {self.machine.carrier[m] for m in self.own.marker.tolist()}


def random_values(machine: Machine, random: np.random.Generator) -> Array:
    """Draw joint values anywhere in the limits."""
    return np.array([random.uniform(v.low, v.high) for v in machine.variables])


def cameras_around(
    centre_m: Array, conditions: Conditions, random: np.random.Generator
) -> tuple[Camera, ...]:
    """Place cameras on all sides of a point, looking at it from above."""
    width, height = conditions.size_px
    lens = Lens(
        np.array([conditions.focal_px, conditions.focal_px, width / 2, height / 2]),
        np.array(conditions.distortion),
        conditions.size_px,
    )
    cameras = []
    for k in range(conditions.cameras):
        around = 2 * np.pi * (k + 0.5) / conditions.cameras + random.uniform(-0.25, 0.25)
        up = random.uniform(0.25, 0.75)
        away = np.array([np.cos(around) * np.cos(up), np.sin(around) * np.cos(up), np.sin(up)])
        place = centre_m + conditions.distance_m * random.uniform(0.93, 1.07) * away
        aim = centre_m + random.normal(0, 0.02, 3)
        cameras.append(looking_at(f"cam{k}", lens, place, aim, random.normal(0, 0.03)))
    return tuple(cameras)


def looking_at(name: str, lens: Lens, place_m: Array, aim_m: Array, roll_rad: float = 0.0) -> Camera:
    """Place a camera upright, looking at a point."""
    forward = (aim_m - place_m) / np.linalg.norm(aim_m - place_m)
    right = np.cross(forward, [0.0, 0.0, 1.0])
    right /= np.linalg.norm(right)
    down = np.cross(forward, right)
    c, s = np.cos(roll_rad), np.sin(roll_rad)
    rotation = np.array([c * right + s * down, c * down - s * right, forward])
    return Camera(name, lens, rotation, -rotation @ place_m)


def scene(
    machine: Machine,
    seed: int,
    conditions: Conditions = PUBLISHED,
    values: Array | None = None,
    cameras: tuple[Camera, ...] | None = None,
) -> Scene:
    """Make the scene of a seed; ``values`` and ``cameras`` replace what would be drawn."""
    random = np.random.default_rng(seed)
    drawn = random_values(machine, random)
    values = drawn if values is None else values
    around = cameras_around(np.array([0.2, 0.1, 0.25]), conditions, random)
    cameras = around if cameras is None else cameras
    ids, corners_m, normals = markers_in_world(machine, values)
    camera, marker, corners = [], [], []
    for c, one in enumerate(cameras):
        seen, pixels = visible(one, corners_m, normals)
        camera.append(np.full(seen.sum(), c))
        marker.append(ids[seen])
        corners.append(pixels[seen])
    views = Views(
        tuple(c.name for c in cameras),
        np.concatenate(camera),
        np.concatenate(marker),
        np.concatenate(corners),
        np.zeros(sum(map(len, camera))),
    )
    kept = random.random(len(views.marker)) >= conditions.dropped
    views = views.rows(kept)
    return Scene(machine, cameras, values, disturbed(views, cameras, conditions, random), views.corners_px)


def markers_in_world(machine: Machine, values: Array) -> tuple[Array, Array, Array]:
    """Return ids (m,), corners [m] (m, 4, 3) and normals (m, 3) of all markers, the board's too."""
    frames = tree_frames(Tree.of(machine), values[None])
    ids, corners, normals = [], [], []
    for i, link in enumerate(machine.links):
        for marker in link.markers + (machine.board if i == 0 else ()):
            assert marker.corners_m is not None
            ids.append(marker.id)
            corners.append(marker.corners_m @ frames.rotations[0, i].T + frames.places_m[0, i])
            normals.append(frames.rotations[0, i] @ marker.normal)
    return np.array(ids), np.array(corners), np.array(normals)


def visible(camera: Camera, corners_m: Array, normals: Array) -> tuple[Array, Array]:
    """Return which markers (m,) a camera sees whole and not too flat, and all corners [px] (m, 4, 2)."""
    to_camera = camera.place_m - corners_m.mean(axis=1)
    facing = (to_camera * normals).sum(axis=1) / np.linalg.norm(to_camera, axis=1)
    pixels = camera.pixels(corners_m)
    width, height = camera.lens.size_px
    whole = ((pixels > 2) & (pixels < np.array([width - 3, height - 3]))).all(axis=(1, 2))
    return whole & (facing > STEEPEST_VIEW_COS), pixels


def disturbed(
    views: Views, cameras: tuple[Camera, ...], conditions: Conditions, random: np.random.Generator
) -> Views:
    """Add noise, then gross errors of corners and of whole markers."""
    corners = views.corners_px + random.normal(0, conditions.noise_px, views.corners_px.shape)
    bad = random.random(corners.shape[:2]) < conditions.outlier_corners
    way = random.uniform(0, 2 * np.pi, bad.shape)
    far = random.uniform(5, 60, bad.shape)
    corners += (bad * far)[..., None] * np.stack([np.cos(way), np.sin(way)], axis=-1)
    for row in np.flatnonzero(random.random(len(corners)) < conditions.false_markers):
        turn = random.uniform(0, 2 * np.pi)
        half_px = random.uniform(10, 30)
        round_ = turn + np.pi / 2 * np.arange(4)  # clockwise in an image, whose y runs down
        square = half_px * np.stack([np.cos(round_), np.sin(round_)], axis=-1)
        width, height = cameras[views.camera[row]].lens.size_px
        corners[row] = square + random.uniform([50, 50], [width - 50, height - 50])
    return replace(views, corners_px=corners)
