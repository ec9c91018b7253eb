"""The funnel and the binding filter tell what the lookup's own pass did."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.lookup import PlaceRequest, Table, explain, funnel, lookup, lookup_many, with_binding_filters
from lib.lookup.filter_pass import filter_pass
from lib.settings import PlaceLookup
from tests.lib.lookup import crowded


@given(st.integers(0, 2**32), st.booleans())
def test_each_filter_leaves_no_more_and_nothing_nearer_than_the_one_before(seed: int, placing: bool) -> None:
    random = np.random.default_rng(seed)
    table = crowded.table(random, 80)
    request = crowded.place_request(random) if placing else crowded.pick_request(random)
    result, entries = explain(table, request)
    assert result == lookup(table, request)
    assert [entry.filter for entry in entries] == [f.name for f in request.filters]
    for before, after in pairwise(entries):
        assert after.rows <= before.rows
        assert after.inside <= before.rows
        assert (after.best_xz_distance_m or np.inf) >= (before.best_xz_distance_m or 0.0)
    for entry in entries:
        assert entry.rows == entry.inside or entry.filter in ("ee_y_target", "j4_safe")
        assert (entry.best_xz_distance_m is None) == (entry.rows == 0)
    if result.xz_distance_m is not None:
        assert (entries[-1].best_xz_distance_m or 0.0) <= result.xz_distance_m


@given(st.integers(0, 2**32), st.booleans())
def test_the_order_of_firm_filters_decides_nothing_but_the_counts_between(seed: int, placing: bool) -> None:
    random = np.random.default_rng(seed)
    table = crowded.table(random, 80)
    request = crowded.place_request(random) if placing else crowded.pick_request(random)
    firm = [f for f in request.filters if not f.steps_aside]
    aside = [f for f in request.filters if f.steps_aside]
    shuffled = [firm[k] for k in random.permutation(len(firm))]
    straight, turned = (filter_pass(table, [*order, *aside]) for order in (firm, shuffled))
    for one, other in zip(straight[len(firm) - 1 :], turned[len(firm) - 1 :], strict=True):
        assert one.rows.tolist() == other.rows.tolist()


def test_the_published_order_bounds_and_protections() -> None:
    entries = funnel(Table.from_points(np.empty((0, 9))), PlaceRequest(-0.17, 0.19))
    assert [(e.filter, e.bound, e.unit, e.protects) for e in entries] == [
        ("ee_y_band", (0.085, 0.115), "m", False),
        ("ee_y_floor", (0.085, None), "m", True),
        ("j0_lock", (33.215, 39.215), "deg", False),
        ("j1_min", (55.0, None), "deg", False),
        ("ref_joints", (-15.0, 15.0), "deg", False),
        ("ee_y_target", (0.1 - 0.015, 0.1 + 0.015), "m", False),
        ("j4_safe", (-90.0, 60.0), "deg", True),
    ]


def test_a_filter_that_steps_aside_leaves_all_and_has_none_inside() -> None:
    table = Table.from_points(
        [[-0.17, 0.09, 0.19, *crowded.REFERENCE], [-0.18, 0.09, 0.19, *crowded.REFERENCE]]
    )
    *_, height, safe = funnel(
        table, PlaceRequest(-0.17, 0.19, PlaceLookup(ee_y_target_m=0.11, ee_y_tol_m=0.005))
    )
    assert (height.filter, height.rows, height.inside) == ("ee_y_target", 2, 0)
    assert (safe.rows, safe.inside) == (2, 2)


def test_the_z_residual_is_that_of_the_nearest_row_as_the_published_table_prints_it() -> None:
    near, level = [-0.171, 0.1, 0.192, *crowded.REFERENCE], [-0.20, 0.1, 0.19, *crowded.REFERENCE]
    entry = funnel(Table.from_points([near, level]), PlaceRequest(-0.17, 0.19))[0]
    assert entry.best_z_residual_m == pytest.approx(0.002)


def binding(table: Table, request: PlaceRequest) -> str | None:
    return with_binding_filters(table, [request], lookup_many(table, [request]))[0].binding_filter


def test_what_binds_is_named() -> None:
    def row(x_m: float, ee_y_m: float, j4_deg: float, j1_deg: float = 57.0) -> list[float]:
        return [x_m, ee_y_m, 0.19, 36.215, j1_deg, 20.0, -12.0, j4_deg, -30.0]

    exact_but = {
        "j4_safe": row(-0.170, 0.1, -101.0),
        "ee_y_band": row(-0.170, 0.2, -86.0),
        "j1_min": row(-0.170, 0.1, -86.0, j1_deg=50.0),
        # A degree of j1 costs 2 mm: 12 degrees cost more than the 10 mm that this row is nearer.
        "score_weights": row(-0.170, 0.1, -86.0, j1_deg=69.0),
        "absence_of_points": row(-0.180, 0.1, -86.0),
    }
    for name, nearer in exact_but.items():
        table = Table.from_points([row(-0.180, 0.1, -86.0), nearer])
        assert binding(table, PlaceRequest(-0.170, 0.19)) == name
    assert binding(Table.from_points([row(-0.170, 0.1, -86.0)]), PlaceRequest(-0.170, 0.19)) is None
    assert binding(Table.from_points(np.empty((0, 9))), PlaceRequest(-0.170, 0.19)) == "absence_of_points"


@given(st.integers(0, 2**32), st.booleans())
def test_binding_is_the_largest_step_of_the_funnel(seed: int, placing: bool) -> None:
    random = np.random.default_rng(seed)
    table = crowded.table(random, 60)
    request = crowded.place_request(random) if placing else crowded.pick_request(random)
    result, entries = explain(table, request)
    distances = np.hypot(table.points[:, 0] - request.x_m, table.points[:, 2] - request.z_m)
    steps = [("absence_of_points", float(distances.min()))]
    steps += [(e.filter, np.inf if e.best_xz_distance_m is None else e.best_xz_distance_m) for e in entries]
    selected = result.beyond_guard[1] if result.beyond_guard else result.xz_distance_m
    if selected is not None:
        steps.append(("score_weights", selected))
    losses = {}
    so_far = 0.0
    for name, distance in steps:
        losses[name] = distance - so_far
        if np.isinf(distance):
            break
        so_far = distance
    found = with_binding_filters(table, [request], [result])[0].binding_filter
    if max(losses.values()) <= 1e-6:
        assert found is None
    else:
        assert found is not None
        assert losses[found] == pytest.approx(max(losses.values()), abs=1e-12)
