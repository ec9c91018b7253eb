"""Several cameras placed together by boards that lie or are held somewhere: one bundle over all photos.

The world is the board of the first instant that joins the most cameras; every other board and
camera is reached from it over photos they share.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lib.errors import CheckFailed
from lib.homing.calibrate.camera_calibration import board_pose
from lib.homing.calibrate.hand_eye import Pose
from lib.homing.calibrate.rig import BoardSighting, Rig, RigBundle, Spread
from lib.homing.camera import Camera
from lib.homing.lens import Array, Lens
from lib.homing.rotations import quaternion_of

_LEAST_CORNERS = 6
_ROUNDS = 2


@dataclass(frozen=True, eq=False)
class LyingPhoto:
    """One camera's photo of the board at one instant."""

    camera: str
    instant: str
    corners_m: Array
    """Corners found, in the board's frame [m], of shape (n, 3)."""
    corners_px: Array
    """Of shape (n, 2)."""


@dataclass(frozen=True, eq=False)
class RigCalibration:
    """Where the cameras stand in the first board's frame."""

    cameras: tuple[Camera, ...]
    """With their covariances."""
    world: str
    """Instant whose board is the world."""
    single_view_px: float
    """Median distance of corners from each photo's own board pose [px]: what the corners are worth."""
    rms_px: float
    """Root mean square distance of all corners after the bundle [px]."""
    median_px: float
    """And the median."""
    unplaced: tuple[str, ...]
    """Cameras that share no photo's board with the others."""

    def as_json(self) -> dict[str, object]:
        """Return the document of `calibrate camera --json` without poses."""
        return {
            "world": self.world,
            "single_view_px": self.single_view_px,
            "rms_px": self.rms_px,
            "median_px": self.median_px,
            "cameras": {
                c.name: {
                    **dict(zip("xyz", c.place_m.tolist(), strict=True)),
                    **dict(zip(("qw", "qx", "qy", "qz"), quaternion_of(c.rotation.T).tolist(), strict=True)),
                }
                for c in self.cameras
            },
            "unplaced": list(self.unplaced),
        }


def place_rig(lenses: Mapping[str, Lens], photos: Sequence[LyingPhoto]) -> RigCalibration:
    """Place all cameras; photos with fewer than 6 corners are left out.

    Raises CheckFailed where no camera sees a board.
    """
    good = [p for p in photos if p.camera in lenses and len(p.corners_px) >= _LEAST_CORNERS]
    if not good:
        raise CheckFailed("no photo shows 6 or more corners of the board; is it the board that was named?")
    seen = {(p.camera, p.instant): board_pose(lenses[p.camera], p.corners_m, p.corners_px) for p in good}
    alone = [_distances(p, lenses[p.camera], seen[p.camera, p.instant]) for p in good]
    world = max(dict.fromkeys(p.instant for p in good), key=lambda i: sum(p.instant == i for p in good))
    cameras, boards = _reached(world, seen)
    used = [p for p in good if p.camera in cameras and p.instant in boards]
    names, instants = list(cameras), [world, *(i for i in boards if i != world)]
    rig = Rig(
        tuple(_camera(name, lenses[name], cameras[name]) for name in names),
        Pose(np.eye(3), np.zeros(3)),
        tuple(boards[i] for i in instants),
        np.zeros((len(instants), 6)),
    )
    sightings = [
        BoardSighting(names.index(p.camera), instants.index(p.instant), p.corners_m, p.corners_px)
        for p in used
    ]
    spread = Spread()
    for _ in range(_ROUNDS):
        rig, equations = RigBundle(sightings, False, spread).solve(rig)
        distances = np.concatenate([np.linalg.norm(r, axis=1) for r in equations.residuals_px])
        spread = Spread(px=max(float(np.median(distances)) / 1.1774, 0.02))
    covariance: Array = np.asarray(np.linalg.inv(equations.normal))
    placed = tuple(
        Camera(c.name, c.lens, c.rotation, c.shift_m, covariance[6 * i : 6 * i + 6, 6 * i : 6 * i + 6])
        for i, c in enumerate(rig.cameras)
    )
    return RigCalibration(
        cameras=placed,
        world=world,
        single_view_px=float(np.median(np.concatenate(alone))),
        rms_px=float(np.sqrt((distances**2).mean())),
        median_px=float(np.median(distances)),
        unplaced=tuple(name for name in lenses if name not in cameras),
    )


def _reached(world: str, seen: Mapping[tuple[str, str], Pose]) -> tuple[dict[str, Pose], dict[str, Pose]]:
    """Return world-to-camera poses and board-in-world poses, walked over shared photos."""
    cameras: dict[str, Pose] = {}
    boards = {world: Pose(np.eye(3), np.zeros(3))}
    grown = True
    while grown:
        grown = False
        for (camera, instant), board_in_camera in seen.items():
            if instant in boards and camera not in cameras:
                cameras[camera] = board_in_camera @ boards[instant].inverse()
                grown = True
            elif camera in cameras and instant not in boards:
                boards[instant] = cameras[camera].inverse() @ board_in_camera
                grown = True
    return cameras, boards


def _camera(name: str, lens: Lens, pose: Pose) -> Camera:
    return Camera(name, lens, pose.rotation, pose.place_m)


def _distances(photo: LyingPhoto, lens: Lens, pose: Pose) -> Array:
    pixels = Camera(photo.camera, lens, pose.rotation, pose.place_m).pixels(photo.corners_m)
    return np.asarray(np.linalg.norm(pixels - photo.corners_px, axis=1))
