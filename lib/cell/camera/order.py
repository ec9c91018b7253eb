"""From back to front: which of two solids that overlap in the picture hides the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from lib.cell.camera.eye import Array, Eye
from lib.cell.camera.solid import Solid

# Overlaps smaller than this, in rays squared (a tenth of a pixel), hide nothing.
_SMALLEST_OVERLAP = 5e-8


@dataclass(frozen=True, eq=False)
class Sighting:
    """A solid with its outline as one camera sees it."""

    solid: Solid
    rays: Array
    """Its convex outline as rays, of shape (n, 2)."""
    far_m: float
    """How far its outline's middle is from the camera along the view."""


def back_to_front(eye: Eye, sightings: Sequence[Sighting]) -> list[Sighting]:
    """Return the sightings in the order in which they can be painted over each other.

    Where the outlines of two overlap, both are met by the same few rays; the one met later is
    painted first. Should they hide each other in a ring, the farthest of the ring goes first.
    """
    behind: list[set[int]] = [set() for _ in sightings]  # whom each must wait for
    for one, other in _hidden_pairs(eye, sightings):
        behind[one].add(other)
    waiting = sorted(range(len(sightings)), key=lambda number: -sightings[number].far_m)
    order: list[Sighting] = []
    while waiting:
        free = next((number for number in waiting if not behind[number]), waiting[0])
        waiting.remove(free)
        order.append(sightings[free])
        for others in behind:
            others.discard(free)
    return order


def _hidden_pairs(eye: Eye, sightings: Sequence[Sighting]) -> list[tuple[int, int]]:
    """Return (in front, behind) for every two solids of which one hides a part of the other."""
    outlines = [sighting.rays.astype(np.float32) for sighting in sightings]
    low = np.array([outline.min(axis=0) for outline in outlines])
    high = np.array([outline.max(axis=0) for outline in outlines])
    boxes_meet = (low[:, None] < high[None]).all(axis=2) & (low[None] < high[:, None]).all(axis=2)
    pairs, rays = [], []
    for one, other in np.argwhere(np.triu(boxes_meet, 1)).tolist():
        area, overlap = cv2.intersectConvexConvex(outlines[one], outlines[other])
        if area > _SMALLEST_OVERLAP and overlap is not None:
            corners = overlap.reshape(-1, 2)
            middle = corners.mean(axis=0)
            spread = corners[:: max(len(corners) // 4, 1)][:4]
            pairs.append((one, other))
            rays.append(np.concatenate([[middle], middle + 0.6 * (spread - middle)]))
    if not pairs:
        return []
    depths = _depths(eye, sightings, pairs, rays)
    found = []
    for (one, other), (of_one, of_other) in zip(pairs, depths, strict=True):
        both = np.isfinite(of_one) & np.isfinite(of_other)
        nearer_m = float(np.mean(of_one[both] - of_other[both])) if both.any() else 0.0
        if nearer_m == 0.0:
            nearer_m = sightings[one].far_m - sightings[other].far_m
        found.append((one, other) if nearer_m < 0 else (other, one))
    return found


def _depths(
    eye: Eye, sightings: Sequence[Sighting], pairs: Sequence[tuple[int, int]], rays: Sequence[Array]
) -> list[list[Array]]:
    """Return for each pair where its rays meet the one and the other; each solid is asked once."""
    asked: list[list[tuple[int, int]]] = [[] for _ in sightings]
    for number, pair in enumerate(pairs):
        for side, which in enumerate(pair):
            asked[which].append((number, side))
    depths: list[list[Array]] = [[np.empty(0), np.empty(0)] for _ in pairs]
    for sighting, questions in zip(sightings, asked, strict=True):
        if not questions:
            continue
        together = np.concatenate([rays[number] for number, _ in questions])
        directions = np.concatenate([together, np.ones((len(together), 1))], axis=1)
        directions /= np.linalg.norm(directions, axis=1, keepdims=True)
        answers = sighting.solid.depths(eye, directions)
        start = 0
        for number, side in questions:
            depths[number][side] = answers[start : start + len(rays[number])]
            start += len(rays[number])
    return depths
