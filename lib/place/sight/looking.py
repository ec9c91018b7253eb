"""Looking: where things are, in the median of three moments."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from lib.homing import Camera
from lib.homing.session import Picture
from lib.place.sight.scale import scales
from lib.place.sight.spread import Spread
from lib.place.sight.thing_pose import ThingPose, thing_pose
from lib.place.sight.things import BOX, Array, Thing
from lib.place.sight.watch import CameraMoved, Caught, Watching

IMAGES = 3
"""Pictures from each camera in one look, of which the median counts."""
CORNER_NOISE_PX = 0.3
# The median of three spreads like the mean of 2.23 (order statistics of the normal distribution).
_MEDIAN_SHARE = 0.4487
# What pictures of one look share, and more of them do not average: the cameras' places, the block's size.
SHARED_SIGMA_M = 0.0002

_SURE, _ONE_CAMERA, _ONE_MARKER = 0.99, 0.8, 0.4


@dataclass(frozen=True)
class Sight:
    """Where one thing was seen, in the twin's axes."""

    name: str
    place_m: tuple[float, float, float]
    """Of a block's middle, of the middle of the box's foot [m]."""
    sigma_m: tuple[float, float, float]
    """Standard deviation of each [m]."""
    turn_deg: float
    """Turn about the upright, from z towards x [deg]."""
    tilt_deg: float
    """Between its own upright axis and the world's [deg]."""
    confidence: float
    """How sure it is that this is the thing and that it is there, 0 to 1."""
    method: Literal["markers", "colour"]
    images: int
    """Moments in which it was seen."""
    cameras: tuple[str, ...]

    @property
    def x_z_m(self) -> tuple[float, float]:
        """Where it is over the table [m]."""
        return self.place_m[0], self.place_m[2]

    @property
    def sigma_x_z_m(self) -> float:
        """Standard deviation in x and z, the larger one [m]."""
        return max(self.sigma_m[0], self.sigma_m[2])


@dataclass(frozen=True)
class Looked:
    """One look."""

    sights: Mapping[str, Sight]
    """What was seen, by name; what is not in it was not."""
    moved: tuple[CameraMoved, ...]
    scale: float | None
    """Measured over known distance between markers; None unless the box was looked for and seen twice."""
    cameras: Sequence[Camera] = field(repr=False)
    """Those that saw something of it."""
    pictures: Mapping[str, Picture] = field(repr=False)
    """The first picture of each of them, grey."""


def look(
    watch: Watching,
    things: Mapping[str, Thing],
    wanted: Collection[str],
    axes: Array,
    spread: Spread,
    images: int = IMAGES,
) -> Looked:
    """Look for things by name; ``axes`` (3, 3) turns the vendor's frame into the twin's.

    ``spread`` is what is known of the pictures' own noise, and learns.
    """
    caught = watch.catch({i for name in wanted for i in things[name].corners_m}, images)
    sights = {}
    for name in wanted:
        poses = [
            pose
            for views in caught.instants
            if (pose := thing_pose(caught.cameras, views, things[name].corners_m, CORNER_NOISE_PX))
        ]
        if poses:
            sights[name] = _median(name, poses, axes, spread)
    return Looked(sights, caught.moved, _scale(caught, things, wanted), caught.cameras, caught.pictures)


def _scale(caught: Caught, things: Mapping[str, Thing], wanted: Collection[str]) -> float | None:
    if not caught.instants or BOX not in wanted:
        return None
    first = caught.instants[0]
    found = [s for name in wanted for s in scales(caught.cameras, first, things[name].corners_m)]
    return float(np.median(found)) if found else None


def _median(name: str, poses: Sequence[ThingPose], axes: Array, spread: Spread) -> Sight:
    places = np.array([axes @ pose.place_m for pose in poses])
    place = np.median(places, axis=0)
    if all(len(pose.cameras) > 1 for pose in poses):  # one camera's own error is of another kind
        spread.learn(list(places))
    variances = spread.variances_m2(
        np.median([np.diag(axes @ pose.covariance_m2 @ axes.T) for pose in poses], axis=0)
    )
    share = _MEDIAN_SHARE if len(poses) >= IMAGES else 1 / len(poses)
    chosen = poses[int(np.argmin(np.linalg.norm(places - place, axis=1)))]
    x, y, z = (float(value) for value in place)
    sx, sy, sz = (float(value) for value in np.sqrt(variances * share + SHARED_SIGMA_M**2))
    turned = axes @ chosen.rotation @ axes.T
    return Sight(
        name=name,
        place_m=(x, y, z),
        sigma_m=(sx, sy, sz),
        turn_deg=float(np.degrees(np.arctan2(turned[0, 2], turned[2, 2]))),
        tilt_deg=float(np.degrees(np.arccos(np.clip(chosen.rotation[2, 2], -1.0, 1.0)))),
        confidence=_confidence(chosen),
        method="markers",
        images=len(poses),
        cameras=chosen.cameras,
    )


def _confidence(pose: ThingPose) -> float:
    """One small marker in one picture has two readings; several markers or cameras have one."""
    if len(pose.cameras) > 1:
        return _SURE
    return _ONE_CAMERA if len(pose.markers) > 1 else _ONE_MARKER
