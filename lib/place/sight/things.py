"""What is looked for: the box and the blocks, by their markers' places in their own frames."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.cell import BLOCK_COLOURS, BOX_COLOUR, block_markers, box_markers
from lib.settings_cell import Cell as CellSettings

Array = NDArray[np.float64]

BOX = "box"


@dataclass(frozen=True, eq=False)
class Thing:
    """One thing."""

    name: str
    corners_m: Mapping[int, Array]
    """Marker id to its corners (4, 3) in the thing's own frame [m]."""
    middle_m: Array
    """What its place is told of, in its own frame [m], of shape (3,): a block's middle, the box's foot."""
    colour: tuple[int, int, int]
    """In full light: blue, green, red."""
    half_m: Array
    """Half of its size along its own axes [m], of shape (3,)."""


def things(cell: CellSettings, axes: Array, dictionary: str) -> dict[str, Thing]:
    """Return the box and the blocks of a cell by name: "box", "block1"...

    ``axes`` (3, 3) turns the vendor's frame into the twin's.
    """
    outer_m = np.abs(axes.T @ [cell.box_outer_m[0], cell.box_height_m, cell.box_outer_m[1]])
    box = {m.id: m.corners_m for m in box_markers(cell, axes, dictionary)}
    found = {BOX: Thing(BOX, box, np.zeros(3), BOX_COLOUR, outer_m / 2)}
    for number in range(1, cell.blocks + 1):
        markers = {m.id: m.corners_m for m in block_markers(cell, number)}
        colour = BLOCK_COLOURS[(number - 1) % len(BLOCK_COLOURS)]
        name = f"block{number}"
        found[name] = Thing(name, markers, np.zeros(3), colour, np.full(3, cell.block_size_m / 2))
    return found
