"""The reach of a table: the lookup at every grid point, and a cause wherever it finds nothing to send."""

from __future__ import annotations

import numpy as np
import pytest

from lib.errors import BadInput
from lib.lookup import PlaceRequest, Table, lookup, lookup_many, pick, place, with_binding_filters
from lib.lookup.reach import Area, distances, reach
from lib.settings import PickLookup, PlaceLookup
from tests.lib.lookup import crowded

AREA = Area((-0.20, -0.14), (0.16, 0.22))


@pytest.fixture(scope="module")
def table() -> Table:
    return crowded.table(np.random.default_rng(21), 3_000)


def test_both_edges_are_on_the_grid() -> None:
    xs_m, zs_m = Area((0.1, 0.18), (0.15, 0.24)).axes(0.01)
    assert (len(xs_m), len(zs_m)) == (9, 10)
    assert (xs_m[0], xs_m[-1], zs_m[-1]) == (0.1, 0.18, 0.24)


def test_every_cell_is_what_the_lookup_answers_there(table: Table) -> None:
    found = reach(table, PlaceLookup(), AREA, 0.01)
    for row, z_m in enumerate(found.zs_m.tolist()):
        for column, x_m in enumerate(found.xs_m.tolist()):
            result = place(table, x_m, z_m)
            expected = result.xz_distance_m if result.sendable else None
            assert found.distance_m[row, column] == (
                pytest.approx(expected) if expected is not None else pytest.approx(np.nan, nan_ok=True)
            )
    assert found.reached.all() and not np.char.str_len(found.bound_by).any()
    assert (distances(table, PlaceLookup(), AREA, 0.01) == found.distance_m).all()


def test_out_of_reach_is_marked_by_what_binds(table: Table) -> None:
    bounds = PlaceLookup(j0_ref_deg=52.0, ref_tol_deg=16.0)
    assert lookup(table, PlaceRequest(-0.17, 0.19, bounds)).method == "no_candidates"
    found = reach(table, bounds, AREA, 0.02)
    assert not found.reached.any()
    requests = [PlaceRequest(x, z, bounds) for z in found.zs_m.tolist() for x in found.xs_m.tolist()]
    named = with_binding_filters(table, requests, lookup_many(table, requests))
    assert found.bound_by.ravel().tolist() == [result.binding_filter for result in named]
    assert set(found.bound_by.ravel().tolist()) == {"j0_lock"}


def test_a_row_that_is_not_safe_is_no_reach(table: Table) -> None:
    bounds = PickLookup(ee_y_band_m=(0.05, 0.06), j4_safe_deg=(-60.0, 60.0))
    assert pick(table, -0.17, 0.19, bounds).found
    found = reach(table, bounds, AREA, 0.03)
    assert not found.reached.any() and set(found.bound_by.ravel().tolist()) == {"j4_safe"}


def test_progress_and_json(table: Table) -> None:
    told: list[tuple[int, int]] = []
    far = Area((0.2, 0.25), (0.2, 0.25))
    found = reach(table, PlaceLookup(), far, 0.05, lambda done, steps: told.append((done, steps)))
    assert told == [(0, 4)]
    document = found.as_json()
    assert (document["targets"], document["reached"]) == (4, 0)
    assert document["bound_by"] == {"absence_of_points": 4}
    assert document["binding_filter"] == [["absence_of_points"] * 2] * 2


def test_bounds_that_make_no_sense_are_refused(table: Table) -> None:
    with pytest.raises(BadInput, match="a lower and a higher bound"):
        reach(table, PlaceLookup(ee_y_band_m=(0.1, 0.1)), AREA, 0.05)
