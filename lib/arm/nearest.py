"""How near a path comes to what the arm must keep out of: what a check leaves unsaid when all is fine."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from lib.arm.clearance import clearances, least, named
from lib.arm.path_check import GateContext


@dataclass(frozen=True)
class Nearest:
    """The narrowest place of a path."""

    clearance_m: float
    """Distance there, from the table beyond its margin [m]; below 0 it is inside."""
    body: str
    obstacle: str
    row: int
    """Which pose of the path it is."""


def nearest(context: GateContext, path_deg: ArrayLike) -> Nearest:
    """Return the narrowest place among the poses [deg] of a path (n, 6), n at least 1."""
    path = np.asarray(path_deg, dtype=np.float64)
    clearances_m, which = least(*clearances(context.robot, context.volumes, path))
    row = int(clearances_m.argmin())
    return Nearest(float(clearances_m[row]), *named(context.volumes, int(which[row])), row)
