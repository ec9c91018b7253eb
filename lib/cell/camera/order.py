"""From back to front: which of two things that overlap in the picture hides the other."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Protocol

import cv2
import numpy as np

from lib.cell.camera.canvas import Canvas
from lib.cell.camera.eye import Array, Eye

# Overlaps smaller than this, in rays squared (a tenth of a pixel), hide nothing.
_SMALLEST_OVERLAP = 5e-8


class Paintable(Protocol):
    """A thing in the picture that is painted as a whole."""

    @property
    def rays(self) -> Array:
        """Its convex outline as rays, of shape (n, 2)."""

    @property
    def span_m(self) -> tuple[float, float]:
        """How near and how far from the camera it is."""

    def depths(self, eye: Eye, directions: Array) -> Array:
        """Return where unit rays (n, 3) in the camera's axes meet it (n,); infinite where they miss."""

    def draw(self, canvas: Canvas, eye: Eye) -> None:
        """Paint it."""


def back_to_front(
    eye: Eye, things: Sequence[Paintable], glued: Sequence[tuple[int, int]] = ()
) -> list[Paintable]:
    """Return the things in the order in which they can be painted over each other.

    Where the outlines of two overlap, both are met by the same few rays; the one met later is
    painted first. ``glued`` names pairs (upon, under) that need no such test. Should things hide
    each other in a ring, the farthest of the ring goes first.
    """
    if not things:
        return []
    behind: list[set[int]] = [set() for _ in things]  # whom each must wait for
    for one, other in (*glued, *_hidden_pairs(eye, things, set(glued))):
        behind[one].add(other)
    waiting = sorted(range(len(things)), key=lambda number: -sum(things[number].span_m))
    order: list[Paintable] = []
    while waiting:
        free = next((number for number in waiting if not behind[number]), waiting[0])
        waiting.remove(free)
        order.append(things[free])
        for others in behind:
            others.discard(free)
    return order


def _hidden_pairs(
    eye: Eye, things: Sequence[Paintable], known: set[tuple[int, int]]
) -> list[tuple[int, int]]:
    """Return (in front, behind) for every two things of which one may hide a part of the other."""
    outlines = [thing.rays.astype(np.float32) for thing in things]
    low = np.array([outline.min(axis=0) for outline in outlines])
    high = np.array([outline.max(axis=0) for outline in outlines])
    boxes_meet = (low[:, None] < high[None]).all(axis=2) & (low[None] < high[:, None]).all(axis=2)
    near, far = np.array([thing.span_m for thing in things]).T
    clear = boxes_meet & (far[:, None] < near[None])
    found: list[tuple[int, int]] = [(one, other) for one, other in np.argwhere(clear).tolist()]
    pairs, rays = [], []
    for one, other in np.argwhere(np.triu(boxes_meet & ~clear & ~clear.T, 1)).tolist():
        if (one, other) in known or (other, one) in known:
            continue
        area, overlap = cv2.intersectConvexConvex(outlines[one], outlines[other])
        if area > _SMALLEST_OVERLAP and overlap is not None:
            corners = overlap.reshape(-1, 2)
            middle = corners.mean(axis=0)
            spread = corners[:: max(len(corners) // 4, 1)][:4]
            pairs.append((one, other))
            rays.append(np.concatenate([middle[None], middle + 0.6 * (spread - middle)]))
    depths = _depths(eye, things, pairs, rays)
    for (one, other), (of_one, of_other) in zip(pairs, depths, strict=True):
        both = np.isfinite(of_one) & np.isfinite(of_other)
        if both.any():
            nearer = float(np.sum(of_one[both] - of_other[both])) < 0
            found.append((one, other) if nearer else (other, one))
    return found


def _depths(
    eye: Eye, things: Sequence[Paintable], pairs: Sequence[tuple[int, int]], rays: Sequence[Array]
) -> list[list[Array]]:
    """Return for each pair where its rays meet the one and the other; each thing is asked once."""
    asked: list[list[tuple[int, int]]] = [[] for _ in things]
    for number, pair in enumerate(pairs):
        for side, which in enumerate(pair):
            asked[which].append((number, side))
    depths: list[list[Array]] = [[np.empty(0), np.empty(0)] for _ in pairs]
    for thing, questions in zip(things, asked, strict=True):
        if not questions:
            continue
        together = np.concatenate([rays[number] for number, _ in questions])
        answers = thing.depths(eye, _directions(together))
        start = 0
        for number, side in questions:
            depths[number][side] = answers[start : start + len(rays[number])]
            start += len(rays[number])
    return depths


def _directions(rays: Array) -> Array:
    directions = np.concatenate([rays, np.ones((len(rays), 1))], axis=1)
    return directions / np.sqrt(np.einsum("ij,ij->i", directions, directions))[:, None]
