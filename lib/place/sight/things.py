"""What is looked for: the box and the blocks, by their markers' places in their own frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.cell import BLOCK_COLOURS, BOX_COLOUR, block_markers, box_markers
from lib.robot import Machine, Robot
from lib.settings_cell import Cell as CellSettings

Array = NDArray[np.float64]

BOX = "box"
HAND = "hand"
"""The tool: its place is the tip's."""


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing."""

    name: str
    corners_m: Mapping[int, Array]
    """Marker id to its corners (4, 3) in the thing's own frame [m]."""
    colour: tuple[int, int, int]
    """In full light: blue, green, red."""
    half_m: Array
    """Half of its size along its own axes [m], of shape (3,)."""


def hand(machine: Machine, robot: Robot) -> Thing:
    """Return the tool by the markers of the arm's last link, its place being the tool tip."""
    markers = {m.id: m.corners_m - robot.tip_m for m in machine.links[-1].markers if m.corners_m is not None}
    return Thing(HAND, markers, (0, 0, 0), np.zeros(3))


def things(cell: CellSettings, axes: Array, dictionary: str) -> dict[str, Thing]:
    """Return the box and the blocks of a cell by name: "box", "block1"...

    ``axes`` (3, 3) turns the vendor's frame into the twin's.
    """
    outer_m = np.abs(axes.T @ [cell.box_outer_m[0], cell.box_height_m, cell.box_outer_m[1]])
    box = {m.id: m.corners_m for m in box_markers(cell, axes, dictionary)}
    found = {BOX: Thing(BOX, box, BOX_COLOUR, outer_m / 2)}
    for number in range(1, cell.blocks + 1):
        markers = {m.id: m.corners_m for m in block_markers(cell, number)}
        colour = BLOCK_COLOURS[(number - 1) % len(BLOCK_COLOURS)]
        name = f"block{number}"
        found[name] = Thing(name, markers, colour, np.full(3, cell.block_size_m / 2))
    return found
