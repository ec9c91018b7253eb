"""What stands where in the cell: boxes in the twin's axes, and what the arm must keep out of."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lib.settings_cell import Cell as CellSettings
from lib.settings_reading import Range

Point = tuple[float, float, float]

# The shoulder is part of the column and the upper arm turns on it: only what follows can fold back onto it.
_ON_THE_COLUMN = ("link1", "link2")


@dataclass(frozen=True)
class Box:
    """One thing with straight sides along the twin's axes."""

    name: str
    low_m: Point
    """Its corner of smallest x, y, z [m]."""
    high_m: Point
    """Its corner of largest x, y, z [m]."""
    spares: tuple[str, ...] = ()
    """Links that may be inside: they are mounted there."""


@dataclass(frozen=True)
class Layout:
    """The cell: the table plane y = 0 and all that stands on it."""

    table_margin_m: float
    """How far every link and the gripper's body keep above the table [m]."""
    walls: tuple[Box, ...]
    """The four walls of the PLACE box."""
    floor: Box
    """The padded floor inside the PLACE box."""
    support: Box
    """What the cup starts on."""
    stand: Box
    """What the cup is put down on."""
    column: tuple[Box, ...]
    """The robot's base and shoulder: a round column, covered by boxes."""
    posts: tuple[Box, ...]
    """The posts that carry the cameras."""
    place_x_m: Range
    place_z_m: Range
    """The PLACE area: inside the box's walls [m]."""
    pick_x_m: Range
    pick_z_m: Range
    """The PICK area [m]."""

    @property
    def keep_out(self) -> tuple[Box, ...]:
        """Every box that no link and no part of the gripper's body may touch."""
        return (*self.walls, self.floor, self.support, self.stand, *self.column, *self.posts)


def layout(cell: CellSettings) -> Layout:
    """Return the cell as configured."""
    inner = _standing(
        "box floor", cell.box_centre_m, _inside(cell.box_outer_m, cell.box_wall_m), cell.box_floor_m
    )
    return Layout(
        table_margin_m=cell.table_margin_m,
        walls=_walls(cell),
        floor=inner,
        support=_standing("support", cell.support_centre_m, cell.support_outer_m, cell.support_height_m),
        stand=_standing("stand", cell.stand_centre_m, cell.stand_outer_m, cell.stand_height_m),
        column=_column(cell),
        posts=tuple(
            _standing(f"camera post {name}", camera.post_m, cell.post_outer_m, camera.place_m[1])
            for name, camera in cell.cameras.items()
        ),
        place_x_m=(inner.low_m[0], inner.high_m[0]),
        place_z_m=(inner.low_m[2], inner.high_m[2]),
        pick_x_m=cell.pick_area_x_m,
        pick_z_m=cell.pick_area_z_m,
    )


def _standing(
    name: str, centre_m: Range, outer_m: Range, height_m: float, spares: tuple[str, ...] = ()
) -> Box:
    """Return what stands on the table around (x, z) up to a height."""
    (x, z), (half_x, half_z) = centre_m, (outer_m[0] / 2, outer_m[1] / 2)
    return Box(name, (x - half_x, 0.0, z - half_z), (x + half_x, height_m, z + half_z), spares)


def _inside(outer_m: Range, wall_m: float) -> Range:
    return (outer_m[0] - 2 * wall_m, outer_m[1] - 2 * wall_m)


def _walls(cell: CellSettings) -> tuple[Box, ...]:
    (x, z), (outer_x, outer_z), wall_m = cell.box_centre_m, cell.box_outer_m, cell.box_wall_m
    side_x, side_z = (outer_x - wall_m) / 2, (outer_z - wall_m) / 2
    parts = (
        ("left", (x - side_x, z), (wall_m, outer_z)),
        ("right", (x + side_x, z), (wall_m, outer_z)),
        ("near", (x, z - side_z), (outer_x - 2 * wall_m, wall_m)),
        ("far", (x, z + side_z), (outer_x - 2 * wall_m, wall_m)),
    )
    return tuple(
        _standing(f"box wall {side}", centre, outer, cell.box_height_m) for side, centre, outer in parts
    )


def _column(cell: CellSettings) -> tuple[Box, ...]:
    """Three boxes that cover the circle, each its sides at two of the angles 0, 30, 60, 90 degrees."""
    steps = [(math.radians(angle), math.radians(angle + 30.0)) for angle in (0.0, 30.0, 60.0)]
    diameter_m = 2 * cell.column_radius_m
    return tuple(
        _standing(
            f"base column {number}",
            (0.0, 0.0),
            (diameter_m * math.cos(start), diameter_m * math.sin(end)),
            cell.column_height_m,
            _ON_THE_COLUMN,
        )
        for number, (start, end) in enumerate(steps, 1)
    )
