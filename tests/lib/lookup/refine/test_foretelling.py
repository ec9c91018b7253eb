"""What the chain foretells where nothing was measured: inside all filters, or why not."""

from __future__ import annotations

import numpy as np
import pytest

from lib.lookup import PickRequest, PlaceRequest, Table, lookup
from lib.lookup.refine import KnownChain, foretell, refine
from lib.robot import tip_points
from lib.settings import PlaceLookup
from tests.lib.lookup.refine.twin_table import REFERENCE, chain_of, family_points, mecharm


@pytest.fixture(scope="module")
def chain() -> KnownChain:
    return chain_of(family_points(), mecharm())


def test_it_is_the_refined_pose_where_a_refinement_is_allowed(chain: KnownChain) -> None:
    table, request = Table.from_points(family_points()), PlaceRequest(-0.170, 0.1899)
    result = lookup(table, request)
    refined, foretold = refine(table, request, result, chain), foretell(table, request, result, chain)
    assert foretold.joints_deg == refined.joints_deg
    assert (foretold.neighbours, foretold.cv_error_m) == (0, None)


def test_without_a_row_it_starts_from_the_reference_at_the_bands_middle(chain: KnownChain) -> None:
    far = family_points()[family_points()[:, 3] > 45.0]
    table, request = Table.from_points(far), PlaceRequest(-0.185, 0.200)
    result = lookup(table, request)
    assert result.method == "no_candidates"
    found = foretell(table, request, result, chain)
    assert found.joints_deg is not None
    x_m, y_m, z_m = tip_points(mecharm(), [found.joints_deg])[0]
    assert (x_m, y_m, z_m) == pytest.approx((-0.185, 0.1, 0.200), abs=5e-6)
    assert np.abs(np.subtract(found.joints_deg, REFERENCE)).max() == pytest.approx(found.max_step_deg)


def test_filters_that_exclude_each_other_and_no_start_are_said(chain: KnownChain) -> None:
    table = Table.from_points(family_points()[:100])
    none = PlaceRequest(-0.17, 0.19, PlaceLookup(j1_min_deg=80.0))
    assert foretell(table, none, lookup(table, none), chain).why_not == "no pose meets all filters at once"
    pick = PickRequest(0.14, 0.2)
    assert foretell(table, pick, lookup(table, pick), chain).why_not == "there is no pose to start from"
    unknown = foretell(table, none, lookup(table, none), KnownChain())
    assert unknown.why_not == unknown.why_not_chain == "no robot is set, so there is no chain"


def test_what_stays_out_of_reach_names_what_holds_it(chain: KnownChain) -> None:
    table, request = Table.from_points(family_points()), PlaceRequest(-0.100, 0.1899)
    found = foretell(table, request, lookup(table, request), chain)
    assert found.joints_deg is None and found.nearest is not None
    assert "j0_lock" in found.nearest.held_by and "held by j0_lock" in (found.why_not or "")
