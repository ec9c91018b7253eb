"""Ours and the original's masks give the same row and method, whatever is asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.lookup import PickRequest, PlaceRequest, Table, explain, lookup, lookup_many, pick, place
from lib.settings import PickLookup, PlaceLookup
from tests.lib.lookup import crowded
from tests.lib.lookup.original import select

Request = PlaceRequest | PickRequest
QUESTIONS = {0: 20, 1: 60, 40: 300, 1_000: 1_000, 8_000: 1_620}


@pytest.mark.parametrize("share", [0.3, pytest.param(1.0, marks=pytest.mark.slow)])
@pytest.mark.parametrize(
    ("ask", "methods"),
    [
        (
            crowded.place_request,
            {
                "fk_j4_priority_j4safe_pref",
                "fk_j4_priority_j4safe_absent",
                "fk_nearest_ee_y_tol_empty_j4safe_pref",
                "fk_nearest_ee_y_tol_empty_j4safe_absent",
                "out_of_range",
                "no_candidates",
            },
        ),
        (
            crowded.pick_request,
            {"fk_nearest_j4safe_pref", "fk_nearest_j4safe_absent", "out_of_range", "no_candidates"},
        ),
    ],
    ids=["place", "pick"],
)
def test_row_and_method_are_the_originals(
    ask: Callable[[np.random.Generator], Request], methods: set[str], share: float
) -> None:
    random = np.random.default_rng(54)
    seen: Counter[str] = Counter()
    ties = 0
    many = {rows: round(share * questions) for rows, questions in QUESTIONS.items()}
    for rows, questions in many.items():
        table = crowded.table(random, rows)
        for _ in range(questions):
            request = ask(random)
            expected = select(table.points, request)
            result, funnel = explain(table, request)
            assert result.method == expected.method
            assert result.fk_row == (None if expected.row is None else table.fk_rows[expected.row])
            assert result.xz_distance_m == expected.distance_m
            assert tuple(entry.inside for entry in funnel) == expected.inside
            seen[result.method] += 1
            ties += expected.tied
    print(f"{dict(seen)}, {ties} ties")
    assert set(seen) == methods
    asked = sum(many.values())
    assert seen["no_candidates"] + seen["out_of_range"] < 0.4 * asked
    assert min(seen.values()) > 0.01 * asked
    assert ties > 0.05 * asked


def test_many_requests_answer_as_one_by_one() -> None:
    random = np.random.default_rng(7)
    table = crowded.table(random, 500)
    requests: list[Request] = []
    for _ in range(20):
        place_one, pick_one = crowded.place_request(random), crowded.pick_request(random)
        for x_m in (-0.18, -0.17, -0.16):
            requests.append(PlaceRequest(x_m, place_one.z_m, place_one.bounds, place_one.without))
            requests.append(PickRequest(x_m, pick_one.z_m, pick_one.bounds, pick_one.without))
    assert lookup_many(table, requests) == [lookup(table, request) for request in requests]


def test_the_same_bounds_in_both_modes_are_two_different_questions() -> None:
    table = Table.from_points(
        [[-0.17, 0.02, 0.19, *crowded.REFERENCE], [-0.17, 0.10, 0.20, *crowded.REFERENCE]]
    )
    found = lookup_many(table, [PlaceRequest(-0.17, 0.19), PickRequest(-0.17, 0.19)])
    assert [result.fk_row for result in found] == [1, 0]


@given(st.integers(0, 2**32), st.booleans())
def test_the_order_of_rows_decides_nothing_but_ties(seed: int, placing: bool) -> None:
    random = np.random.default_rng(seed)
    points = crowded.points(random, 60)
    request = crowded.place_request(random) if placing else crowded.pick_request(random)
    order = random.permutation(60)
    straight, shuffled = (
        lookup(Table.from_points(points), request),
        lookup(Table.from_points(points[order]), request),
    )
    assert (straight.method, straight.score) == (shuffled.method, shuffled.score)
    # With their numbers kept, rows may come in any order, ties or not.
    assert lookup(Table.from_points(points[order], order), request) == straight


@given(st.integers(0, 2**32), st.booleans())
def test_more_rows_never_raise_the_smallest_score_of_a_standing(seed: int, placing: bool) -> None:
    random = np.random.default_rng(seed)
    points = crowded.points(random, 80)
    request = crowded.place_request(random) if placing else crowded.pick_request(random)
    before, after = (
        lookup(Table.from_points(points[:40]), request),
        lookup(Table.from_points(points), request),
    )
    if before.score is not None and after.method == before.method:
        assert after.score is not None and after.score <= before.score


def test_a_tie_goes_to_the_smaller_row() -> None:
    pose = (-35.0, 70.0, 25.0, 0.0, -85.0, -30.0)
    table = Table.from_points(
        [[0.142, 0.02, 0.2, *pose], [0.142, 0.02, 0.2, *pose], [0.142, 0.03, 0.2, *pose]], [9, 7, 5]
    )
    assert pick(table, 0.140, 0.200).fk_row == 5


def test_farther_than_the_guard_is_out_of_range_and_names_the_row() -> None:
    table = Table.from_points([[-0.17, 0.1, 0.2, *crowded.REFERENCE]])
    assert place(table, -0.17, 0.17).found  # 30 mm, not farther
    beyond = place(table, -0.17, 0.1699)
    assert (beyond.method, beyond.fk_row, beyond.xz_distance_m) == ("out_of_range", None, None)
    assert beyond.beyond_guard == (0, pytest.approx(0.0301))
    assert beyond.as_json()["xz_distance_m"] is None and not beyond.sendable


def test_no_safe_row_is_an_answer_but_not_sendable() -> None:
    pose = (36.215, 57.0, 20.0, -12.0, -91.0, -30.0)
    found = place(Table.from_points([[-0.17, 0.1, 0.19, *pose]]), -0.17, 0.19)
    assert found.method == "fk_j4_priority_j4safe_absent"
    assert found.fk_row == 0 and not found.sendable
    assert found.why_not_sendable == "no candidate has its j4 in the safe range"


def test_the_height_target_is_in_force_without_a_remembered_height() -> None:
    low, level = [-0.17, 0.086, 0.19, *crowded.REFERENCE], [-0.17, 0.1, 0.195, *crowded.REFERENCE]
    found = place(Table.from_points([low, level]), -0.17, 0.19, ee_y_tol_m=0.005)
    assert (found.fk_row, found.method) == (1, "fk_j4_priority_j4safe_pref")


def test_the_result_describes_the_selected_row() -> None:
    pose = (34.0, 60.0, 20.0, -2.0, -86.0, -30.0)
    found = place(Table.from_points([[-0.173, 0.1, 0.194, *pose]], [41], version=3), -0.17, 0.19)
    assert found.x_residual_m == pytest.approx(0.003)
    assert found.z_residual_m == pytest.approx(0.004)
    assert found.xz_distance_m == pytest.approx(0.005)
    assert found.score == pytest.approx(0.005 + 3 * 0.002)
    assert found.max_dj_deg == pytest.approx(10.0)
    assert found.as_json() == {
        "fk_row": 41,
        "pose_id": "fk_row_41",
        "joints_deg": list(pose),
        "point_m": [-0.173, 0.1, 0.194],
        "method": "fk_j4_priority_j4safe_pref",
        "x_residual_m": found.x_residual_m,
        "z_residual_m": found.z_residual_m,
        "xz_distance_m": found.xz_distance_m,
        "score": found.score,
        "ee_y_m_selected": 0.1,
        "max_dj_deg": found.max_dj_deg,
        "sendable": True,
        "table_version": 3,
    }


def test_pick_without_a_reference_has_no_joint_change() -> None:
    table = Table.from_points([[0.14, 0.02, 0.2, -35, 70, 25, 0, -85, -30]])
    assert pick(table, 0.14, 0.2).max_dj_deg is None
    assert pick(table, 0.14, 0.2, ref_joints=[-35, 70, 25, 0, -80, -30]).max_dj_deg == 5.0


def test_settings_bounds_are_the_defaults_of_a_request() -> None:
    assert PlaceRequest(0.1, 0.2) == PlaceRequest.from_settings(PlaceLookup(), 0.1, 0.2)
    assert PickRequest(0.1, 0.2) == PickRequest.from_settings(PickLookup(), 0.1, 0.2)
