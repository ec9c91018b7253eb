"""The fixed cameras of a batch: placed by the board, watched for having been moved, placed anew.

A look takes three pictures from each camera. The first is looked through as a whole. Where the board's
markers in it are no longer where the camera's place says, somebody has bumped the camera: it is placed
anew from that picture, so that what is measured is right again at once, and it is told. The others are
looked through around the markers that were found in the first; a camera that sees none of those that are
wanted is not asked again.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from lib.errors import Refused
from lib.homing import Camera, Views, Window, markers_in, move_between, place_cameras, sharpened
from lib.homing.session import Eyes, Picture, lenses_of
from lib.place.sight.things import Array
from lib.robot import Machine

MOVED_PX = 1.0
"""Board markers that are this far from where they should be, in the median, say that the camera moved."""
_LEAST_MARKERS = 3
_MARGIN_PX = 40

Found = Mapping[int, Array]


@dataclass(frozen=True)
class CameraMoved:
    """A camera that was bumped."""

    camera: str
    off_px: float
    """How far the board was from where it should have been [px]."""
    moved_mm: float | None
    """How far the camera went; None where it could not be placed anew."""
    reason: str

    def __str__(self) -> str:
        """Say it in one line."""
        return self.reason


@dataclass(frozen=True, eq=False)
class Caught:
    """What the cameras saw of wanted markers in one look."""

    cameras: Sequence[Camera]
    """Those that saw any, as they are numbered in the views."""
    instants: Sequence[Views]
    """A moment each."""
    moved: tuple[CameraMoved, ...]
    pictures: Mapping[str, Picture]
    """The first picture of each of the cameras, grey."""


class Watching(Protocol):
    """Who can catch markers."""

    @property
    def placed(self) -> Mapping[str, Camera]:
        """The cameras that know where they stand, by name."""

    def catch(self, ids: Collection[int], images: int) -> Caught:
        """Look for markers by their ids, in so many pictures from each camera."""

    def in_colour(self) -> Mapping[str, Picture]:
        """Take a picture in blue, green, red from each camera that is placed."""


class Watch:
    """Cameras that know where they stand."""

    def __init__(self, machine: Machine, eyes: Eyes, largest_rms_px: float) -> None:
        """Place every camera; raises Refused where none can be placed."""
        self.machine, self.eyes = machine, eyes
        self._largest_rms_px = largest_rms_px
        self._lenses = lenses_of(machine)
        self._board = {m.id: m.corners_m for m in machine.board if m.corners_m is not None}
        self._placed: dict[str, Camera] = {}
        reasons = []
        for name in eyes.cameras():
            camera, reason = self._place(name, eyes.frame(name))
            if camera is None:
                reasons.append(reason)
            else:
                self._placed[name] = camera
        if not self._placed:
            raise Refused("; ".join(reasons) or f"{machine.file}: no camera to look with")
        self.unplaced = tuple(reasons)

    @property
    def placed(self) -> Mapping[str, Camera]:
        """The cameras that know where they stand, by name."""
        return self._placed

    def catch(self, ids: Collection[int], images: int) -> Caught:
        """Look for markers by their ids, in so many pictures from every camera that is placed."""
        firsts: dict[str, tuple[Picture, Found]] = {}
        moved = []
        for name, picture in self._frames(list(self._placed)):
            found = markers_in(picture, self.machine.dictionary)
            bump = self.check(name, picture, found)
            if bump is not None:
                moved.append(bump)
            mine = {i: px for i, px in found.items() if i in ids}
            if mine and name in self._placed:
                firsts[name] = (picture, mine)
        instants = [firsts] if firsts else []
        for _ in range(images - 1 if firsts else 0):
            instants.append(
                {
                    name: (picture, self._again(picture, firsts[name][1], ids))
                    for name, picture in self._frames(list(firsts))
                }
            )
        return Caught(
            cameras=[self._placed[name] for name in firsts],
            instants=[self._views(instant) for instant in instants],
            moved=tuple(moved),
            pictures={name: picture for name, (picture, _) in firsts.items()},
        )

    def in_colour(self) -> dict[str, Picture]:
        """Take a picture in blue, green, red from each camera that is placed."""
        return {name: self.eyes.frame(name, colour=True) for name in self._placed}

    def _again(self, picture: Picture, first: Found, ids: Collection[int]) -> Found:
        found = markers_in(picture, self.machine.dictionary, _around(first, picture))
        return {i: px for i, px in found.items() if i in ids}

    def _frames(self, names: Sequence[str]) -> Iterator[tuple[str, Picture]]:
        """Ask the cameras in turn; while one picture is looked through the next is already on its way."""
        with ThreadPoolExecutor(max_workers=1) as asking:
            coming = [asking.submit(self.eyes.frame, name) for name in names]
            for name, picture in zip(names, coming, strict=True):
                yield name, picture.result()

    def check(self, name: str, picture: Picture, found: Found) -> CameraMoved | None:
        """Look whether a camera still stands where it was placed, by the markers found in its picture.

        One that was moved is placed anew, or not used any more. Without enough of the board nobody can tell.
        """
        camera = self._placed.get(name)
        seen = [i for i in found if i in self._board]
        if camera is None or len(seen) < _LEAST_MARKERS:
            return None
        expected = camera.pixels(np.array([self._board[i] for i in seen]))
        missed = np.array([found[i] for i in seen]).mean(axis=1) - expected.mean(axis=1)
        off_px = float(np.median(np.linalg.norm(missed, axis=1)))
        if off_px <= MOVED_PX:
            return None
        anew, reason = self._place(name, picture)
        if anew is None:
            del self._placed[name]
            return CameraMoved(name, off_px, None, f"camera {name} was moved and is not used: {reason}")
        self._placed[name] = anew
        turned_deg = float(np.degrees(np.linalg.norm(move_between(camera, anew)[:3])))
        moved_mm = float(np.linalg.norm(anew.place_m - camera.place_m)) * 1e3
        return CameraMoved(
            name,
            off_px,
            moved_mm,
            f"camera {name} was moved by {moved_mm:.1f} mm and {turned_deg:.1f} deg: placed anew",
        )

    def _place(self, name: str, picture: Picture) -> tuple[Camera | None, str]:
        found = markers_in(picture, self.machine.dictionary)
        views = self._views({name: (picture, {i: px for i, px in found.items() if i in self._board})})
        placing = place_cameras(self.machine, self._lenses, views, self._largest_rms_px)
        if placing.placed:
            return placing.placed[0].camera, ""
        return None, placing.unplaced[0].reason

    def _views(self, seen: Mapping[str, tuple[Picture, Found]]) -> Views:
        """Return markers found in pictures with sharp corners."""
        rows = [
            (c, i, *sharpened(picture, px, self._lenses[name]))
            for c, (name, (picture, found)) in enumerate(seen.items())
            for i, px in found.items()
        ]
        return Views(
            cameras=tuple(seen),
            camera=np.array([row[0] for row in rows], dtype=np.int64),
            marker=np.array([row[1] for row in rows], dtype=np.int64),
            corners_px=np.array([row[2] for row in rows]).reshape(-1, 4, 2),
            floor_px=np.array([row[3] for row in rows]),
        )


def _around(found: Found, picture: Picture) -> Window:
    corners = np.concatenate(list(found.values()))
    low = np.maximum(corners.min(axis=0).astype(int) - _MARGIN_PX, 0)
    high = np.minimum(corners.max(axis=0).astype(int) + _MARGIN_PX, picture.shape[::-1])
    return slice(int(low[1]), int(high[1])), slice(int(low[0]), int(high[0]))
