"""Where a thing stands by many looks, and how far pictures lie apart."""

from __future__ import annotations

import numpy as np
import pytest

from lib.place.sight import Sight, Spread
from lib.place.standing import Standing


def sight(x: float, z: float, sigma_m: float) -> Sight:
    return Sight("box", (x, 0.0, z), (sigma_m,) * 3, 0.0, 0.0, 0.99, "markers", 3, ("left", "right"))


def test_many_looks_at_a_standing_box_average_out_and_a_moved_box_starts_anew() -> None:
    random, standing = np.random.default_rng(0), Standing()
    for _ in range(12):
        x, z = np.array([-0.18, 0.20]) + 0.001 * random.standard_normal(2)
        known = standing.seen(sight(float(x), float(z), 0.001))
        assert not standing.moved
    assert np.hypot(known.place_m[0] + 0.18, known.place_m[2] - 0.20) < 0.0008
    assert known.sigma_m[0] < 0.0004
    moved = standing.seen(sight(-0.20, 0.18, 0.001))
    assert standing.moved
    assert moved.x_z_m == (-0.20, 0.18)


def test_the_spread_of_pictures_is_learned_where_it_is_more_than_the_corners_say() -> None:
    random, spread = np.random.default_rng(1), Spread()
    by_corners = np.full(3, 0.0001**2)
    assert np.sqrt(spread.variances_m2(by_corners)) == pytest.approx(0.0001)
    for _ in range(100):
        spread.learn(list(0.0015 * random.standard_normal((3, 3))))
    assert np.sqrt(spread.variances_m2(by_corners)) == pytest.approx(0.0015, rel=0.15)
