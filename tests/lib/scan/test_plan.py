"""Counting a planned scan: the published night's waste, exact counts, the fewest that still serve."""

from __future__ import annotations

import itertools
import math
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.scan import ScanRequest, count_poses, read_request, smallest_set

PUBLISHED = Path(__file__).parents[3] / "lib" / "cell" / "requests" / "place-low-z.csv"


def as_set(poses: np.ndarray) -> set[tuple[float, ...]]:
    return set(map(tuple, poses.tolist()))


def test_the_published_four_bases_scan_26_411_poses_67_228_times() -> None:
    counts = count_poses(read_request(PUBLISHED), np.empty((0, 6)))
    assert (counts.bases, counts.poses, counts.distinct) == (4, 67_228, 26_411)
    assert (counts.repeated, counts.known, counts.new) == (40_817, 0, 26_411)


def test_what_the_table_has_is_counted_exactly_on_stored_values() -> None:
    request = read_request(PUBLISHED)
    base = ScanRequest(np.array([[31.215, 57.0, 20.0, -17.0, -86.0, -30.0]]), exact=False).poses()
    near_miss = base[:500] + 1e-4
    table = np.vstack([base[::3], base[:50], near_miss])
    counts = count_poses(request, table)
    assert counts.known == len(as_set(request.poses()) & as_set(table))
    assert counts.known == 5_603 + 33 and counts.new == 26_411 - counts.known


@given(st.integers(0, 2**32))
def test_counts_are_those_of_sets(seed: int) -> None:
    random = np.random.default_rng(seed)
    poses, table = (np.round(random.integers(-1, 2, size=(n, 6)) * 5.0, 4) for n in (60, 90))
    counts = count_poses(ScanRequest(poses, exact=True), table)
    assert counts.distinct == len(as_set(poses + 0.0))
    assert counts.known == len(as_set(poses + 0.0) & as_set(table + 0.0))


def test_nothing_planned_is_nothing_to_count() -> None:
    counts = count_poses(ScanRequest(np.empty((0, 6)), exact=True), np.zeros((3, 6)))
    assert (counts.poses, counts.distinct, counts.known) == (0, 0, 0)


@given(st.integers(0, 2**32), st.integers(0, 6), st.integers(1, 7))
def test_a_greedy_cover_covers_all_and_is_near_the_smallest(seed: int, sets: int, items: int) -> None:
    covers = np.random.default_rng(seed).random((sets, items)) < 0.35
    chosen = smallest_set(sets, lambda some: int(covers[list(some)].any(axis=0).sum()))
    assert covers[chosen].any(axis=0).sum() == covers.any(axis=0).sum()
    wanted = covers.any(axis=0)
    smallest = next(
        n for n in range(sets + 1)
        if any((covers[list(c)].any(axis=0) == wanted).all() for c in itertools.combinations(range(sets), n))
    )  # fmt: skip
    assert smallest <= len(chosen) <= max(1, math.ceil(smallest * (1 + math.log(items))))
    for dropped in chosen:
        rest = [k for k in chosen if k != dropped]
        assert (covers[rest].any(axis=0) != wanted).any()


def test_a_candidate_that_the_later_ones_make_needless_is_dropped() -> None:
    covers = np.array([[1, 1, 1, 1, 0, 0], [1, 1, 0, 0, 1, 0], [0, 0, 1, 1, 0, 1]], dtype=bool)
    assert smallest_set(3, lambda some: int(covers[list(some)].any(axis=0).sum())) == [1, 2]


def test_candidates_that_spoil_each_other_are_not_added() -> None:
    served = {(): 0, (0,): 2, (1,): 2, (0, 1): 1, (1, 0): 1}
    assert smallest_set(2, lambda some: served[tuple(some)]) == [0]


@pytest.mark.parametrize("exact", [True, False])
def test_a_request_counts_its_bases_and_its_rows(exact: bool) -> None:
    bases = np.array([[36.215, 57.0, 20.0, -12.0, -86.0, -30.0], [0.0, 1.0, 2.0, 3.0, 4.0, 5.0]])
    counts = count_poses(ScanRequest(bases, exact), bases)
    assert (counts.bases, counts.poses, counts.known) == (2, 2 if exact else 33_614, 2)
