"""Tables and questions that meet often: coarse grids, so that bounds are hit exactly and ties abound."""

from __future__ import annotations

from typing import Any

import numpy as np

from lib.lookup import PickRequest, PlaceRequest, Table
from lib.settings import PickLookup, PlaceLookup

REFERENCE = (36.215, 57.0, 20.0, -12.0, -86.0, -30.0)


def points(random: np.random.Generator, rows: int) -> np.ndarray:
    """Rows on a 5 mm and 5 degree grid around the PLACE family, of shape (rows, 9); half of them twice."""
    x = random.integers(-42, -25, rows) * 0.005
    y = random.integers(0, 25, rows) * 0.005
    z = random.integers(30, 46, rows) * 0.005
    joints = np.array(REFERENCE) + 5.0 * random.integers(-2, 3, (rows, 6)) * (1, 1, 1, 1, 1, 0)
    # What a twin writes of 36.215 - 5, not what a subtraction leaves.
    grid = np.column_stack([x, y, z, np.round(joints, 4)])
    once = grid[rows // 2 :]
    return random.permutation(np.concatenate([once, once])[:rows])


def table(random: np.random.Generator, rows: int) -> Table:
    """A table of such rows whose numbers have gaps."""
    return Table.from_points(points(random, rows), np.cumsum(random.integers(1, 4, rows)))


def place_request(random: np.random.Generator) -> PlaceRequest:
    """A PLACE question with bounds that the grid's values often meet exactly."""
    low = _one_of(random, 0.0, 0.05, 0.085, 0.085, 0.1)
    bounds = PlaceLookup(
        ref_joints=REFERENCE,
        ee_y_band_m=(low, low + _one_of(random, 0.005, 0.03, 0.03, 0.1)),
        ee_y_floor_m=_one_of(random, 0.0, 0.085),
        j0_ref_deg=_one_of(random, None, None, 31.215, 41.215),
        j0_tol_deg=_one_of(random, 3.0, 5.0, 8.0, 15.0),
        j1_min_deg=_one_of(random, 42.0, 55.0, 57.0),
        ref_tol_deg=_one_of(random, 5.0, 10.0, 15.0, 15.0),
        ee_y_target_m=_one_of(random, None, None, 0.1, 0.112, 0.3),
        ee_y_tol_m=_one_of(random, 0.0, 0.005, 0.015),
        j4_safe_deg=(_one_of(random, -90.0, -86.0, -86.0, -70.0), 60.0),
        w_j1_m_per_deg=_one_of(random, 0.0, 0.002, 0.3),
        w_j2_m_per_deg=_one_of(random, 0.0, 0.001, 0.1),
        w_j4_m_per_deg=_one_of(random, 0.0, 0.0002, 0.02),
        guard_m=_one_of(random, 0.010, 0.030, 0.060, 0.060),
    )
    return PlaceRequest(*_target(random), bounds, _left_out(random, ("ee_y_band", "j0_lock", "ee_y_target")))


def pick_request(random: np.random.Generator) -> PickRequest:
    """A PICK question, with and without a reference."""
    low = _one_of(random, 0.0, 0.01, 0.04)
    bounds = PickLookup(
        ref_joints=REFERENCE if random.random() < 0.5 else None,
        ee_y_band_m=(low, low + _one_of(random, 0.004, 0.03)),
        j0_ref_deg=_one_of(random, None, 31.215, 36.215),
        j0_tol_deg=_one_of(random, 3.0, 5.0, 15.0),
        ref_tol_deg=_one_of(random, 5.0, 15.0),
        j4_safe_deg=(_one_of(random, -90.0, -86.0, -86.0, -70.0), 60.0),
        guard_m=_one_of(random, 0.010, 0.030, 0.060, 0.060),
    )
    return PickRequest(*_target(random), bounds, _left_out(random, ("ee_y_band", "j0_lock")))


def _one_of(random: np.random.Generator, *values: Any) -> Any:
    return values[random.integers(len(values))]


def _target(random: np.random.Generator) -> tuple[float, float]:
    """Often on the grid or half way between its rows, where distances tie; sometimes far away."""
    if random.random() < 0.05:
        return 0.5, 0.5
    return float(random.integers(-84, -50) * 0.0025), float(random.integers(60, 92) * 0.0025)


def _left_out(random: np.random.Generator, names: tuple[str, ...]) -> frozenset[str]:
    return frozenset(name for name in names if random.random() < 0.1)
