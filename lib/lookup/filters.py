"""The filters, declared once a mode and in order: what a row must meet to be a candidate."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lib.lookup.column import JOINTS, Column
from lib.lookup.condition import Around, Between, Condition
from lib.settings import PickLookup, PlaceLookup
from lib.settings_reading import Joints

Bound = tuple[float | None, float | None]


@dataclass(frozen=True)
class Filter:
    """One step of the lookup: its name, what it asks of a row, what its bound means."""

    name: str
    bound: Bound
    """Lowest and highest allowed value, None where open; of ref_joints, the difference to the reference."""
    unit: str
    conditions: tuple[Condition, ...]
    """What a row must meet, all of it."""
    protects: bool = False
    """Whether it protects hardware: such a filter is never relaxed."""
    steps_aside: bool = False
    """Whether it gives way when no row meets it; the method's name then says so."""


def place_filters(bounds: PlaceLookup) -> tuple[Filter, ...]:
    """Return PLACE's filters in the order they apply; ``bounds.ref_joints`` must be set."""
    assert bounds.ref_joints is not None
    j0_ref_deg = bounds.ref_joints[0] if bounds.j0_ref_deg is None else bounds.j0_ref_deg
    return (
        _ee_y_band(bounds),
        Filter(
            name="ee_y_floor",
            bound=(bounds.ee_y_floor_m, None),
            unit="m",
            conditions=(Between(Column.EE_Y, bounds.ee_y_floor_m, math.inf),),
            protects=True,
        ),
        _j0_lock(j0_ref_deg, bounds.j0_tol_deg),
        Filter(
            name="j1_min",
            bound=(bounds.j1_min_deg, None),
            unit="deg",
            conditions=(Between(Column.J1, bounds.j1_min_deg, math.inf),),
        ),
        _ref_joints(bounds.ref_joints, bounds.ref_tol_deg),
        _ee_y_target(height_target_m(bounds), bounds.ee_y_tol_m),
        _j4_safe(bounds),
    )


def pick_filters(bounds: PickLookup) -> tuple[Filter, ...]:
    """Return PICK's filters in the order they apply; those on joints only where a reference is given."""
    filters = [_ee_y_band(bounds)]
    if bounds.j0_ref_deg is not None:
        filters.append(_j0_lock(bounds.j0_ref_deg, bounds.j0_tol_deg))
    if bounds.ref_joints is not None:
        filters.append(_ref_joints(bounds.ref_joints, bounds.ref_tol_deg))
    return (*filters, _j4_safe(bounds))


def height_target_m(bounds: PlaceLookup) -> float:
    """Return the wanted tip height [m]: the given one, else the band's centre; never none."""
    if bounds.ee_y_target_m is not None:
        return bounds.ee_y_target_m
    low, high = bounds.ee_y_band_m
    return 0.5 * (low + high)


def _ee_y_band(bounds: PlaceLookup | PickLookup) -> Filter:
    low, high = bounds.ee_y_band_m
    return Filter("ee_y_band", (low, high), "m", (Between(Column.EE_Y, low, high),))


def _j0_lock(centre_deg: float, tolerance_deg: float) -> Filter:
    low, high = centre_deg - tolerance_deg, centre_deg + tolerance_deg
    return Filter("j0_lock", (low, high), "deg", (Between(Column.J0, low, high),))


def _ref_joints(reference_deg: Joints, tolerance_deg: float) -> Filter:
    near = [Around(joint, angle, tolerance_deg) for joint, angle in zip(JOINTS, reference_deg, strict=True)]
    return Filter("ref_joints", (-tolerance_deg, tolerance_deg), "deg", tuple(near))


def _ee_y_target(target_m: float, tolerance_m: float) -> Filter:
    return Filter(
        name="ee_y_target",
        bound=(target_m - tolerance_m, target_m + tolerance_m),
        unit="m",
        conditions=(Around(Column.EE_Y, target_m, tolerance_m),),
        steps_aside=True,
    )


def _j4_safe(bounds: PlaceLookup | PickLookup) -> Filter:
    low, high = bounds.j4_safe_deg
    return Filter(
        "j4_safe", (low, high), "deg", (Between(Column.J4, low, high),), protects=True, steps_aside=True
    )
