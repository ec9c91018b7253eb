"""Refined poses, verified in the twin: their true tip is where they say, or there is no refinement."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
import pytest

from lib.cell import base_request, simulate_scan
from lib.lookup import LookupResult, PickRequest, PlaceRequest, Request, Table, lookup, lookup_many
from lib.lookup.refine import KnownChain, Refinement, refine
from lib.robot import Robot, tip_points
from lib.scan import ScanRequest
from lib.settings import PlaceLookup
from tests.lib.lookup.refine.twin_table import (
    REFERENCE,
    chain_of,
    family_points,
    family_request,
    mecharm,
    targets,
    true_off_m,
    with_tip,
)

FAR_M = 5e-3


@pytest.fixture(scope="module")
def robot() -> Robot:
    return mecharm()


@pytest.fixture(scope="module")
def table() -> Table:
    return Table.from_points(family_points(), version=1)


@pytest.fixture(scope="module")
def chain(robot: Robot) -> KnownChain:
    return chain_of(family_points(), robot)


@dataclass(frozen=True)
class Verified:
    """One refined target, measured in the twin."""

    request: Request
    result: LookupResult
    refined: Refinement
    true_m: float
    tip_error_m: float

    @property
    def within_stated(self) -> bool:
        assert self.refined.predicted_residual_m is not None and self.refined.cv_error_m is not None
        inside = self.true_m <= self.refined.predicted_residual_m + self.refined.cv_error_m
        return inside and self.tip_error_m <= self.refined.cv_error_m


def verify(table: Table, requests: list[Request], chain: KnownChain, truth: Robot) -> list[Verified]:
    """Refine every target that has a row; give back those that were refined."""
    found = []
    for request, result in zip(requests, lookup_many(table, requests), strict=True):
        refined = refine(table, request, result, chain)
        if refined.joints_deg is None:
            assert refined.why_not
            continue
        tip = tip_points(truth, [refined.joints_deg])[0]
        error_m = float(np.linalg.norm(tip - np.array(refined.predicted_point_m)))
        found.append(
            Verified(request, result, refined, true_off_m(truth, refined.joints_deg, request), error_m)
        )
    return found


def median_where_far_mm(found: list[Verified]) -> float:
    far = [v.true_m for v in found if v.result.xz_distance_m is not None and v.result.xz_distance_m >= FAR_M]
    assert far
    return 1e3 * float(np.median(far))


def test_the_chain_puts_the_true_tip_where_it_says(table: Table, chain: KnownChain, robot: Robot) -> None:
    found = verify(table, targets(60, seed=2), chain, robot)
    assert {v.refined.method for v in found} == {"chain"} and len(found) >= 20
    assert np.mean([v.within_stated for v in found]) >= 0.95
    assert median_where_far_mm(found) < 0.2


def test_a_local_map_puts_the_true_tip_where_it_says(table: Table, robot: Robot) -> None:
    found = verify(table, targets(60, seed=3), KnownChain(robot), robot)
    assert {v.refined.method for v in found} == {"local_quadratic"} and len(found) >= 20
    assert np.mean([v.within_stated for v in found]) >= 0.95
    assert median_where_far_mm(found) < 1.5
    assert {v.refined.why_not_chain for v in found} == {"the table version keeps no chain fit"}


def test_a_refined_pose_meets_every_filter_and_the_limits(
    table: Table, chain: KnownChain, robot: Robot
) -> None:
    low, high = robot.limits_deg.T
    for known in (chain, KnownChain()):
        for v in verify(table, targets(12, seed=4), known, robot):
            row = np.concatenate([v.refined.predicted_point_m, v.refined.joints_deg])
            for step in v.request.filters:
                assert all(c.holds(row[c.column]) for c in step.conditions), step.name
            joints = row[3:]
            assert ((joints >= low) & (joints <= high)).all()
            assert (np.round(joints, 4) == joints).all()
            assert joints[5] == -30.0  # no row varies it


def test_the_height_stays_where_x_and_z_can_be_met_at_it(table: Table, chain: KnownChain) -> None:
    request = PlaceRequest(-0.170, 0.1899)
    result = lookup(table, request)
    refined = refine(table, request, result, chain)
    assert result.point_m is not None and refined.predicted_point_m is not None
    assert refined.predicted_residual_m is not None and refined.predicted_residual_m < 2e-6
    assert refined.predicted_point_m[1] == pytest.approx(result.point_m[1], abs=3e-6)
    # The same residual by turning one joint alone, or by any other pose that was tried, moves more.
    assert refined.max_step_deg is not None and refined.max_step_deg < 6.0


def test_a_target_that_the_filters_keep_out_of_reach_is_not_refined_and_says_what_holds_it(
    table: Table, chain: KnownChain
) -> None:
    bounds = PlaceLookup(ref_tol_deg=0.5, j1_min_deg=50.0)
    request = PlaceRequest(-0.170, 0.1899, bounds)
    refined = refine(table, request, lookup(table, request), chain)
    assert refined.joints_deg is None and refined.nearest is not None
    assert refined.why_not == (
        f"no pose inside the filters comes nearer than {refined.nearest.predicted_residual_m * 1e3:.1f} mm: "
        "held by ref_joints"
    )
    assert np.abs(np.subtract(refined.nearest.joints_deg, REFERENCE)).max() <= 0.5 + 1e-9


def test_half_of_the_rows_with_a_tip_moved_by_20_mm_are_not_refined_wrongly(robot: Robot) -> None:
    moved = with_tip(robot, (0.0, 0.0, 0.020))
    points = family_points().copy()
    half = np.random.default_rng(5).random(len(points)) < 0.5
    points[half, :3] = tip_points(moved, points[half, 3:])
    table, chain = Table.from_points(points), chain_of(points, robot)
    assert chain.rms_m < 3e-4  # the tip alone fits half of the rows perfectly
    assert chain.why_not is not None and "off the chain" in chain.why_not
    trusting = KnownChain(robot, tuple(robot.tip_m), 0.0, 1.0)
    for known in (chain, trusting):
        refusals = [refine(table, r, lookup(table, r), known) for r in targets(10, seed=6, half_width_m=0.02)]
        assert all(refused.joints_deg is None for refused in refusals)
        told = {(r.why_not or "").split(":")[0] for r in refusals if r.why_not_chain}
        assert told and all("misses the measured rows" in why or "contradict" in why for why in told)


def test_a_tip_moved_between_two_scans_is_refined_only_as_its_neighbours_were_measured(robot: Robot) -> None:
    moved = with_tip(robot, (0.020, 0.0, 0.0))
    points = family_points().copy()
    second = points[:, 3] > 36.215 + 5.0  # the scan after the tool was bumped holds the far turns of the base
    points[second, :3] = tip_points(moved, points[second, 3:])
    bounds = PlaceLookup(j0_ref_deg=47.0, ref_tol_deg=30.0)
    requests: list[Request] = [
        replace(r, bounds=bounds) for r in targets(100, seed=7) if isinstance(r, PlaceRequest)
    ]
    requests = [replace(r, x_m=r.x_m - 0.02) for r in requests]
    table, chain = Table.from_points(points), chain_of(points, robot)
    assert chain.why_not is not None
    found = verify(table, requests, chain, moved)
    assert len(found) >= 5 and {v.refined.method for v in found} <= {"local_quadratic", "local_linear"}
    assert all(v.within_stated for v in found)


def test_a_table_of_another_robot_is_refined_by_its_own_rows(robot: Robot) -> None:
    longer = tuple(replace(j, origin_m=j.origin_m * 1.15) if j.variable == "j3" else j for j in robot.joints)
    other = replace(robot, joints=longer, file_md5="another")
    points = simulate_scan(other, family_request(), seed=8)
    table, chain = Table.from_points(points), chain_of(points, robot)
    assert chain.why_not is not None
    requests: list[Request] = [PlaceRequest(r.x_m - 0.012, r.z_m + 0.01) for r in targets(30, seed=9)]
    found = verify(table, requests, chain, other)
    assert len(found) >= 10 and all(v.refined.method != "chain" for v in found)
    assert np.mean([v.within_stated for v in found]) >= 0.95
    believing = KnownChain(robot, tuple(robot.tip_m), 0.0, 1.0, robot.file_md5)
    assert all(v.refined.method != "chain" for v in verify(table, requests[:10], believing, other))


def test_the_chain_is_left_alone_where_the_settings_name_another_robot_file(
    table: Table, chain: KnownChain
) -> None:
    assert chain.robot is not None
    renamed = replace(chain, robot=replace(chain.robot, file_md5="another"))
    request = PlaceRequest(-0.170, 0.1899)
    refined = refine(table, request, lookup(table, request), renamed)
    assert refined.method == "local_quadratic"
    assert refined.why_not_chain == "the table's fit was made with another robot file than mecharm270's"


@pytest.mark.parametrize(
    ("rms_m", "share", "message"),
    [(3.1e-4, 1.0, "fits the table to 0.31 mm only"), (0.0, 0.998, "0.2% of the table's rows are off")],
)
def test_a_fit_that_is_not_good_is_not_used(
    rms_m: float, share: float, message: str, chain: KnownChain
) -> None:
    assert chain.why_not is None
    assert message in (replace(chain, rms_m=rms_m, explained_share=share).why_not or "")


def test_rows_alone_in_their_corner_are_refined_by_the_chain_but_not_without(robot: Robot) -> None:
    few = family_points()[::4001]
    table = Table.from_points(few)
    row = next(p for p in few if -85 < p[7] < 50 and 0.05 < p[1] < 0.15)
    height_m = float(row[1])
    bounds = PlaceLookup(
        ref_joints=tuple(row[3:].tolist()), j1_min_deg=40.0, ee_y_floor_m=0.0,
        ee_y_band_m=(height_m - 0.01, height_m + 0.01),
    )  # fmt: skip
    request = PlaceRequest(float(row[0]) + 0.004, float(row[2]) - 0.006, bounds)
    result = lookup(table, request)
    assert refine(table, request, result, chain_of(few, robot)).method == "chain"
    alone = refine(table, request, result, KnownChain())
    assert alone.joints_deg is None and "too few or too alike for a local map" in (alone.why_not or "")


def test_no_row_and_no_sendable_row_are_not_refined(table: Table, chain: KnownChain) -> None:
    far = PlaceRequest(-0.4, 0.4)
    assert "no row to start from" in (refine(table, far, lookup(table, far), chain).why_not or "")
    unsafe = PlaceRequest(-0.17, 0.19, PlaceLookup(j4_safe_deg=(-70.0, 60.0)))
    result = lookup(table, unsafe)
    assert result.found and not result.sendable
    assert "the row cannot be sent" in (refine(table, unsafe, result, chain).why_not or "")


def test_pick_is_refined_inside_its_band(robot: Robot) -> None:
    bases = base_request().bases[60:64]
    points = simulate_scan(robot, ScanRequest(bases, exact=False), seed=3)
    table, chain = Table.from_points(points), chain_of(points, robot)
    inside = points[(points[:, 1] > 0.012) & (points[:, 1] < 0.038)]
    near = inside[np.random.default_rng(1).integers(len(inside), size=20)]
    requests: list[Request] = [PickRequest(p[0] + 0.002, p[2] - 0.002) for p in near]
    found = verify(table, requests, chain, robot)
    assert len(found) >= 15
    assert max(v.true_m for v in found) < 2e-5
    for v in found:
        assert v.refined.predicted_point_m is not None and 0.010 <= v.refined.predicted_point_m[1] <= 0.040


@pytest.mark.slow
def test_a_thousand_targets_on_the_full_table(robot: Robot, capsys: pytest.CaptureFixture[str]) -> None:
    low_z = [[36.215, 57, 20, -7, -86, -30], [36.215, 57, 20, -17, -86, -30],
             [31.215, 57, 20, -17, -86, -30], [31.215, 57, 20, -22, -86, -30]]  # fmt: skip
    bases = np.vstack([base_request().bases, low_z])
    points = simulate_scan(robot, ScanRequest(bases, exact=False), seed=0)
    table = Table.from_points(points)
    requests = targets(1_000, seed=10)
    reached = sum(result.found for result in lookup_many(table, requests))
    for known, limit_mm in ((chain_of(points, robot), 0.2), (KnownChain(robot), 1.5)):
        found = verify(table, requests, known, robot)
        share = float(np.mean([v.within_stated for v in found]))
        far = sum((v.result.xz_distance_m or 0.0) >= FAR_M for v in found)
        with capsys.disabled():
            print(
                f"\n{found[0].refined.method}: {reached} of 1,000 have a row, {len(found)} refined, "
                f"{share:.2%} within the stated error; {far} rows were 5 mm or more off, refined to a median "
                f"of {median_where_far_mm(found) * 1e3:.2f} um"
            )
        assert share >= 0.95
        assert median_where_far_mm(found) < limit_mm
