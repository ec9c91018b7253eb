"""The search by the index answers as masks over the whole table do, for every one of many random questions.

The masks are in original.py and share nothing with the lookup but the request. Half of the rows and of the
questions lie on a coarse grid, so that bounds are hit exactly, keys tie, and filters step aside often; the
other half lie anywhere.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from lib.lookup import PickRequest, PlaceRequest, Request, Table, explain, family, lookup_many, nearest, zones
from lib.settings import PickLookup, PlaceLookup
from tests.lib.lookup import crowded
from tests.lib.lookup.original import select
from tests.lib.lookup.parts import table_of_segments

Ask = Callable[[np.random.Generator], Request]


def points(random: np.random.Generator, rows: int) -> np.ndarray:
    """Rows (rows, 9) of which half lie on the grid, a tenth of them twice, and half anywhere near it."""
    grid = crowded.points(random, rows)
    anywhere = grid + random.normal(0, 1, grid.shape) * ([0.003] * 3 + [2.0] * 5 + [0.0])
    mixed = np.where(random.random((rows, 1)) < 0.5, grid, np.round(anywhere, 6))
    again = random.integers(0, rows, rows // 20)
    mixed[random.permutation(rows)[: len(again)]] = mixed[again]
    return mixed


def place_request(random: np.random.Generator) -> Request:
    request = crowded.place_request(random)
    if random.random() < 0.5:
        return request
    assert isinstance(request.bounds, PlaceLookup)
    low_m = random.uniform(0.03, 0.10)
    bounds = replace(
        request.bounds,
        ee_y_band_m=(low_m, low_m + random.uniform(0.005, 0.05)),
        ee_y_floor_m=random.uniform(0.02, 0.09),
        j0_tol_deg=random.uniform(1.0, 15.0),
        j1_min_deg=random.uniform(42.0, 60.0),
        ref_tol_deg=random.uniform(6.0, 18.0),
        ee_y_tol_m=random.uniform(0.0001, 0.02),
        j4_safe_deg=(random.uniform(-95.0, -70.0), 60.0),
        w_j1_m_per_deg=random.uniform(0.0, 0.004),
        w_j2_m_per_deg=random.uniform(0.0, 0.002),
        w_j4_m_per_deg=random.uniform(0.0, 0.0004),
    )
    return PlaceRequest(random.uniform(-0.21, -0.13), random.uniform(0.15, 0.23), bounds, request.without)


def pick_request(random: np.random.Generator) -> Request:
    request = crowded.pick_request(random)
    if random.random() < 0.5:
        return request
    assert isinstance(request.bounds, PickLookup)
    low_m = random.uniform(0.0, 0.06)
    bounds = replace(
        request.bounds,
        ee_y_band_m=(low_m, low_m + random.uniform(0.002, 0.05)),
        j0_tol_deg=random.uniform(1.0, 15.0),
        ref_tol_deg=random.uniform(3.0, 18.0),
        j4_safe_deg=(random.uniform(-95.0, -68.0), 60.0),
    )
    return PickRequest(random.uniform(-0.21, -0.13), random.uniform(0.15, 0.23), bounds, request.without)


MODES = pytest.mark.parametrize("ask", [place_request, pick_request], ids=["place", "pick"])


@MODES
def test_hundreds_of_questions_answer_as_the_masks_do(ask: Ask) -> None:
    campaign(ask, seed=1, rows=6_000, questions=400)


@MODES
@pytest.mark.slow
def test_ten_thousand_questions_answer_as_the_masks_do(ask: Ask) -> None:
    campaign(ask, seed=2, rows=30_000, questions=10_000)


@MODES
def test_blocks_and_chunks_in_groups_rule_out_no_answer(ask: Ask, monkeypatch: pytest.MonkeyPatch) -> None:
    # So few rows make so few blocks that no group of them would ever be left out.
    monkeypatch.setattr(zones, "_GROUP", 3)
    monkeypatch.setattr(zones, "_GROUPED_FROM", 4)
    monkeypatch.setattr(nearest, "_FIRST_GROUPS", 2)
    monkeypatch.setattr(nearest, "_GROUPED_FROM", 4)
    monkeypatch.setattr(nearest, "_GROUP", 3)
    monkeypatch.setattr(family, "_FIRST_BLOCKS", 2)
    monkeypatch.setattr(family, "_FIRST_CHUNKS", 1)
    campaign(ask, seed=5, rows=8_000, questions=500)
    many_alike(ask, seed=6, rows=8_000)


def campaign(ask: Ask, seed: int, rows: int, questions: int) -> None:
    """Ask tables of one and of four segments; compare row, method, distance and funnel counts."""
    random = np.random.default_rng(seed)
    mix: Counter[str] = Counter()
    for segments in (1, 4):
        cells, numbers = points(random, rows), np.cumsum(random.integers(1, 4, rows))
        table = table_of_segments(cells, numbers, segments)
        requests = [ask(random) for _ in range(questions // 2)]
        for request, one_of_many in zip(requests, lookup_many(table, requests), strict=True):
            expected = select(cells, request)
            found, funnel = explain(table, request)
            assert found == one_of_many
            assert found.method == expected.method
            assert found.fk_row == (None if expected.row is None else numbers[expected.row])
            assert found.xz_distance_m == expected.distance_m
            assert tuple(entry.inside for entry in funnel) == expected.inside
            mix["found"] += found.found
            mix["fell back"] += found.found and ("tol_empty" in found.method or not found.sendable)
            mix["tied"] += expected.tied
            mix[found.method] += 1
    print(f"\n{ask.__name__}: {dict(mix)} of {questions:,}")
    assert mix["found"] >= 0.60 * questions
    assert mix["fell back"] >= 0.15 * questions
    assert mix["tied"] >= 0.05 * questions


@MODES
def test_many_targets_under_one_kind_of_question_answer_as_the_masks_do(ask: Ask) -> None:
    many_alike(ask, seed=4, rows=6_000)


def many_alike(ask: Ask, seed: int, rows: int) -> None:
    """Ask one kind of question for many targets; compare row and method."""
    random = np.random.default_rng(seed)
    cells, numbers = points(random, rows), np.arange(rows)
    table = table_of_segments(cells, numbers, 3)
    found = tied = 0
    for _ in range(12):
        kind = ask(random)
        # Enough for the rows to be gathered, which a single question never sees.
        requests = [replace(ask(random), bounds=kind.bounds, without=kind.without) for _ in range(60)]  # type: ignore[arg-type]
        for request, result in zip(requests, lookup_many(table, requests), strict=True):
            expected = select(cells, request)
            assert (result.method, result.fk_row) == (expected.method, expected.row)
            found += result.found
            tied += expected.tied
    assert found > 360 and tied > 60


@MODES
def test_rows_in_the_order_of_their_numbers_answer_the_same(ask: Ask) -> None:
    random = np.random.default_rng(3)
    cells, numbers = points(random, 3_000), np.arange(3_000)
    requests = [ask(random) for _ in range(300)]
    arranged = table_of_segments(cells, numbers, 3)
    assert sorted(arranged.fk_rows.tolist()) == numbers.tolist()
    assert lookup_many(arranged, requests) == lookup_many(Table.from_points(cells), requests)
