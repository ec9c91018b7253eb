"""The verdict against counted samples, and where an error comes from."""

from __future__ import annotations

import numpy as np
import pytest

from lib.place import split_error, verdict

HALF = (0.065, 0.065)


@pytest.mark.parametrize("offset_m", [(0.0, 0.0), (0.060, -0.010), (0.064, 0.064), (0.080, 0.0)])
def test_the_probability_is_the_share_of_samples_that_lie_inside(offset_m: tuple[float, float]) -> None:
    samples = np.random.default_rng(3).normal(offset_m, 0.004, (400_000, 2))
    share = float((np.abs(samples) <= HALF).all(axis=1).mean())
    said = verdict(offset_m, 0.004, HALF)
    assert said.confidence == pytest.approx(max(share, 1 - share), abs=0.004)
    assert said.in_box_dist_mm == pytest.approx(1e3 * np.hypot(*offset_m))


@pytest.mark.parametrize(
    ("offset_m", "answer"), [((0.0, 0.01), "yes"), ((0.09, 0.0), "no"), ((0.065, 0.0), "unknown")]
)
def test_it_answers_only_where_it_is_sure(offset_m: tuple[float, float], answer: str) -> None:
    assert verdict(offset_m, 0.0015, HALF).place == answer


def test_what_was_not_seen_stays_unknown_without_a_number() -> None:
    said = verdict(None, 0.0015, HALF)
    assert (said.place, said.confidence, said.in_box_dist_mm) == ("unknown", None, None)


def test_a_deviation_is_positive() -> None:
    with pytest.raises(ValueError, match="positive"):
        verdict((0.0, 0.0), 0.0, HALF)


def test_an_error_is_the_sum_of_its_parts() -> None:
    wanted, bias, spacing, unknown = (-0.17, 0.19), (0.004, -0.002), (0.003, 0.001), (0.0007, 0.0002)
    aim = (wanted[0] - bias[0], wanted[1] - bias[1])
    tip = (aim[0] + spacing[0], aim[1] + spacing[1])
    seen = (tip[0] + bias[0] + unknown[0], tip[1] + bias[1] + unknown[1])
    split = split_error(wanted, aim, tip, seen, 0.0015)
    assert split.row_spacing_m == pytest.approx(spacing)
    assert split.twin_against_reality_m == pytest.approx(unknown)
    assert np.add(split.row_spacing_m, split.twin_against_reality_m) == pytest.approx(split.total_m)
