"""What a memory learns: against the closed form, a bumped camera, a bad measurement, a new table."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lib.place import Measured, Memory, cell_of, learn, new_memory, under
from lib.settings_place import MemoryRules

RULES = MemoryRules()
STILL = MemoryRules(drift_sigma_m=0.0)
CELL = cell_of(-0.180, 0.200)


def fresh() -> Memory:
    return new_memory(CELL, RULES, table_version=2, calibration="h1")


def seen(*offset_m: float, sigma_m: float = 0.0015, confidence: float = 0.97) -> Measured:
    x, y, z = offset_m
    return Measured((x, y, z), (sigma_m,) * 3, confidence)


def test_without_drift_it_is_the_weighted_mean_of_prior_and_measurements() -> None:
    offsets = np.random.default_rng(1).normal((0.004, -0.002, 0.003), 0.0015, (9, 3))
    memory = fresh()
    for offset in offsets:
        memory = learn(memory, seen(*offset), STILL)
    weight = 1 / 0.0015**2
    precision = 1 / STILL.prior_sigma_m**2 + 9 * weight
    assert memory.bias_m == pytest.approx(weight * offsets.sum(axis=0) / precision, abs=1e-12)
    assert memory.sigma_m == pytest.approx([precision**-0.5] * 3, rel=1e-9)
    assert memory.placements == 9


def test_one_outlier_moves_nothing_and_a_second_one_reopens_the_cell() -> None:
    memory = fresh()
    for _ in range(8):
        memory = learn(memory, seen(0.004, 0.0, 0.002), RULES)
    bumped = seen(0.019, 0.0, 0.002)  # the camera was moved by 15 mm
    first = learn(memory, bumped, RULES)
    assert (first.bias_m, first.outliers, first.placements) == (memory.bias_m, 1, 8)
    assert "outlier" in first.reason
    second = learn(first, bumped, RULES)
    assert "reopened: 2 outliers" in second.reason
    assert second.bias_m == pytest.approx((0.019, 0.0, 0.002), abs=1e-3)
    assert second.outliers == 0


def test_a_single_outlier_between_good_ones_is_forgotten() -> None:
    memory = fresh()
    for _ in range(5):
        memory = learn(memory, seen(0.004, 0.0, 0.0), RULES)
    for _ in range(4):
        memory = learn(memory, seen(0.030, 0.0, 0.0), RULES)
        assert memory.outliers == 1
        memory = learn(memory, seen(0.004, 0.0, 0.0), RULES)
        assert memory.outliers == 0
    assert memory.bias_m[0] == pytest.approx(0.004, abs=3e-4)


def test_a_measurement_of_low_confidence_moves_nothing_and_counts_as_no_outlier() -> None:
    memory = learn(fresh(), seen(0.004, 0.0, 0.002), RULES)
    after = learn(memory, seen(0.030, 0.0, 0.0, confidence=0.2), RULES)
    assert (after.bias_m, after.covariance_m2, after.outliers) == (
        memory.bias_m,
        memory.covariance_m2,
        memory.outliers,
    )
    assert after.revision == memory.revision + 1
    assert "confidence 0.20" in after.reason


@pytest.mark.parametrize(
    ("table_version", "calibration", "added_m", "cause"),
    [
        (3, "h1", RULES.table_change_sigma_m, "table 2 -> 3"),
        (2, "h2", RULES.homing_change_sigma_m, "calibration h1 -> h2"),
    ],
)
def test_another_table_or_homing_makes_it_less_sure_of_the_same_bias(
    table_version: int, calibration: str, added_m: float, cause: str
) -> None:
    memory = fresh()
    for _ in range(5):
        memory = learn(memory, seen(0.004, 0.001, 0.002), RULES)
    after = under(memory, RULES, table_version, calibration)
    assert after.bias_m == memory.bias_m
    assert after.reason == cause
    assert np.square(after.sigma_m) - np.square(memory.sigma_m) == pytest.approx(added_m**2, rel=1e-9)
    assert under(after, RULES, table_version, calibration) is after


@given(st.lists(st.tuples(*[st.floats(-0.2, 0.2)] * 3, st.floats(1e-5, 0.02), st.floats(0, 1)), max_size=30))
def test_whatever_is_measured_the_memory_stays_bounded_and_its_covariance_proper(
    story: list[tuple[float, float, float, float, float]],
) -> None:
    memory = fresh()
    for x, y, z, sigma_m, confidence in story:
        before = memory
        memory = learn(memory, seen(x, y, z, sigma_m=sigma_m, confidence=confidence), RULES)
        assert max(np.abs(memory.bias_m)) <= RULES.largest_m
        assert np.linalg.eigvalsh(np.asarray(memory.covariance_m2)).min() > 0
        assert max(memory.sigma_m) <= 2 * RULES.prior_sigma_m * 1.0001
        assert memory.revision == before.revision + 1


def test_a_bias_beyond_the_bound_is_held_there_and_said() -> None:
    memory = learn(fresh(), seen(0.2, 0.0, 0.0), RULES)
    memory = learn(memory, seen(0.2, 0.0, 0.0), RULES)
    assert memory.bias_m[0] == RULES.largest_m
    assert "held at 40 mm" in memory.reason


@pytest.mark.parametrize("bad", [seen(float("nan"), 0, 0), seen(0, 0, 0, sigma_m=0.0)])
def test_what_is_no_measurement_is_refused(bad: Measured) -> None:
    with pytest.raises(ValueError, match="no measurement"):
        learn(fresh(), bad, RULES)
