"""The fixed targets that every merge is judged by: a grid over the PLACE box and one over the PICK area."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from lib.settings import Settings
from lib.table.audits.pick_regression import area_grid

GRID_STEP_M = 0.010


@dataclass(frozen=True)
class Probe:
    """One target, looked up with the settings' own arguments."""

    mode: Literal["place", "pick"]
    x_m: float
    z_m: float


def standard_probes(settings: Settings) -> list[Probe]:
    """Return the probes on a 10 mm grid: the inside of the PLACE box, then the PICK area."""
    (centre_x, centre_z), (outer_x, outer_z) = settings.cell.box_centre_m, settings.cell.box_outer_m
    # A block of 30 mm has its middle at least half its size and a wall from the box's outer edge.
    xs, zs = (
        centre + np.arange(-n, n + 1) * GRID_STEP_M
        for centre, n in ((centre_x, _steps(outer_x)), (centre_z, _steps(outer_z)))
    )
    place = [Probe("place", round(float(x), 6), round(float(z), 6)) for x in xs for z in zs]
    pick = [
        Probe("pick", round(float(x), 6), round(float(z), 6)) for x, z in area_grid(settings, GRID_STEP_M)
    ]
    return place + pick


def _steps(outer_m: float) -> int:
    return int((outer_m / 2 - 0.020) / GRID_STEP_M + 1e-9)
