"""Where the cameras stand: each is placed by the board's markers it sees, or refused with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.homing.camera import Camera
from lib.homing.lens import Lens
from lib.homing.resection import KnownSquares, Resection, resect
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
    noise_px: float
    """Deviation of one coordinate of a board corner [px], over all placed cameras; NaN without any."""
    spare: int
    """Board coordinates beyond the unknowns, which that deviation rests on."""


def place_cameras(
    machine: Machine, lenses: Mapping[str, Lens], views: Views, largest_rms_px: float = LARGEST_RMS_PX
) -> Placing:
    """Place every camera of ``views`` by the board's markers; ``lenses`` by the cameras' names."""
    board = {m.id: m for m in machine.board if m.corners_m is not None}
    results: dict[str, tuple[NDArray[np.int64], Resection]] = {}
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
        corners_m = np.array([board[i].corners_m for i in ids.tolist()])
        resection = resect(KnownSquares(corners_m, rays, lenses[name].px_per_ray(rays)))
        reason = _refusal(name, resection, largest_rms_px)
        if reason:
            unplaced.append(UnplacedCamera(name, reason))
        else:
            results[name] = (ids, resection)
    left = [2 * int(r.trusted.sum()) - 6 for _, r in results.values()]
    squares = [float((r.residuals_px[r.trusted] ** 2).sum()) for _, r in results.values()]
    spare = sum(left)
    noise_px = float(np.sqrt(sum(squares) / spare)) if spare > 0 else float("nan")
    placed = tuple(
        PlacedCamera(
            camera=Camera(
                name,
                lenses[name],
                r.rotation,
                r.shift_m,
                noise_px**2 * np.asarray(np.linalg.inv(r.information)),
            ),
            rms_px=r.rms_px,
            markers=int(r.trusted.any(axis=1).sum()),
            corners=int(r.trusted.sum()),
            ids=ids,
            resection=r,
        )
        for name, (ids, r) in results.items()
    )
    return Placing(placed, tuple(unplaced), noise_px, spare)


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
    if resection.rival_loss_px2 < _RIVAL_SIGMAS2 * resection.noise_px**2:
        return f"camera {name}: the board fits from two places alike; let the camera see more of it"
    return None
