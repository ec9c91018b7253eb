"""How thick a robot is: capsules and masses link by link, and the gripper at its end."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class LinkShape:
    """One link's body: capsules in the link's own frame."""

    link: str
    mass_kg: float
    ends_m: Array
    """Both ends of each capsule's axis [m], of shape (c, 2, 3)."""
    radii_m: Array
    """Radius of each capsule [m], of shape (c,)."""


@dataclass(frozen=True, eq=False)
class Gripper:
    """A parallel gripper on the last link, in that link's frame; the fingers point along z."""

    mass_kg: float
    ends_m: Array
    """Both ends of each capsule of the body [m], of shape (c, 2, 3)."""
    radii_m: Array
    """Radius of each capsule of the body [m], of shape (c,)."""
    across: Array
    """Unit vector along which the fingers open, square to z, of shape (3,)."""
    finger_mass_kg: float
    finger_span_m: tuple[float, float]
    """Where a finger begins and ends along z [m]."""
    finger_radius_m: float
    """Radius of a finger [m], a round rod along z: it holds a round cup and a flat block alike."""
    stroke_m: tuple[float, float]
    """Distance between the fingers, closed and open [m]: the gripper's value 0 and 100."""
    empty_value: float
    """Closed on nothing, the gripper reads back this value (0 to 100) or less."""


@dataclass(frozen=True, eq=False)
class Shape:
    """A robot's body from the base to the gripper."""

    base: LinkShape
    links: tuple[LinkShape, ...]
    """The links that move, in the order of the joints."""
    gripper: Gripper | None
