"""What is asked of the table: a target, and the bounds under which it is looked up."""

from __future__ import annotations

import math
from collections.abc import Hashable
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar

from lib.errors import BadInput, one_of
from lib.lookup.filters import Filter, pick_filters, place_filters
from lib.settings import WEIGHT_LIMIT_M_PER_DEG, PickLookup, PlaceLookup

# No arm of this size reaches 2 m: a larger target is in another unit.
LARGEST_TARGET_M = 2.0


@dataclass(frozen=True)
class PlaceRequest:
    """Where to let a block go: a target in the twin's x and z, and PLACE's bounds.

    Raises BadInput for a target or bound that makes no sense, naming it.
    """

    mode: ClassVar[str] = "place"

    x_m: float
    """Target, to the right of the base [m]."""
    z_m: float
    """Target, in front of the base [m]."""
    bounds: PlaceLookup = PlaceLookup()
    """Bounds of the filters, weights of the score, the guard."""
    without: frozenset[str] = frozenset()
    """Filters left out of this question; those that protect hardware cannot be."""

    def __post_init__(self) -> None:
        _check_target(self.x_m, self.z_m)
        if self.bounds.ref_joints is None:
            raise BadInput(
                "PLACE has no reference pose; expected six joint values in lookup.place.ref_joints "
                "or --ref-joints"
            )
        _check_bounds("place", self.bounds)
        if self.without:
            _check_left_out(self.without, place_filters(self.bounds))

    @classmethod
    def from_settings(
        cls, bounds: PlaceLookup, x_m: float, z_m: float, without: frozenset[str] = frozenset()
    ) -> PlaceRequest:
        """Ask for a target under the settings' bounds."""
        return cls(x_m, z_m, bounds, without)

    @property
    def kind(self) -> Hashable:
        """What is equal for requests that differ only in the target."""
        return self.mode, self.bounds, self.without

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters in force, in order."""
        return tuple(f for f in place_filters(self.bounds) if f.name not in self.without)

    @property
    def warnings(self) -> tuple[str, ...]:
        """What a settings file would be refused for, but a single question may try."""
        weights = {name: getattr(self.bounds, f"{name}_m_per_deg") for name in ("w_j1", "w_j2", "w_j4")}
        return tuple(
            f"{name} = {weight:g} m/deg: one degree costs {weight * 1e3:g} mm, so only rows that keep this "
            f"joint can win; asked once it is answered, in the settings it would be refused: at most "
            f"{WEIGHT_LIMIT_M_PER_DEG:g} m/deg"
            for name, weight in weights.items()
            if weight > WEIGHT_LIMIT_M_PER_DEG
        )


@dataclass(frozen=True)
class PickRequest:
    """Where to grip a block: a target in the twin's x and z, and PICK's bounds.

    Raises BadInput for a target or bound that makes no sense, naming it.
    """

    mode: ClassVar[str] = "pick"

    x_m: float
    """Target, to the right of the base [m]."""
    z_m: float
    """Target, in front of the base [m]."""
    bounds: PickLookup = PickLookup()
    """Bounds of the filters, the guard."""
    without: frozenset[str] = frozenset()
    """Filters left out of this question; those that protect hardware cannot be."""

    def __post_init__(self) -> None:
        _check_target(self.x_m, self.z_m)
        _check_bounds("pick", self.bounds)
        _check_left_out(self.without, PICK_FILTERS)

    @classmethod
    def from_settings(
        cls, bounds: PickLookup, x_m: float, z_m: float, without: frozenset[str] = frozenset()
    ) -> PickRequest:
        """Ask for a target under the settings' bounds."""
        return cls(x_m, z_m, bounds, without)

    @property
    def kind(self) -> Hashable:
        """What is equal for requests that differ only in the target."""
        return self.mode, self.bounds, self.without

    @property
    def filters(self) -> tuple[Filter, ...]:
        """The filters in force, in order."""
        return tuple(f for f in pick_filters(self.bounds) if f.name not in self.without)

    @property
    def warnings(self) -> tuple[str, ...]:
        """Nothing: PICK has no weights."""
        return ()


Request = PlaceRequest | PickRequest

# All that PICK can have, also those that a request without a reference does not use.
PICK_FILTERS = pick_filters(replace(PickLookup(), ref_joints=(0.0,) * 6, j0_ref_deg=0.0))


def _check_target(x_m: float, z_m: float) -> None:
    for name, value in (("x", x_m), ("z", z_m)):
        if not math.isfinite(value):
            raise BadInput(f"target {name} = {value}; expected a finite number of metres")
        if abs(value) > LARGEST_TARGET_M:
            raise BadInput(
                f"target {name} = {value:g} m is farther than any arm reaches; millimetres? "
                f"Then it is {value / 1000:g} m"
            )


def _check_bounds(mode: str, bounds: PlaceLookup | PickLookup) -> None:
    for f in fields(bounds):
        value = getattr(bounds, f.name)
        if value is None:
            continue
        wrong = _wrong(f.name, value if isinstance(value, tuple) else (value,))
        if wrong:
            raise BadInput(f"lookup.{mode}.{f.name} = {value!r}; expected {wrong}")


def _wrong(name: str, numbers: tuple[Any, ...]) -> str | None:
    """Say what was expected of a bound where it makes no sense."""
    if not all(isinstance(n, int | float) and math.isfinite(n) for n in numbers):
        return "finite numbers"
    if name == "ref_joints" and (len(numbers) != 6 or (max(map(abs, numbers)) <= math.tau and any(numbers))):
        return "six joint values in degrees (radians?)"
    if name in ("ee_y_band_m", "j4_safe_deg") and (len(numbers) != 2 or numbers[0] >= numbers[1]):
        return "a lower and a higher bound"
    if name.endswith("_m") and max(map(abs, numbers)) > LARGEST_TARGET_M:
        return "metres (millimetres?)"
    if (name.startswith("w_") or "_tol_" in name or name == "guard_m") and numbers[0] < 0:
        return "zero or more"
    return None


def _check_left_out(without: frozenset[str], filters: tuple[Filter, ...]) -> None:
    for name in sorted(without):
        found = next((f for f in filters if f.name == name), None)
        if found is None:
            raise BadInput(
                f'no filter "{name}"; expected {one_of([f.name for f in filters if not f.protects])}'
            )
        if found.protects:
            raise BadInput(f"{name} protects hardware and is never left out")
