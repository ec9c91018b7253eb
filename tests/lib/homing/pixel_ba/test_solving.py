"""Joint values come from the pixels alone, from anywhere, and as sure as they say."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.homing.pixel_ba import PixelSolution, sightings_of, solve_pixels
from lib.robot import Machine, load_machine
from tests.lib.homing.scenes import Conditions, Scene, scene

MACHINE = load_machine("rail7")


def solved(one: Scene, seed: dict[int, float] | None = None) -> PixelSolution:
    return solve_pixels(MACHINE, one.cameras, sightings_of(MACHINE, one.cameras, one.views), seed)


def error(machine: Machine, one: Scene, solution: PixelSolution) -> np.ndarray:
    """Return the error in degrees and millimetres, NaN where no seen link depends on the variable."""
    off = solution.values - one.values
    shown = np.array([v.shown_per_internal for v in machine.variables])
    turn = np.array([360.0 if v.kind == "revolute" else np.inf for v in machine.variables])
    off = off * shown
    off -= np.where(np.isfinite(turn), np.round(off / turn) * 360.0, 0.0)
    seen = {k for block in solution.blocks for k in block.variables}
    off[[k for k in range(len(off)) if k not in seen]] = np.nan
    return np.asarray(off)


def test_without_noise_the_values_are_exact() -> None:
    one = scene(MACHINE, 1, Conditions(noise_px=0.0, dropped=0.0))
    assert np.abs(error(MACHINE, one, solved(one))).max() < 1e-6


@pytest.mark.parametrize(
    "conditions",
    [
        Conditions(),
        Conditions(distortion=(-0.1, 0.05, 1e-3, -5e-4, 0.01)),
        Conditions(outlier_corners=0.05, false_markers=0.05),
        Conditions(outlier_corners=0.15, false_markers=0.15),
        Conditions(dropped=0.4),
    ],
    ids=["published", "bent lenses", "5 % gross", "15 % gross", "40 % dropped"],
)
def test_cold_starts_find_the_pose(conditions: Conditions) -> None:
    for seed in range(15):
        one = scene(MACHINE, seed, conditions)
        solution = solved(one)
        off = error(MACHINE, one, solution)
        deviations = np.sqrt(np.diag(solution.covariance)) * [1e3, *[np.degrees(1.0)] * 6]
        assert np.nanmax(np.abs(off[1:])) < 1.5, f"scene {seed}"
        assert np.abs(off[0]) < 1.0, f"scene {seed}"
        assert np.nanmax(np.abs(off / deviations)) < 5, f"scene {seed}"


@pytest.mark.parametrize("away_deg", [0.0, 5.0, 40.0])
def test_any_seed_leads_to_the_same_answer(away_deg: float) -> None:
    for seed in range(6):
        one = scene(MACHINE, seed)
        cold = solved(one)
        signs = np.random.default_rng(seed).choice([-1, 1], 7)
        seeded = one.values + signs * np.radians(away_deg) * np.array([0.1, *[1] * 6])
        warm = solved(one, dict(enumerate(seeded)))
        np.testing.assert_allclose(warm.values, cold.values, atol=1e-6)


def test_a_part_of_a_seed_leads_to_the_same_answer() -> None:
    one = scene(MACHINE, 3)
    cold = solved(one)
    for part in (
        {0: one.values[0]},
        {0: one.values[0], 1: one.values[1]},
        {4: 0.0},
        {6: 0.1, 2: one.values[2]},
    ):
        np.testing.assert_allclose(solved(one, part).values, cold.values, atol=1e-6)


def test_a_seed_a_turn_away_is_the_same_seed() -> None:
    one = scene(MACHINE, 4)
    turns = np.array([0, 1, -1, 1, 0, -2, 0])
    turned = dict(enumerate(one.values + 2 * np.pi * turns))
    np.testing.assert_allclose(solved(one, turned).values, solved(one).values, atol=1e-6)


def test_a_tip_nobody_sees_leaves_the_rest_right() -> None:
    one = scene(MACHINE, 5)
    fingers = [m.id for link in MACHINE.links if "Finger" in link.name for m in link.markers]
    hidden = one.views.rows(~np.isin(one.views.marker, fingers))
    solution = solve_pixels(MACHINE, one.cameras, sightings_of(MACHINE, one.cameras, hidden))
    off = error(MACHINE, one, solution)
    assert np.isnan(off[4:]).all()
    assert np.abs(off[:4]).max() < 0.5
    assert np.sqrt(np.diag(solution.covariance))[4:].min() > np.radians(90)


def without_corners(machine: Machine) -> Machine:
    """Return the machine as a file without corners_mm describes it."""
    bare = [
        replace(link, markers=tuple(replace(m, corners_m=None) for m in link.markers))
        for link in machine.links
    ]
    return replace(machine, links=tuple(bare))


def test_markers_without_known_corners_count_by_their_centres() -> None:
    bare = without_corners(MACHINE)
    for seed in range(6):
        one = scene(MACHINE, seed, Conditions(dropped=0.0, distortion=(-0.1, 0.05, 1e-3, -5e-4, 0.01)))
        solution = solve_pixels(bare, one.cameras, sightings_of(bare, one.cameras, one.views))
        off = error(MACHINE, one, solution)
        deviations = np.sqrt(np.diag(solution.covariance)) * [1e3, *[np.degrees(1.0)] * 6]
        assert np.abs(off / deviations).max() < 5, f"scene {seed}"
        assert np.abs(off).max() < 2.5, f"scene {seed}"


def test_centres_are_exact_where_the_square_is_seen_askew() -> None:
    one = scene(MACHINE, 3, Conditions(noise_px=0.0, dropped=0.0))
    bare = without_corners(MACHINE)
    solution = solve_pixels(bare, one.cameras, sightings_of(bare, one.cameras, one.views))
    assert np.abs(error(MACHINE, one, solution)).max() < 1e-5
