"""Where a placing error comes from: the rows' spacing, the twin against reality, the camera."""

from __future__ import annotations

from dataclasses import dataclass

Point = tuple[float, float]


@dataclass(frozen=True)
class ErrorSplit:
    """A placing error in the x-z plane [m] as the sum of what the lookup left and what the world added.

    ``total`` = ``row_spacing`` + ``twin_against_reality``, as vectors; the camera's share is a
    deviation, for a single look cannot tell its own noise from the truth.
    """

    total_m: Point
    """Where the block was seen minus where it was wanted."""
    row_spacing_m: Point
    """Tip of the pose used minus the aim: what the table, refined or not, could not meet."""
    twin_against_reality_m: Point
    """What the memory did not know: where the block was seen minus (tip + bias allowed for)."""
    camera_sigma_m: float
    """Deviation of the sight itself in each axis [m]."""


def split_error(
    wanted_m: Point, aim_m: Point, tip_m: Point, seen_m: Point, camera_sigma_m: float
) -> ErrorSplit:
    """Split one placement's error; all points are x and z [m].

    ``aim_m`` is what the lookup was asked for: the wanted place less the bias that was allowed for.
    """
    spacing = (tip_m[0] - aim_m[0], tip_m[1] - aim_m[1])
    total = (seen_m[0] - wanted_m[0], seen_m[1] - wanted_m[1])
    return ErrorSplit(total, spacing, (total[0] - spacing[0], total[1] - spacing[1]), camera_sigma_m)
