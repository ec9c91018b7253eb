"""The simulated scan: the published counts, the chain's tips, jitter that is never visible and never zero."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays

import lib.cell
from lib.cell import simulate_scan
from lib.cell.twin_scan import JITTER_PROBABILITY, jitter_repeats, mark_repeats, shortest_decimals
from lib.robot import Robot, load_robot, tip_points
from lib.scan import ScanRequest, read_request

PUBLISHED = Path(lib.cell.__file__).parent / "requests" / "place-low-z.csv"


def mecharm270() -> Robot:
    robot = load_robot("mecharm270")
    assert robot is not None
    return robot


@pytest.fixture(scope="module")
def published() -> tuple[ScanRequest, np.ndarray]:
    request = read_request(PUBLISHED)
    return request, simulate_scan(mecharm270(), request, seed=0)


def test_four_published_bases_give_67228_rows_of_26411_poses(
    published: tuple[ScanRequest, np.ndarray],
) -> None:
    request, points = published
    assert points.shape == (67_228, 9)
    assert len(np.unique(points[:, 3:], axis=0)) == 26_411
    assert np.array_equal(points[:, 3:], request.poses())


def test_exact_repeats_are_as_many_as_published_within_four_deviations(
    published: tuple[ScanRequest, np.ndarray],
) -> None:
    _, points = published
    exact = len(points) - len(np.unique(points, axis=0))
    # Binomial: 40,817 repeats, each exact with the published share; a few equal each other by chance.
    deviation = np.sqrt(40_817 * 0.461 * 0.539)
    assert abs(exact - 21_998) < 4 * deviation


def test_the_first_measurement_of_a_pose_is_the_chains_in_float32(
    published: tuple[ScanRequest, np.ndarray],
) -> None:
    request, points = published
    _, first = np.unique(points[:, 3:], axis=0, return_index=True)
    tips = tip_points(mecharm270(), points[first, 3:]).astype(np.float32)
    assert np.array_equal(points[first, :3].astype(np.float32), tips)
    assert not mark_repeats(request)[first].any()


def test_only_repeats_are_jittered_and_by_less_than_a_micrometre(
    published: tuple[ScanRequest, np.ndarray],
) -> None:
    request, points = published
    exact_tips = tip_points(mecharm270(), points[:, 3:]).astype(np.float32)
    change = np.abs(points[:, :3].astype(np.float32).astype(float) - exact_tips.astype(float)).max(axis=1)
    assert not change[~mark_repeats(request)].any()
    assert change.max() < 1e-6


@given(arrays(np.float32, (50, 3), elements=st.floats(-2.0, 2.0, width=32)), st.integers(0, 2**32))
def test_a_jittered_tip_is_never_the_same_tip(tips: np.ndarray, seed: int) -> None:
    repeated = np.arange(50) % 3 > 0
    before = tips.copy()
    jitter_repeats(tips, repeated, np.random.default_rng(seed))
    chosen = repeated & (np.random.default_rng(seed).random(50) < JITTER_PROBABILITY)
    assert np.array_equal((tips != before).any(axis=1), chosen)


def test_31_215_plus_5_and_36_215_are_one_stored_angle(published: tuple[ScanRequest, np.ndarray]) -> None:
    _, points = published
    assert np.unique(points[:, 3]).tolist() == [float(f"{whole}.215") for whole in range(16, 52, 5)]


def test_seed_and_request_decide_every_bit() -> None:
    request = read_request(PUBLISHED)
    again = [simulate_scan(mecharm270(), request, seed) for seed in (0, 0, 1)]
    assert np.array_equal(again[0], again[1])
    assert not np.array_equal(again[0], again[2])
    # Another seed jitters other repeats; what is measured first stays the same.
    first = ~mark_repeats(request)
    assert np.array_equal(again[0][first], again[2][first])


def test_exact_poses_are_measured_one_row_each() -> None:
    poses = np.array([[36.215, 57, 25, -7, -86, -30], [0, 0, 0, 0, 0, 0], [36.215, 57, 25, -7, -86, -30]])
    points = simulate_scan(mecharm270(), ScanRequest(poses, exact=True), seed=3)
    assert np.array_equal(points[:, 3:], poses)
    assert points[:2, :3] == pytest.approx(tip_points(mecharm270(), poses[:2]), abs=3e-8)


@given(st.floats(width=32, allow_nan=False, allow_infinity=False))
def test_shortest_decimals_read_back_as_the_float32(value: float) -> None:
    found = float(shortest_decimals(np.array([value], dtype=np.float32))[0])
    assert np.float32(found) == np.float32(value)
    assert str(found) != "-0.0"


@given(st.floats(2.0**-20, 2.0**20, width=32), st.booleans())
def test_shortest_decimals_are_those_that_numpy_prints(value: float, negative: bool) -> None:
    single = np.float32(-value if negative else value)
    printed = np.format_float_positional(single, unique=True)
    assert float(shortest_decimals(np.array([single]))[0]) == float(printed)
