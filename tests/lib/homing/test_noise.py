"""The noise all corners share is found beside what each view's size leaves."""

from __future__ import annotations

import numpy as np
import pytest

from lib.homing.noise import Noise, noise_of_best, trusted_corners


def residuals(shared_px: float, floor_px: np.ndarray, seed: int = 0) -> np.ndarray:
    random = np.random.default_rng(seed)
    spread = np.sqrt(shared_px**2 + floor_px**2)[:, None, None]
    return np.asarray(spread * random.normal(size=(len(floor_px), 4, 2)))


@pytest.mark.parametrize("shared_px", [0.05, 0.3, 1.5])
@pytest.mark.parametrize("floors", [(0.0, 0.0), (0.03, 0.6)])
def test_the_shared_part_is_found(shared_px: float, floors: tuple[float, float]) -> None:
    floor_px = np.tile(floors, 500)
    off = residuals(shared_px, floor_px)
    found = Noise().after(off, np.ones(off.shape[:2], dtype=bool), floor_px, 0)
    assert found.px == pytest.approx(shared_px, rel=0.05)
    assert found.spare == 2 + 8000


def test_unknowns_of_the_fit_are_taken_off() -> None:
    floor_px = np.zeros(10)
    off = residuals(0.3, floor_px)
    trusted = np.ones((10, 4), dtype=bool)
    rms = np.sqrt((off**2).mean())
    assert Noise(0.3, 0).after(off, trusted, floor_px, 20).px == pytest.approx(
        rms * np.sqrt(80 / 60), rel=1e-6
    )


def test_without_corners_the_guess_stands() -> None:
    none = np.zeros((0, 4, 2))
    assert Noise().after(none, np.zeros((0, 4), dtype=bool), np.zeros(0), 6).px == pytest.approx(0.3)


def test_a_view_counts_by_its_own_variance() -> None:
    np.testing.assert_allclose(Noise(0.3).weights(np.array([0.0, 0.3, 0.4])), [1.0, 0.5, 0.36])


def test_the_best_quarter_tells_the_noise_however_bad_the_worst_half_is() -> None:
    off = residuals(0.3, np.zeros(400))
    assert noise_of_best(off) == pytest.approx(0.3, rel=0.05)
    off[200:] += 30
    assert 0.3 < noise_of_best(off) < 0.6


def test_a_marker_of_which_one_corner_is_near_is_not_trusted() -> None:
    off = np.zeros((3, 4, 2))
    off[0, 1:] = 10
    off[1, 2:] = 10
    off[2] = 1.9
    trusted = trusted_corners(off, 0.3, np.array([0.0, 0.0, 0.5]))
    assert trusted.tolist() == [[False] * 4, [True, True, False, False], [True] * 4]
