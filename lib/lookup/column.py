"""The columns of a point by name."""

from __future__ import annotations

from enum import IntEnum


class Column(IntEnum):
    """The columns of a point, in their order."""

    EE_X = 0
    EE_Y = 1
    EE_Z = 2
    J0 = 3
    J1 = 4
    J2 = 5
    J3 = 6
    J4 = 7
    J5 = 8


JOINTS = (Column.J0, Column.J1, Column.J2, Column.J3, Column.J4, Column.J5)
COLUMNS = len(Column)  # counted once: an enumeration counts its members anew each time
