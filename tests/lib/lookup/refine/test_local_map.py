"""The local map: exact on what it can express, honest about what it was not told."""

from __future__ import annotations

import numpy as np
import pytest

from lib.lookup import Table
from lib.lookup.refine.local_map import LocalMap, fit_local_map
from lib.lookup.refine.measured import measured_near, stated_error
from tests.lib.lookup.refine.twin_table import REFERENCE, family_points

CENTRE = np.array(REFERENCE)


def scattered(rows: int, spread_deg: float = 7.0, seed: int = 0) -> np.ndarray:
    """Poses (rows, 6) around the reference, j5 as it is."""
    shifts = np.random.default_rng(seed).uniform(-spread_deg, spread_deg, size=(rows, 6))
    return np.round(CENTRE + shifts * [1, 1, 1, 1, 1, 0], 4)


def polynomial(joints: np.ndarray, degree: int) -> np.ndarray:
    """A smooth tip (n, 3), about as curved as an arm's."""
    u = np.radians(joints - CENTRE)
    first = np.array([[0.2, 0.1, 0.05, -0.1, 0.1, 0.3]] * 3) * [[1], [-0.5], [0.7]]
    tips = np.array([-0.17, 0.1, 0.19]) + u @ first.T
    if degree == 2:
        tips = tips + 0.1 * np.column_stack([u[:, 0] * u[:, 1], u[:, 2] ** 2, u[:, 3] * u[:, 4]])
    return np.asarray(tips)


def fitted(tips: np.ndarray, joints: np.ndarray) -> LocalMap:
    found = fit_local_map(Table.from_points(np.hstack([tips, joints])), CENTRE)
    assert isinstance(found, LocalMap), found
    return found


def test_a_quadratic_is_found_exactly_and_predicts_beside_the_rows() -> None:
    joints = scattered(300)
    found = fitted(polynomial(joints, 2), joints)
    assert found.method == "local_quadratic" and found.varied.tolist() == [0, 1, 2, 3, 4]
    assert found.errors_m.max() < 1e-12
    elsewhere = scattered(20, seed=1)
    assert found.tips(elsewhere) == pytest.approx(polynomial(elsewhere, 2), abs=1e-12)


def test_few_rows_make_a_linear_map_and_fewer_none() -> None:
    joints = scattered(20)
    found = fitted(polynomial(joints, 1), joints)
    assert found.method == "local_linear" and found.errors_m.max() < 1e-12
    few = scattered(9)
    refused = fit_local_map(Table.from_points(np.hstack([polynomial(few, 1), few])), CENTRE)
    assert refused == "9 measured poses within 10.1 deg are too few or too alike for a local map"
    nothing = fit_local_map(Table.from_points(np.hstack([polynomial(few, 1), few + 40])), CENTRE)
    assert isinstance(nothing, str) and nothing.startswith("0 measured poses")


def test_leaving_a_row_out_is_what_a_second_fit_without_it_says() -> None:
    random = np.random.default_rng(4)
    joints = scattered(90)
    tips = polynomial(joints, 2) + random.normal(0, 1e-4, size=(90, 3))
    whole = fitted(tips, joints)
    for k in range(0, 90, 9):
        pose = whole.measured.joints_deg[k]
        kept = ~(joints == pose).all(axis=1)
        without = fitted(tips[kept], joints[kept])
        expected = np.linalg.norm(without.tips(pose[None])[0] - tips[~kept][0])
        assert whole.errors_m[k] == pytest.approx(expected, rel=1e-6)


def test_noise_gives_an_error_of_its_own_size() -> None:
    joints = scattered(400)
    noisy = polynomial(joints, 2) + np.random.default_rng(2).normal(0, 1e-4, size=(400, 3))
    found = fitted(noisy, joints)
    error_m, neighbours = stated_error(found.measured, found.errors_m, CENTRE)
    # 95 % of three normal coordinates are within 2.8 sigma of their middle.
    assert neighbours == 48 and 2e-4 < error_m < 4.5e-4


def test_a_joint_with_two_values_is_not_moved() -> None:
    joints = scattered(300)
    joints[:, 2] = np.where(joints[:, 2] > 20, 25.0, 20.0)
    assert fitted(polynomial(joints, 2), joints).varied.tolist() == [0, 1, 3, 4]


def test_one_of_three_lattice_planes_of_another_tool_is_seen_by_how_it_bends() -> None:
    points = family_points()
    lattice = points[np.abs((points[:, 3:] - CENTRE + 2.5) % 5.0 - 2.5).max(axis=1) < 1e-3]
    clean = fit_local_map(Table.from_points(lattice), CENTRE)
    assert isinstance(clean, LocalMap) and clean.bend == pytest.approx(0.86, abs=0.1)
    moved = lattice.copy()
    moved[moved[:, 3] > 40, :3] += [0.012, 0.0, 0.016]
    assert fit_local_map(Table.from_points(moved), CENTRE) == (
        "the measured rows around it contradict each other: no arm bends as they do"
    )


def test_a_pose_measured_twice_counts_once_with_its_spread() -> None:
    joints = scattered(40)
    tips = polynomial(joints, 1)
    again = tips + np.array([0.0, 0.0, 0.010])
    table = Table.from_points(np.vstack([np.hstack([tips, joints]), np.hstack([again, joints])]))
    near = measured_near(table, CENTRE, 7.6)
    assert len(near) == 40
    assert near.spread_m == pytest.approx(0.005)
    assert near.points_m[:, 2].mean() == pytest.approx(tips[:, 2].mean() + 0.005)
    error_m, _ = stated_error(near, np.zeros(40), CENTRE)
    assert error_m == pytest.approx(0.005)


def test_the_rows_near_a_pose_are_those_a_mask_finds() -> None:
    points = family_points()
    table = Table.from_points(points)
    for width in (4.9, 2.6):
        expected = points[(np.abs(points[:, 3:] - CENTRE) <= width).all(axis=1)]
        found = measured_near(table, CENTRE, width)
        distinct = np.unique(np.round(expected[:, 3:], 4), axis=0)
        assert 1 < len(distinct) <= 400
        assert np.unique(found.joints_deg, axis=0).tolist() == distinct.tolist()


def test_many_rows_are_thinned_always_alike_whatever_their_order() -> None:
    joints = scattered(3_000)
    points = np.hstack([polynomial(joints, 2), joints])
    shuffled = np.random.default_rng(9).permutation(points)
    first, second = (measured_near(Table.from_points(p), CENTRE, 7.6) for p in (points, shuffled))
    assert len(first) == 400
    assert first.joints_deg.tolist() == second.joints_deg.tolist()
    assert np.ptp(first.joints_deg, axis=0)[:5].min() > 13.0
