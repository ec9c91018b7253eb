"""One colour a memory cell, the same on every figure of a page."""

from __future__ import annotations

from collections.abc import Iterable

from lib.report.style import AMBER, BLUE, GREEN, MUTED

_COLOURS = (BLUE, AMBER, GREEN, "#7d3c98", "#17a2a2", "#8d6e63")


def cell_colours(cells: Iterable[str | None]) -> dict[str | None, str]:
    """Return the colour of each cell by name; beyond six they are grey, told by their place."""
    names = sorted({cell for cell in cells if cell is not None})
    colours: dict[str | None, str] = dict.fromkeys(names, MUTED)
    colours.update(zip(names, _COLOURS, strict=False))
    return {**colours, None: MUTED}


def short_cell(cell: str | None) -> str:
    """Return ``place_x-180_z200`` as people say it: ``x -180, z 200``."""
    if cell is None:
        return "no cell"
    return cell.removeprefix("place_").replace("_z", ", z ").replace("x", "x ", 1)
