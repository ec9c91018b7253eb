"""A fallback where no marker of a thing is seen: its colour and its size, by two cameras or more.

The middle of a thing's outline is where its middle is seen, as far as perspective is weak: every thing here
is the same turned about its middle. One camera alone says nothing, for how far away a patch of colour is
nobody knows: such a thing stays unseen.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from itertools import combinations

import cv2
import numpy as np

from lib.homing import Camera
from lib.homing.session import Picture
from lib.place.sight.looking import Sight
from lib.place.sight.scale import crossing
from lib.place.sight.things import BOX, Array, Thing

# Hue in OpenCV's half degrees, saturation of 255: how far a lit and shaded surface is from its colour.
_HUE, _SATURATION, _DARKEST = 7, 42, 35
_SMALLEST_PX = 60
# A thing's outline bends inwards nowhere; tape on the table and what is half hidden do.
_FULL_SHARE = 0.85
# Rays of two cameras to one thing pass each other at less than this.
_GAP_M = 0.008
# A cube's outline has one face's area to the root of three times that; a part may be hidden.
_AREA_LOW, _AREA_HIGH = 0.5, 2.2
SIGMA_M = 0.003
CONFIDENCE = 0.6


@dataclass(frozen=True, eq=False)
class _Patch:
    camera: Camera
    middle_px: Array
    area_px: float


def look_by_colour(
    cameras: Mapping[str, Camera],
    pictures: Mapping[str, Picture],
    things: Mapping[str, Thing],
    names: Collection[str],
    axes: Array,
) -> dict[str, Sight]:
    """Return the things that two cameras or more see by colour and size; pictures are blue, green, red."""
    found = {}
    for name in names:
        patches = [
            patch
            for camera, picture in pictures.items()
            if camera in cameras
            for patch in _patches(cameras[camera], picture, things[name])
        ]
        sight = _sight(things[name], patches, axes)
        if sight is not None:
            found[name] = sight
    return found


def _patches(camera: Camera, picture: Picture, thing: Thing) -> list[_Patch]:
    """Return the patches of the thing's colour in one picture."""
    tones = cv2.cvtColor(picture, cv2.COLOR_BGR2HSV)
    drawn = np.array([[thing.colour]], dtype=np.uint8)
    hue, saturation, _ = cv2.cvtColor(drawn, cv2.COLOR_BGR2HSV)[0, 0].astype(int)
    low = np.array([max(hue - _HUE, 0), max(saturation - _SATURATION, 40), _DARKEST])
    high = np.array([min(hue + _HUE, 179), min(saturation + _SATURATION, 255), 255])
    mask = cv2.morphologyEx(cv2.inRange(tones, low, high), cv2.MORPH_CLOSE, np.ones((7, 7), np.uint8))
    # Outer outlines: what is white on a label, or open in a box, counts as inside.
    outlines, _ = cv2.findContours(mask, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    patches = []
    for outline in outlines:
        hull = cv2.convexHull(outline)
        moments = cv2.moments(hull)
        full = cv2.contourArea(outline) >= _FULL_SHARE * moments["m00"]
        if full and moments["m00"] >= _SMALLEST_PX:
            middle = np.array([moments["m10"], moments["m01"]]) / moments["m00"]
            patches.append(_Patch(camera, middle, float(moments["m00"])))
    return patches


def _sight(thing: Thing, patches: list[_Patch], axes: Array) -> Sight | None:
    """Return the thing where the rays of patches of the right size meet best."""
    best: tuple[int, float] | None = None
    chosen: list[_Patch] = []
    place = np.zeros(3)
    for one, other in combinations(patches, 2):
        if one.camera.name == other.camera.name:
            continue
        point = crossing([(p.camera, p.middle_px) for p in (one, other)])
        agreeing = _agreeing(thing, patches, point)
        if len(agreeing) < 2:
            continue
        point = crossing([(p.camera, p.middle_px) for p in agreeing])
        gap_m = max(_gap_m(p, point) for p in agreeing)
        if best is None or (-len(agreeing), gap_m) < best:
            best, chosen, place = (-len(agreeing), gap_m), agreeing, point
    if best is None:
        return None
    x, y, z = (float(value) for value in axes @ place)
    if thing.name == BOX:
        y -= float(thing.half_m[2])  # told of its foot
    return Sight(
        name=thing.name,
        place_m=(x, y, z),
        sigma_m=(SIGMA_M, SIGMA_M, SIGMA_M),
        turn_deg=0.0,
        tilt_deg=0.0,
        confidence=CONFIDENCE,
        method="colour",
        images=1,
        cameras=tuple(patch.camera.name for patch in chosen),
    )


def _agreeing(thing: Thing, patches: list[_Patch], point_m: Array) -> list[_Patch]:
    """Return of each camera the patch whose ray passes the point nearest, if it is of the right size."""
    found: dict[str, _Patch] = {}
    for patch in patches:
        depth_m = float(patch.camera.in_camera(point_m)[2])
        if depth_m <= 0.05 or _gap_m(patch, point_m) > _GAP_M:
            continue
        face_px = (2 * float(thing.half_m.mean()) * patch.camera.lens.intrinsics_px[0] / depth_m) ** 2
        if not _AREA_LOW * face_px <= patch.area_px <= _AREA_HIGH * face_px:
            continue
        known = found.get(patch.camera.name)
        if known is None or _gap_m(patch, point_m) < _gap_m(known, point_m):
            found[patch.camera.name] = patch
    return list(found.values())


def _gap_m(patch: _Patch, point_m: Array) -> float:
    """Return how far the ray through a patch's middle passes a point [m]."""
    seen = patch.camera.in_camera(point_m)
    ray = np.append(patch.camera.lens.rays(patch.middle_px[None])[0], 1.0)
    ray /= np.linalg.norm(ray)
    return float(np.linalg.norm(seen - (seen @ ray) * ray))
