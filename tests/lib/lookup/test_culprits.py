"""What relaxing gives: the published pair, an independent search, and rows that stay protected."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import combinations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lib.lookup import PickRequest, PlaceRequest, Request, Table, culprits, lookup
from lib.settings import PlaceLookup
from tests.lib.lookup import crowded
from tests.lib.lookup.original import select

PROTECTING = {"ee_y_floor", "j4_safe"}


def row(x_m: float, ee_y_m: float = 0.1, j4_deg: float = -86.0, j1_deg: float = 57.0) -> list[float]:
    return [x_m, ee_y_m, 0.19, 36.215, j1_deg, 20.0, -12.0, j4_deg, -30.0]


def by_hand(request: Request, relax: tuple[str, ...]) -> Request:
    without = request.without | {name for name in relax if name != "score_weights"}
    if isinstance(request, PlaceRequest) and "score_weights" in relax:
        bounds = replace(request.bounds, w_j1_m_per_deg=0.0, w_j2_m_per_deg=0.0, w_j4_m_per_deg=0.0)
        return replace(request, bounds=bounds, without=without)
    return replace(request, without=without)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_every_single_and_every_pair_is_what_the_originals_masks_select(seed: int, placing: bool) -> None:
    random = np.random.default_rng(seed)
    table = crowded.table(random, 60)
    request: Request = crowded.place_request(random) if placing else crowded.pick_request(random)
    names = [f.name for f in request.filters if f.name not in PROTECTING]
    names += ["score_weights"] if placing else []
    expected = {relax for n in (1, 2) for relax in combinations(names, n)}
    found = culprits(table, request)
    assert len(found) == len(expected) and {c.relax for c in found} == expected
    for culprit in found:
        chosen = select(table.points, by_hand(request, culprit.relax))
        safe = chosen.method.endswith("pref")
        assert culprit.xz_distance_m == (chosen.distance_m if safe else None)
        document = culprit.as_json()
        assert document["joints_deg"] == (table.points[chosen.row, 3:].tolist() if safe else None)
    reached = [math.inf if c.xz_distance_m is None else c.xz_distance_m for c in found]
    assert reached == sorted(reached)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.booleans())
def test_what_is_protected_is_nearer_and_outside_and_never_suggested(seed: int, placing: bool) -> None:
    random = np.random.default_rng(seed)
    table = crowded.table(random, 60)
    request: Request = crowded.place_request(random) if placing else crowded.pick_request(random)
    for culprit in culprits(table, request):
        assert not PROTECTING & set(culprit.relax)
        low, high = request.bounds.j4_safe_deg
        suggested = culprit.as_json()["joints_deg"]
        assert suggested is None or low <= suggested[4] <= high  # type: ignore[index]
        for hidden in culprit.protected:
            assert culprit.xz_distance_m is None or hidden.xz_distance_m < culprit.xz_distance_m
            point = next(p for p in table.points if tuple(p[3:]) == hidden.joints_deg)
            if hidden.filter == "j4_safe":
                assert not low <= point[7] <= high


def test_a_row_behind_each_shield_is_named_in_words() -> None:
    table = Table.from_points(
        [row(-0.180), row(-0.1728, j4_deg=-101.0), row(-0.171, ee_y_m=0.04), row(-0.1705, 0.04, -95.0)]
    )
    free = PlaceRequest(-0.17, 0.19, PlaceLookup(w_j4_m_per_deg=0.0), frozenset({"ee_y_band"}))
    height = next(c for c in culprits(table, free) if c.relax == ("ee_y_target",))
    assert {(p.filter, p.says) for p in height.protected} == {
        ("j4_safe", "0.5 mm exists at j4 = -95 deg, outside the safe range"),
        ("ee_y_floor", "0.5 mm exists at a tip height of 40.0 mm, below the floor"),
    }
    banded = next(c for c in culprits(table, replace(free, without=frozenset())) if c.relax == ("j1_min",))
    assert [p.says for p in banded.protected] == ["2.8 mm exists at j4 = -101 deg, outside the safe range"]


def test_a_relaxation_that_only_reaches_an_unsafe_row_suggests_nothing() -> None:
    table = Table.from_points([row(-0.171, j4_deg=-95.0, j1_deg=50.0)])
    request = PlaceRequest(-0.17, 0.19)
    assert not lookup(table, request).found
    alone = next(c for c in culprits(table, request) if c.relax == ("j1_min",))
    assert alone.as_json() == {
        "relax": ["j1_min"],
        "xz_distance_m": None,
        "z_residual_m": None,
        "joints_deg": None,
        "protected": [
            {
                "filter": "j4_safe",
                "xz_distance_m": pytest.approx(0.001),
                "z_residual_m": 0.0,
                "joints_deg": [36.215, 50.0, 20.0, -12.0, -95.0, -30.0],
                "says": "1.0 mm exists at j4 = -95 deg, outside the safe range",
            }
        ],
    }


def test_pick_has_no_weights_to_relax_and_only_the_filters_in_force() -> None:
    table = Table.from_points([[0.14, 0.05, 0.2, -35, 70, 25, 0, -85, -30]])
    (band,) = culprits(table, PickRequest(0.14, 0.2))
    assert band.relax == ("ee_y_band",) and band.xz_distance_m == 0.0 and band.changes_row
    assert not culprits(table, PickRequest(0.14, 0.2, without=frozenset({"ee_y_band"})))
