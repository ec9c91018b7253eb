"""A question that makes no sense is refused before the table is opened."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lib.errors import BadInput
from lib.lookup import PickRequest, PlaceRequest, Table, place
from lib.settings import PickLookup, PlaceLookup


@pytest.mark.parametrize("mode", [PlaceRequest, PickRequest])
@pytest.mark.parametrize(
    ("x_m", "z_m", "message"),
    [
        (math.nan, 0.19, "target x = nan; expected a finite number of metres"),
        (-0.17, math.inf, "target z = inf; expected a finite number of metres"),
        (-170, 189.9, "target x = -170 m is farther than any arm reaches; millimetres? Then it is -0.17 m"),
        (-0.17, 2.1, "target z = 2.1 m"),
    ],
)
def test_a_target_that_is_no_place_is_refused(mode: Any, x_m: float, z_m: float, message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        mode(x_m, z_m)
    assert message in str(refusal.value)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"ref_joints": None}, "PLACE has no reference pose; expected six joint values in lookup.place.ref"),
        ({"ref_joints": (0.6, 1.0, 0.3, -0.2, -1.5, -0.5)}, "degrees (radians?)"),
        ({"ref_joints": (1.0, 2.0)}, "expected six joint values"),
        ({"j0_tol_deg": -1.0}, "lookup.place.j0_tol_deg = -1.0; expected zero or more"),
        ({"w_j1_m_per_deg": -0.1}, "lookup.place.w_j1_m_per_deg = -0.1; expected zero or more"),
        ({"guard_m": -0.1}, "lookup.place.guard_m = -0.1; expected zero or more"),
        ({"j1_min_deg": math.nan}, "lookup.place.j1_min_deg = nan; expected finite numbers"),
        ({"ee_y_band_m": (0.115, 0.085)}, "lookup.place.ee_y_band_m = (0.115, 0.085); expected a lower"),
        ({"ee_y_target_m": 100.0}, "lookup.place.ee_y_target_m = 100.0; expected metres (millimetres?)"),
    ],
)  # fmt: skip
def test_a_bound_that_makes_no_sense_is_refused(change: dict[str, Any], message: str) -> None:
    with pytest.raises(BadInput) as refusal:
        PlaceRequest(-0.17, 0.19, replace(PlaceLookup(), **change))
    assert message in str(refusal.value)


def test_published_old_weights_may_be_asked_with_a_warning() -> None:
    request = PlaceRequest(-0.17, 0.19, replace(PlaceLookup(), w_j1_m_per_deg=0.3, w_j4_m_per_deg=0.02))
    assert len(request.warnings) == 1
    assert request.warnings[0].startswith("w_j1 = 0.3 m/deg: one degree costs 300 mm")
    assert PlaceRequest(-0.17, 0.19).warnings == PickRequest(0.14, 0.2).warnings == ()


def test_filters_that_protect_hardware_are_never_left_out() -> None:
    for request, names in ((PlaceRequest, ("ee_y_floor", "j4_safe")), (PickRequest, ("j4_safe",))):
        for name in names:
            with pytest.raises(BadInput, match=f"{name} protects hardware"):
                request(0.14, 0.2, without=frozenset({name}))
    with pytest.raises(
        BadInput, match='no filter "j9"; expected ee_y_band, j0_lock, j1_min, ref_joints or ee_y'
    ):
        PlaceRequest(-0.17, 0.19, without=frozenset({"j9"}))


def test_pick_has_joint_filters_only_with_a_reference() -> None:
    def names(bounds: PickLookup) -> list[str]:
        return [f.name for f in PickRequest(0.14, 0.2, bounds).filters]

    reference = (-35.0, 70.0, 25.0, 0.0, -85.0, -30.0)
    assert names(PickLookup()) == ["ee_y_band", "j4_safe"]
    assert names(PickLookup(ref_joints=reference)) == ["ee_y_band", "ref_joints", "j4_safe"]
    assert names(PickLookup(j0_ref_deg=-35.0)) == ["ee_y_band", "j0_lock", "j4_safe"]


def test_an_unknown_bound_lists_the_known_ones() -> None:
    with pytest.raises(BadInput, match='no bound "j0_tol"; expected ref_joints, ee_y_band_m, '):
        place(Table.from_points(np.empty((0, 9))), -0.17, 0.19, j0_tol=3.0)
