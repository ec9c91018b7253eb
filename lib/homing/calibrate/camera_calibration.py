"""One fixed camera from photos of a board on the flange: how it sees and where it stands.

Lens, place, mount and every photo's arm error are fitted together; what corners and arm are off by
is estimated in the same go (each deviation from its residuals, with what the fit has left
unsettled added: Dempster, Laird and Rubin 1977). The proof is leave-one-out: each photo's flange
pose from the photo alone, with everything else fitted without it, against what the arm said.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from lib.errors import CheckFailed
from lib.homing.calibrate.hand_eye import Pose, hand_eye
from lib.homing.calibrate.rig import BoardSighting, Rig, RigBundle, RigEquations, Spread
from lib.homing.camera import Camera
from lib.homing.lens import Array, Lens
from lib.homing.rotations import quaternion_of, rotation_of, vector_of

LEAST_CORNERS = 14
"""A photo with fewer corners does not hold a pose well enough to count."""
LEAST_PHOTOS = 6
_ROUNDS = 4
# fx, fy, cx, cy, k1, k2, p1, p2 are fitted; k3 only bends what k2 already does at these angles.
FREE_LENS: NDArray[np.bool_] = np.array([True] * 8 + [False])
_LARGEST_RMS_PX = 4.0


@dataclass(frozen=True, eq=False)
class FlangePhoto:
    """One photo of the board and where the arm said its flange was."""

    name: str
    flange: Pose
    corners_m: Array
    """Corners found, in the board's frame [m], of shape (n, 3)."""
    corners_px: Array
    """Of shape (n, 2)."""


@dataclass(frozen=True, eq=False)
class CameraCalibration:
    """What was found, and how far it can be trusted."""

    camera: Camera
    """In the arm's base frame."""
    mount: Pose
    """Board on the flange."""
    used: tuple[str, ...]
    rms_px: float
    """Corners, with every photo's arm error taken out."""
    rms_by_arm_px: float
    """Corners, with the arm's poses taken as they were told."""
    spread: Spread
    off_mm: Array
    """Leave-one-out: flange place from the photo against the arm's [mm], one a used photo."""
    off_deg: Array
    """And its turn [deg]."""

    def as_json(self) -> dict[str, object]:
        """Return the document of `calibrate camera --json`."""
        lens, camera = self.camera.lens, self.camera
        return {
            "rms_px": self.rms_px,
            "rms_by_arm_px": self.rms_by_arm_px,
            "used": list(self.used),
            "intrinsics": dict(zip(("fx", "fy", "cx", "cy"), lens.intrinsics_px.tolist(), strict=True)),
            "distortion": dict(zip(("k1", "k2", "p1", "p2", "k3"), lens.distortion.tolist(), strict=True)),
            "camera_pose": {
                **dict(zip("xyz", camera.place_m.tolist(), strict=True)),
                **dict(zip(("qw", "qx", "qy", "qz"), quaternion_of(camera.rotation.T).tolist(), strict=True)),
            },
            "arm_spread": {
                "shift_mm": 1000 * self.spread.arm_shift_m,
                "turn_deg": float(np.degrees(self.spread.arm_turn_rad)),
                "corner_px": self.spread.px,
            },
            "leave_one_out": {
                "mean_mm": float(self.off_mm.mean()),
                "worst_mm": float(self.off_mm.max()),
                "mean_deg": float(self.off_deg.mean()),
                "worst_deg": float(self.off_deg.max()),
            },
        }


def calibrate_camera(
    name: str, photos: Sequence[FlangePhoto], size_px: tuple[int, int], intrinsics_px: Array | None = None
) -> CameraCalibration:
    """Calibrate from photos; ``intrinsics_px`` fx, fy, cx, cy are where the lens begins.

    Photos with fewer than 14 corners are left out. Raises CheckFailed where too few are left, the
    board was turned about one axis only, its size and the arm's units disagree, or nothing fits.
    """
    good = [photo for photo in photos if len(photo.corners_px) >= LEAST_CORNERS]
    if len(good) < LEAST_PHOTOS:
        raise CheckFailed(
            f"{len(good)} of {len(photos)} photos show {LEAST_CORNERS} or more corners of the board; "
            f"expected at least {LEAST_PHOTOS}: is it the board that was named?"
        )
    lens = Lens(
        _start_intrinsics(good, size_px) if intrinsics_px is None else intrinsics_px, np.zeros(5), size_px
    )
    rig, spread = _start(name, good, lens), Spread()
    for _ in range(_ROUNDS):
        bundle = _bundle(good, spread, FREE_LENS)
        rig, equations = bundle.solve(rig)
        spread = _spread(rig, equations)
    rms_px = _rms_px(equations.residuals_px)
    if rms_px > _LARGEST_RMS_PX:
        raise CheckFailed(
            f"the corners are {rms_px:.1f} px off after the fit; expected at most {_LARGEST_RMS_PX:g} px: "
            "are the poses those of the photos, in the base frame, quaternion w, x, y, z as named?"
        )
    off = np.array([_left_out(good, k, rig, spread) for k in range(len(good))])
    return CameraCalibration(
        camera=rig.cameras[0],
        mount=rig.mount,
        used=tuple(photo.name for photo in good),
        rms_px=rms_px,
        rms_by_arm_px=_rms_px(
            bundle.equations(Rig(rig.cameras, rig.mount, rig.instances, 0 * rig.errors)).residuals_px
        ),
        spread=spread,
        off_mm=1000 * off[:, 0],
        off_deg=np.degrees(off[:, 1]),
    )


def _bundle(photos: Sequence[FlangePhoto], spread: Spread, free_lens: NDArray[np.bool_]) -> RigBundle:
    sightings = [BoardSighting(0, k, p.corners_m, p.corners_px) for k, p in enumerate(photos)]
    return RigBundle(sightings, True, spread, free_lens)


def _start_intrinsics(photos: Sequence[FlangePhoto], size_px: tuple[int, int]) -> Array:
    """Return intrinsics from the boards alone (Zhang 2000): flat boards seen from several sides."""
    points = [p.corners_m.astype(np.float32) for p in photos]
    pixels = [p.corners_px.astype(np.float32)[:, None] for p in photos]
    _, matrix, *_ = cv2.calibrateCamera(points, pixels, size_px, np.eye(3), np.zeros(5))
    return np.array([matrix[0, 0], matrix[1, 1], matrix[0, 2], matrix[1, 2]])


def _start(name: str, photos: Sequence[FlangePhoto], lens: Lens) -> Rig:
    boards = [board_pose(lens, p.corners_m, p.corners_px) for p in photos]
    camera_in_base, mount = hand_eye([p.flange for p in photos], boards)
    base_in_camera = camera_in_base.inverse()
    camera = Camera(name, lens, base_in_camera.rotation, base_in_camera.place_m)
    return Rig((camera,), mount, tuple(p.flange for p in photos), np.zeros((len(photos), 6)))


def board_pose(lens: Lens, corners_m: Array, corners_px: Array) -> Pose:
    """Return a flat board's pose in the camera, refined to the least error in pixels."""
    _, turn, place = cv2.solvePnP(
        corners_m, corners_px[:, None], lens.matrix(), lens.distortion, flags=cv2.SOLVEPNP_IPPE
    )
    turn, place = cv2.solvePnPRefineLM(
        corners_m, corners_px[:, None], lens.matrix(), lens.distortion, turn, place
    )
    return Pose(rotation_of(np.ravel(turn)), np.ravel(place))


def _spread(rig: Rig, equations: RigEquations) -> Spread:
    """Return what corners and arm are off by, given a fit."""
    covariance = np.linalg.inv(equations.normal)
    count = len(rig.instances)
    unsettled = np.diag(covariance)[-6 * count :].reshape(count, 6)
    squares = (rig.errors**2 + unsettled).mean(axis=0)
    corners = np.concatenate([np.linalg.norm(r, axis=1) for r in equations.residuals_px])
    # Half of the distances of a round two-dimensional normal error are within 1.1774 deviations.
    px = max(float(np.median(corners)) / 1.1774, 0.02)
    turn, shift = np.sqrt(squares[:3].mean()), np.sqrt(squares[3:].mean())
    return Spread(px, max(float(turn), 1e-5), max(float(shift), 1e-5))


def _left_out(photos: Sequence[FlangePhoto], k: int, rig: Rig, spread: Spread) -> tuple[float, float]:
    """Return how far [m] and turned [rad] photo k puts the flange from where the arm said it was."""
    rest = [photo for i, photo in enumerate(photos) if i != k]
    without = np.arange(len(photos)) != k
    start = Rig(rig.cameras, rig.mount, tuple(p.flange for p in rest), rig.errors[without])
    fitted, _ = _bundle(rest, spread, FREE_LENS).solve(start)
    camera = fitted.cameras[0]
    board = board_pose(camera.lens, photos[k].corners_m, photos[k].corners_px)
    in_base = Pose(camera.rotation, camera.shift_m).inverse() @ board
    flange = in_base @ fitted.mount.inverse()
    turn = vector_of(flange.rotation @ photos[k].flange.rotation.T)
    return float(np.linalg.norm(flange.place_m - photos[k].flange.place_m)), float(np.linalg.norm(turn))


def _rms_px(residuals: Sequence[Array]) -> float:
    return float(np.sqrt((np.concatenate(list(residuals)) ** 2).sum(axis=1).mean()))
