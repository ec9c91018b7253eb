"""Scan plans, carried out in the twin: what was foretold comes out, and what is bound is not planned for."""

from __future__ import annotations

import csv
from dataclasses import replace

import numpy as np
import pytest

from lib.cell import base_request, simulate_scan
from lib.lookup import PickRequest, PlaceRequest, Request, Table, lookup, lookup_many
from lib.lookup.refine import KnownChain
from lib.scan import ScanRequest
from lib.settings import PlaceLookup
from lib.table.scan_plan import ScanPlan, plan_scan
from tests.accept.test_log54 import LOG54, tables
from tests.lib.lookup.refine.twin_table import chain_of, family_points, mecharm, targets

WORSE_THAN_M = 0.004
OLD = PlaceLookup(ee_y_tol_m=0.005, w_j1_m_per_deg=0.3, w_j2_m_per_deg=0.1, w_j4_m_per_deg=0.02)


@pytest.fixture(scope="module")
def table() -> Table:
    return Table.from_points(family_points(), version=1)


@pytest.fixture(scope="module")
def chain() -> KnownChain:
    return chain_of(family_points(), mecharm())


def scanned(table: Table, plan: ScanPlan) -> Table:
    """The table with the plan's scan, as the twin measures it."""
    assert plan.request is not None
    return Table.from_points(np.vstack([table.points, simulate_scan(mecharm(), plan.request, seed=11)]))


@pytest.mark.parametrize("exact", [True, False])
def test_scanning_the_plan_lowers_the_residuals_as_foretold(
    table: Table, chain: KnownChain, exact: bool
) -> None:
    requests = targets(25, seed=12, half_width_m=0.03)
    plan = plan_scan(table, chain, requests, WORSE_THAN_M, exact)
    assert plan.request is not None and plan.request.exact == exact
    assert len(plan.wanting) >= 5 and len(plan.after_m) == len(plan.wanting)
    asked = [target.request for target in plan.wanting]
    before, after = lookup_many(table, asked), lookup_many(scanned(table, plan), asked)
    for old, new, foretold_m in zip(before, after, plan.after_m, strict=True):
        assert old.xz_distance_m is not None and old.xz_distance_m > WORSE_THAN_M
        assert new.xz_distance_m == pytest.approx(foretold_m, abs=1e-6)
    served = [new.xz_distance_m is not None and new.xz_distance_m <= WORSE_THAN_M for new in after]
    assert np.mean(served) == 1.0 if exact else np.mean(served) > 0.7
    assert plan.chosen.poses == len(plan.request.bases) * (1 if exact else 16_807)
    assert plan.chosen.bases <= plan.proposed.bases == len(plan.wanting)
    assert plan.chosen.new <= plan.chosen.distinct


def test_fewer_grids_than_targets_serve_them(table: Table, chain: KnownChain) -> None:
    centre = lookup(table, PlaceRequest(-0.170, 0.1899))
    assert centre.xz_distance_m is not None and centre.xz_distance_m > WORSE_THAN_M
    beside: list[Request] = [PlaceRequest(-0.170 + 0.0005 * k, 0.1899) for k in range(4)]
    plan = plan_scan(table, chain, beside, WORSE_THAN_M)
    assert len(plan.wanting) == 4 and plan.chosen.bases == 1
    assert all(d is not None and d <= WORSE_THAN_M for d in plan.after_m)


def test_what_is_near_enough_or_bound_by_a_filter_is_not_planned_for(table: Table, chain: KnownChain) -> None:
    x_m, _, z_m = family_points()[100_000, :3].tolist()
    reached = PlaceRequest(x_m, z_m, PlaceLookup(ref_tol_deg=180.0))
    near = plan_scan(table, chain, [reached], 0.05)
    assert near.missed == () and near.request is None
    turned = PlaceRequest(-0.100, 0.1899)  # the j0 lock turns the arm elsewhere
    bound = plan_scan(table, chain, [turned], WORSE_THAN_M)
    assert bound.request is None and not bound.wanting
    (missed,) = bound.missed
    assert "j0_lock" in missed.bound_by and missed.cause in missed.bound_by
    assert "no pose inside the filters comes nearer" in missed.says


def test_the_published_puzzle_was_the_score_and_then_the_lattice() -> None:
    table = tables()["merged"]
    chain = chain_of(table.points, mecharm())
    assert chain.why_not is None
    old = plan_scan(table, chain, [PlaceRequest(-0.170, 0.1899, OLD)], WORSE_THAN_M)
    assert old.request is None and old.missed[0].cause == "score_weights"
    new = plan_scan(table, chain, [PlaceRequest(-0.170, 0.1899)], WORSE_THAN_M, exact=True)
    assert new.missed[0].cause == "absence_of_points"
    assert new.proposed.poses == new.chosen.poses == 1
    after = lookup(scanned(table, new), PlaceRequest(-0.170, 0.1899))
    assert after.xz_distance_m is not None and after.xz_distance_m < 2e-6 and after.fk_row == 11
    with (LOG54 / "expected.csv").open() as lines:
        published = [line for line in csv.DictReader(lines) if line["case"] == "both"]
    assert published[0]["z_residual_m"] == "0.0079"


def test_a_hole_wider_than_a_refinement_may_cross_is_planned_for() -> None:
    bases = base_request().bases[60:62]
    points = simulate_scan(mecharm(), ScanRequest(bases, exact=False), seed=3)
    middle = np.median(points[:, 3])
    table = Table.from_points(points[points[:, 3] < middle - 12.0])
    chain = chain_of(table.points, mecharm())
    beyond = points[(points[:, 3] > middle + 8.0) & (np.abs(points[:, 1] - 0.025) < 0.005)]
    request = PickRequest(float(beyond[0, 0]), float(beyond[0, 2]))
    assert not lookup(table, request).found
    plan = plan_scan(table, chain, [request], WORSE_THAN_M, exact=True)
    assert [m.cause for m in plan.missed] == ["absence_of_points"]
    assert plan.wanting[0].refined is not None and plan.wanting[0].refined.cv_error_m is None
    after = lookup(scanned(table, plan), request)
    assert after.xz_distance_m is not None and after.xz_distance_m < 1e-5


@pytest.mark.parametrize("hidden", ["unsafe", "turned away"])
def test_a_target_without_a_row_to_send_the_arm_to_is_planned_for(hidden: str, chain: KnownChain) -> None:
    points = family_points()
    kept = points[:, 7] < -90.0 if hidden == "unsafe" else points[:, 3] > 45.0
    table, request = Table.from_points(points[kept]), PlaceRequest(-0.170, 0.1899)
    before = lookup(table, request)
    assert before.method.endswith("absent") if hidden == "unsafe" else before.method == "no_candidates"
    plan = plan_scan(table, chain, [request], WORSE_THAN_M)
    assert [m.cause for m in plan.missed] == ["absence_of_points"]
    after = lookup(scanned(table, plan), request)
    assert after.sendable and after.xz_distance_m is not None and after.xz_distance_m <= WORSE_THAN_M


def test_without_a_chain_a_grid_is_foretold_by_its_middle_alone(table: Table) -> None:
    plan = plan_scan(table, KnownChain(), targets(12, seed=13, half_width_m=0.02), WORSE_THAN_M)
    assert plan.wanting and plan.request is not None
    assert {t.refined.method for t in plan.wanting if t.refined} <= {"local_quadratic", "local_linear"}
    asked = [target.request for target in plan.wanting]
    before, after = lookup_many(table, asked), lookup_many(scanned(table, plan), asked)
    lowered = [
        new.xz_distance_m is not None
        and old.xz_distance_m is not None
        and new.xz_distance_m < old.xz_distance_m
        for old, new in zip(before, after, strict=True)
    ]
    assert np.mean(lowered) > 0.8


def test_a_pose_that_the_score_would_not_select_is_the_scores_fault(table: Table, chain: KnownChain) -> None:
    heavy = replace(PlaceLookup(), w_j1_m_per_deg=0.3, w_j2_m_per_deg=0.3)
    plan = plan_scan(table, chain, [PlaceRequest(-0.170, 0.1899, heavy)], WORSE_THAN_M)
    assert plan.missed[0].cause == "score_weights" and plan.request is None
    assert "its score would not be the smallest" in plan.missed[0].says


def test_progress_tells_every_step(table: Table, chain: KnownChain) -> None:
    told: list[tuple[int, int]] = []
    plan_scan(table, chain, targets(4, seed=12), 0.0, True, lambda done, steps: told.append((done, steps)))
    assert told and all(0 <= done <= steps for done, steps in told)
