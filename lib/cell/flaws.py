"""What is wrong with one simulated cell, drawn from its seed.

Every quantity has a random stream of its own: switching one error off leaves the others as they were.
"""

from __future__ import annotations

from dataclasses import dataclass, fields
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lib.robot import Robot
from lib.settings_cell import Cell as CellSettings
from lib.settings_cell import CellErrors

_STREAMS = ("offsets", "shift", "grip", "blocks", "sag", "moves", "things", "cameras", "pixels")


def no_errors() -> CellErrors:
    """Return the errors all switched off: the cell as it is drawn."""
    drawn = CellErrors()
    off: dict[str, Any] = {
        f.name: (0.0, 0.0) if isinstance(getattr(drawn, f.name), tuple) else 0.0 for f in fields(drawn)
    }
    return CellErrors(**off)


def stream(seed: int, name: str) -> np.random.Generator:
    """Return the random numbers of one quantity of the cell with this seed."""
    return np.random.default_rng([seed, _STREAMS.index(name)])


@dataclass(frozen=True, eq=False)
class Flaws:
    """What stays as it is for as long as the cell stands."""

    joint_offsets_deg: NDArray[np.float64]
    """True angle minus what the encoder says, of shape (6,)."""
    shift_m: NDArray[np.float64]
    """Where the arm's base really is, in the vendor's frame, of shape (3,)."""
    sag_shares: NDArray[np.float64]
    """Share of the largest sag that each joint shows under the largest weight, of shape (6,)."""
    grip_force_n: float
    """How hard each finger presses."""
    block_sizes_m: tuple[float, ...]
    """Edge of each block."""


def draw_flaws(robot: Robot, cell: CellSettings, seed: int, errors: CellErrors) -> Flaws:
    """Draw one cell's flaws; the same seed and errors give the same cell."""
    joints = len(robot.joints)
    offsets = stream(seed, "offsets").uniform(-1.0, 1.0, joints) * errors.joint_offset_deg
    shift = stream(seed, "shift")
    direction = shift.standard_normal(3) * [1.0, 1.0, 0.3]  # a base plate tilts little: mostly sideways
    length_m = shift.uniform(*errors.twin_shift_m)
    grip = 1.0 + errors.grip_spread_share * stream(seed, "grip").standard_normal()
    sizes = cell.block_size_m + errors.block_spread_m * stream(seed, "blocks").standard_normal(cell.blocks)
    return Flaws(
        joint_offsets_deg=offsets,
        shift_m=direction / np.linalg.norm(direction) * length_m,
        sag_shares=stream(seed, "sag").uniform(0.5, 1.0, joints),
        grip_force_n=cell.grip_force_n * max(float(grip), 0.0),
        block_sizes_m=tuple(sizes.tolist()),
    )
