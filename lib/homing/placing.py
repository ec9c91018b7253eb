"""Where the cameras stand: each is placed by the board's markers it sees, or refused with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.homing.camera import Camera
from lib.homing.lens import Lens
from lib.homing.noise import DETECTOR_NOISE, Noise
from lib.homing.resection import KnownSquares, Resection, resect, settle
from lib.homing.views import Views
from lib.robot import Machine

LARGEST_RMS_PX = 2.0
"""A camera whose board fits worse was moved, mixed up, or its lens is not the one named."""
_LEAST_TRUSTED = 0.3
_RIVAL_SIGMAS2 = 25.0


@dataclass(frozen=True, eq=False)
class PlacedCamera:
    """One camera and the evidence it was placed by."""

    camera: Camera
    rms_px: float
    """Root mean square distance of the trusted board corners [px]."""
    markers: int
    """Board markers that counted."""
    corners: int
    """Board corners that counted."""
    ids: NDArray[np.int64]
    """Board markers seen, of shape (m,)."""
    resection: Resection


@dataclass(frozen=True)
class UnplacedCamera:
    """One camera that cannot be used."""

    name: str
    reason: str
    """What was found, what was expected, what to do: one line."""


@dataclass(frozen=True, eq=False)
class Placing:
    """All cameras of a capture."""

    placed: tuple[PlacedCamera, ...]
    unplaced: tuple[UnplacedCamera, ...]
    noise: Noise
    """Of a board corner, over all placed cameras."""

    def views_of_placed(self, views: Views) -> Views:
        """Return the views of the placed cameras, numbered in their order."""
        names = tuple(p.camera.name for p in self.placed)
        number = np.array([names.index(name) if name in names else -1 for name in views.cameras])
        kept = views.rows(number[views.camera] >= 0)
        return replace(kept, cameras=names, camera=number[kept.camera])


def place_cameras(
    machine: Machine, lenses: Mapping[str, Lens], views: Views, largest_rms_px: float = LARGEST_RMS_PX
) -> Placing:
    """Place every camera of ``views`` by the board's markers; ``lenses`` by the cameras' names."""
    board = {m.id: m for m in machine.board if m.corners_m is not None}
    results: dict[str, tuple[NDArray[np.int64], KnownSquares, Resection]] = {}
    unplaced = []
    for c, name in enumerate(views.cameras):
        if name not in lenses:
            unplaced.append(UnplacedCamera(name, f"camera {name}: no intrinsics known; run calibrate camera"))
            continue
        seen = views.of_camera(c)
        rows = np.array([m in board for m in seen.marker.tolist()], dtype=bool)
        ids, pixels = seen.marker[rows], seen.corners_px[rows]
        if not len(ids):
            unplaced.append(
                UnplacedCamera(name, f"camera {name}: sees no marker of the board; expected at least two")
            )
            continue
        rays = lenses[name].rays(pixels)
        good = np.isfinite(rays).all(axis=(1, 2))
        ids, rays = ids[good], rays[good]
        corners_m = np.array([board[i].corners_m for i in ids.tolist()]).reshape(-1, 4, 3)
        floor_px = seen.floor_px[rows][good]
        squares = KnownSquares(corners_m, rays, lenses[name].px_per_ray(rays), floor_px)
        resection = resect(squares)
        reason = _refusal(name, resection, largest_rms_px)
        if reason:
            unplaced.append(UnplacedCamera(name, reason))
        else:
            results[name] = (ids, squares, resection)
    noise = DETECTOR_NOISE
    for _, squares, found in results.values():
        noise = noise.after(found.residuals_px, found.trusted, squares.floor_px, 6)
    placed = []
    for name, (ids, squares, first) in results.items():
        found = settle(squares, first.rotation, first.shift_m, noise, first.rival_loss_px2)
        covariance = np.asarray(np.linalg.inv(found.information))
        placed.append(
            PlacedCamera(
                camera=Camera(name, lenses[name], found.rotation, found.shift_m, covariance),
                rms_px=found.rms_px,
                markers=int(found.trusted.any(axis=1).sum()),
                corners=int(found.trusted.sum()),
                ids=ids,
                resection=found,
            )
        )
    return Placing(tuple(placed), tuple(unplaced), noise)


def _refusal(name: str, resection: Resection, largest_rms_px: float) -> str | None:
    trusted, all_corners = int(resection.trusted.sum()), resection.trusted.size
    if int(resection.trusted.any(axis=1).sum()) < 2:
        return (
            f"camera {name}: only one board marker fits; one marker's tilt has two readings, "
            "expected at least two markers"
        )
    if trusted < _LEAST_TRUSTED * all_corners or resection.rms_px > largest_rms_px:
        return (
            f"camera {name}: {trusted} of {all_corners} board corners fit, {resection.rms_px:.2f} px off; "
            f"expected {largest_rms_px:g} px at most: was camera or board moved, or is the lens another?"
        )
    if resection.rival_loss_px2 < _RIVAL_SIGMAS2 * 0.5 * resection.rms_px**2:
        return f"camera {name}: the board fits from two places alike; let the camera see more of it"
    return None
