"""The stagehand of the simulated cell: lays the next block out and takes the last one away.

At a real cell a person or a feeder does this. One block at a time lies in the PICK area, where the tool
reaches it: nearer to the base the forearm would fold into the column.
"""

from __future__ import annotations

import math
from typing import Protocol

import numpy as np

from lib.settings_cell import Cell as CellSettings

# Blocks that wait lie in a row on the table, where no tool comes and no camera looks.
_WAITING_M, _APART_M = (0.70, -0.55), 0.06
# So far from the base the tool reaches a block on the table.
_REACHED_FROM_M = 0.240
_FROM_THE_EDGE_M = 0.004
_TRIES = 1000


class Stage(Protocol):
    """What a stagehand puts things on: a ``CellLink``, or a ``Things`` of a cell in this process."""

    def put_block(self, name: str, x_m: float, z_m: float, turn_deg: float = 0.0) -> None:
        """Lay a block on the table."""

    def put_box(self, x_m: float, z_m: float, turn_deg: float = 0.0) -> None:
        """Stand the PLACE box somewhere else."""


class Stagehand:
    """Sets the stage for run after run, each time a little differently, the same for the same seed."""

    def __init__(self, stage: Stage, settings: CellSettings) -> None:
        self._stage, self._settings = stage, settings

    def set_for(self, run_number: int) -> str:
        """Lay out the block of a run and put all others away; return its name.

        What the gripper or the box held is gone from it.
        """
        cell = self._settings
        random = np.random.default_rng([cell.seed, 9, run_number])
        chosen = run_number % cell.blocks
        for number in range(cell.blocks):
            if number != chosen:
                x, z = _WAITING_M
                self._stage.put_block(f"block{number + 1}", x, z - _APART_M * number, 0.0)
        x, z = _spot(cell, random)
        turn_deg = math.degrees(math.atan2(x, z)) + cell.block_turn_deg * random.standard_normal()
        self._stage.put_block(f"block{chosen + 1}", x, z, turn_deg)
        return f"block{chosen + 1}"

    def move_box(self, x_m: float, z_m: float, turn_deg: float = 0.0) -> None:
        """Stand the box somewhere else, as a person would."""
        self._stage.put_box(x_m, z_m, turn_deg)


def _spot(cell: CellSettings, random: np.random.Generator) -> tuple[float, float]:
    low, high = np.transpose([cell.pick_area_x_m, cell.pick_area_z_m])
    low, high = low + _FROM_THE_EDGE_M, high - _FROM_THE_EDGE_M
    spot = random.uniform(low, high)
    for _ in range(_TRIES):
        if math.hypot(*spot) >= _REACHED_FROM_M:
            break
        spot = random.uniform(low, high)
    return float(spot[0]), float(spot[1])
