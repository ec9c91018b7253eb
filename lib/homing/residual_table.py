"""The residual of every marker in every image: the evidence a solver's flag is not."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.homing.lens import Array
from lib.homing.pixel_ba import PixelSolution
from lib.robot import Machine


@dataclass(frozen=True)
class ResidualRow:
    """One marker in one image."""

    camera: str
    marker: int
    link: str
    rms_px: float
    """Root mean square distance of its four corners from where the result puts them [px]."""
    corners: int
    """Corners that count, 0 to 4; none where it is taken for a false sighting."""

    def as_json(self) -> dict[str, object]:
        """Return the row by its column names."""
        return dict(vars(self))


def residual_rows(machine: Machine, solution: PixelSolution) -> tuple[ResidualRow, ...]:
    """Return a row a sighting, by camera and marker."""
    seen = solution.sightings
    rms = np.sqrt((solution.residuals_px**2).sum(axis=-1).mean(axis=1))
    rows = [
        ResidualRow(
            solution.cameras[c].name, int(seen.ids[m]), machine.links[seen.link[m]].name, float(r), int(t)
        )
        for c, m, r, t in zip(seen.camera, seen.marker, rms, seen.trusted.sum(axis=1), strict=True)
    ]
    return tuple(sorted(rows, key=lambda row: (row.camera, row.marker)))


def trusted_rms_px(solution: PixelSolution) -> float:
    """Return the root mean square distance of the corners that count [px]; NaN without any."""
    trusted: Array = solution.residuals_px[solution.sightings.trusted]
    return float(np.sqrt((trusted**2).sum(axis=-1).mean())) if len(trusted) else float("nan")


def strange_cameras(rows: Sequence[ResidualRow]) -> tuple[str, ...]:
    """Return cameras that disagree with the others about most of what they see."""
    shares = {}
    for camera in {row.camera for row in rows}:
        own = [row.corners for row in rows if row.camera == camera]
        if len(own) >= 3:
            shares[camera] = sum(own) / (4 * len(own))
    if len(shares) < 2:
        return ()
    return tuple(sorted(c for c, share in shares.items() if share < 0.5 and max(shares.values()) > 0.7))
