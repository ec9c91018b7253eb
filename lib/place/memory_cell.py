"""Which memory cell a target lies in: a 20 mm grid over x and z."""

from __future__ import annotations

import math
import re
from dataclasses import dataclass

CELL_MM = 20
# The main target lies on an edge (x = -0.170), and a target that moves by a tenth of a millimetre
# from night to night must not learn in two cells by turns.
HYSTERESIS_MM = 2.0

_NAME = re.compile(r"place_x(-?\d+)_z(-?\d+)")


@dataclass(frozen=True, order=True)
class CellKey:
    """A cell of the grid by its centre [mm]."""

    x_mm: int
    z_mm: int

    @property
    def name(self) -> str:
        """The name it is stored and asked by, such as ``place_x-180_z200``."""
        return f"place_x{self.x_mm}_z{self.z_mm}"

    def reaches(self, x_mm: float, z_mm: float) -> bool:
        """Whether a point lies in the cell or within the hysteresis of its edge."""
        half = CELL_MM / 2 + HYSTERESIS_MM
        return abs(x_mm - self.x_mm) <= half and abs(z_mm - self.z_mm) <= half


def cell_of(x_m: float, z_m: float, used_before: tuple[CellKey, ...] = ()) -> CellKey:
    """Return the cell of a target (x, z) [m].

    ``used_before``: cells that hold memories, the latest first; one that the target left by less than
    the hysteresis keeps it. Raises ValueError for a target that is not finite.
    """
    if not (math.isfinite(x_m) and math.isfinite(z_m)):
        raise ValueError(f"no memory cell for the target ({x_m}, {z_m}): expected metres")
    x_mm, z_mm = round(x_m * 1e3, 6), round(z_m * 1e3, 6)  # -0.17 * 1e3 is not -170
    for cell in used_before:
        if cell.reaches(x_mm, z_mm):
            return cell
    return CellKey(_centre(x_mm), _centre(z_mm))


def cell_named(name: str) -> CellKey:
    """Return the cell of a name such as ``place_x-180_z200``; raises ValueError for another text."""
    match = _NAME.fullmatch(name)
    if match is None:
        raise ValueError(f"{name!r} is no memory cell; expected a name such as place_x-180_z200")
    return CellKey(int(match[1]), int(match[2]))


def _centre(value_mm: float) -> int:
    return CELL_MM * math.floor(value_mm / CELL_MM + 0.5)
