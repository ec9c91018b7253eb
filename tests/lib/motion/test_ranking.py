"""The ranking: gates first, places by median rank, ties where the repeats do not tell, the front."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import rankdata

from lib.motion import RANKED, Scores, rank
from lib.motion.ranking import repeat_ranks

GOOD = Scores(
    complete=True, placed=True, clearance_m=0.004, slip_m=0.001, release_height_m=0.014, cycle_s=12.0,
    spectral_arc_length=-1.45, log_dimensionless_jerk=-6.0, peak_jerk_deg_s3=5000.0, tracking_rms_m=0.002,
    settling_s=0.0, path_ratio=1.1, joint_speed_share=0.6,
)  # fmt: skip


def worse(by: int) -> Scores:
    """Return scores worse than GOOD in everything, the more the larger ``by``."""
    changes = {
        name: getattr(GOOD, name) + sign * 0.1 * by * abs(getattr(GOOD, name))
        for name, sign in RANKED.items()
    }
    return replace(GOOD, **changes)


def test_who_is_better_in_everything_in_every_repeat_comes_first_and_no_tie_is_declared() -> None:
    found = rank({"last": [worse(2)] * 5, "first": [GOOD] * 5, "second": [worse(1)] * 5})
    assert [(r.name, r.place, r.median_rank, r.tied_with) for r in found] == [
        ("first", 1, 1.0, ()),
        ("second", 2, 2.0, ()),
        ("last", 3, 3.0, ()),
    ]


def test_who_changes_places_from_repeat_to_repeat_is_tied() -> None:
    a = [GOOD, worse(1), GOOD, worse(1), GOOD, worse(1)]
    b = [worse(1), GOOD, worse(1), GOOD, worse(1), GOOD]
    found = {r.name: r for r in rank({"a": a, "b": b, "c": [worse(5)] * 6})}
    assert found["a"].place == found["b"].place == 1
    assert found["a"].tied_with == ("b",) and found["b"].tied_with == ("a",)
    assert found["a"].low_rank == 1.0 and found["a"].high_rank == 2.0
    assert found["c"].place == 3 and found["c"].tied_with == ()


def test_one_odd_repeat_of_seven_does_not_change_a_place() -> None:
    odd = [GOOD] * 6 + [worse(9)]
    found = rank({"steady": [worse(1)] * 7, "odd once": odd})
    assert [r.name for r in found] == ["odd once", "steady"]
    assert found[0].median_rank == 1.0


def test_who_does_not_pass_the_gates_comes_last_however_smooth_it_was() -> None:
    for failure in ({"placed": False}, {"complete": False}, {"clearance_m": -0.001}):
        failed = replace(GOOD, **failure)
        found = rank({"failed": [failed] * 5, "rough": [worse(9)] * 5})
        assert [r.name for r in found] == ["rough", "failed"]
        assert (found[1].passed, found[1].repeats, dict(found[1].medians), found[1].on_front) == (
            0,
            5,
            {},
            False,
        )


def test_the_front_is_who_is_not_both_slower_and_rougher_than_another() -> None:
    def timed(cycle_s: float, arc: float) -> list[Scores]:
        return [replace(GOOD, cycle_s=cycle_s, spectral_arc_length=arc)] * 5

    found = rank({
        "slow smooth": timed(28, -1.40), "fast rough": timed(9, -1.60), "between": timed(17, -1.50),
        "dominated": timed(18, -1.55), "same as between": timed(17, -1.50),
    })  # fmt: skip
    assert {r.name for r in found if r.on_front} == {
        "slow smooth",
        "fast rough",
        "between",
        "same as between",
    }


@given(st.lists(st.lists(st.integers(1, 9), min_size=6, max_size=6), min_size=1, max_size=8))
def test_a_repeats_ranks_are_the_ranks_of_the_mean_of_each_scores_ranks(table: list[list[int]]) -> None:
    scores = []
    for row in table:
        values: dict[str, Any] = {name: sign * v for (name, sign), v in zip(RANKED.items(), row, strict=True)}
        scores.append(replace(GOOD, **values))
    columns = [rankdata([sign * getattr(run, name) for run in scores]) for name, sign in RANKED.items()]
    expected = rankdata(np.round(np.mean(columns, axis=0), 9))
    assert repeat_ranks(scores) == pytest.approx(expected)


def test_the_order_of_the_variants_and_of_the_call_changes_nothing() -> None:
    rng = np.random.default_rng(3)
    runs = {name: [worse(int(rng.integers(6))) for _ in range(5)] for name in "abcdefgh"}
    first = {r.name: (r.place, r.median_rank, r.low_rank, r.high_rank) for r in rank(runs)}
    again = {
        r.name: (r.place, r.median_rank, r.low_rank, r.high_rank) for r in rank(dict(reversed(runs.items())))
    }
    assert first == again


def test_repeats_must_be_as_many_of_each() -> None:
    with pytest.raises(ValueError, match=r"\[1, 2\] repeats"):
        rank({"a": [GOOD], "b": [GOOD, GOOD]})
    assert rank({}) == ()
