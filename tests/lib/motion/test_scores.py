"""The scores of a run: known figures of the published run as told, and each trouble in its own number."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
import pytest

from lib.motion import FrameLog, Scores, known_beforehand, score, tool_frames
from tests.lib.motion.published import changed, ideal_log, published_plan, robot

KNOWN = known_beforehand(published_plan(), robot(), 0.004, 60.0, 150.0)


def scored(log: FrameLog, placed: bool = True) -> Scores:
    return score(log, robot(), KNOWN, placed, 0.018)


def test_what_is_known_beforehand_of_the_published_run() -> None:
    assert (KNOWN.clearance_m, KNOWN.joint_speed_share) == (0.004, 0.4)
    assert KNOWN.peak_jerk_deg_s3 == pytest.approx(
        60.0 * 95.0 / 1.98**3
    )  # j0 turns 95 deg in 99 frames' time
    assert -6.0 < KNOWN.log_dimensionless_jerk < -math.log(720.0 / 1.875**2)  # arcs, less smooth than a line
    assert KNOWN.cycle_s == pytest.approx(12.3)


def test_a_run_that_goes_as_told_tracks_settles_and_is_smooth() -> None:
    found = scored(ideal_log())
    assert found.gates_passed
    assert found.tracking_rms_m == pytest.approx(0.0, abs=1e-12)
    assert found.settling_s == 0.0
    assert -1.5 < found.spectral_arc_length < -1.35
    assert 1.0 < found.path_ratio < 1.2  # joints turn straight, the tip goes in arcs
    assert found.slip_m == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("failure", [{"placed": False}, {"complete": False}, {"clearance_m": -0.0001}])
def test_each_gate_alone_fails_a_run(failure: dict[str, float]) -> None:
    good = scored(ideal_log())
    assert not replace(good, **failure).gates_passed  # type: ignore[arg-type]


def test_a_tip_that_swings_after_its_move_has_not_settled_until_it_rests() -> None:
    log = ideal_log()
    waiting = np.flatnonzero(log.states == "COMPLETE")
    tip_m = log.tip_m.copy()
    tip_m[waiting[:7], 1] += 0.002 * np.array([1, -1, 1, -1, 1, -1, 1])
    assert scored(changed(log, tip_m=tip_m)).settling_s == pytest.approx(0.14)


def test_a_tremor_costs_smoothness_and_a_lag_costs_tracking() -> None:
    log = ideal_log()
    tremor_m = 0.004 * np.sin(math.tau * 5.0 * log.time_s)[:, None] * [0.0, 1.0, 0.0]
    assert scored(changed(log, tip_m=log.tip_m + tremor_m)).spectral_arc_length < -1.6
    _, late_m = tool_frames(
        robot(), np.vstack([np.repeat(log.targets_deg[:1], 3, axis=0), log.targets_deg[:-3]])
    )
    late = scored(changed(log, tip_m=late_m))
    assert 0.003 < late.tracking_rms_m < 0.02
    assert late.spectral_arc_length == pytest.approx(scored(log).spectral_arc_length, abs=0.05)


def test_a_run_that_never_moved_has_no_scores_and_raises_nothing() -> None:
    log = ideal_log()
    empty = FrameLog(**{name: value[:0] for name, value in vars(log).items()})
    found = scored(empty, placed=False)
    assert not found.complete
    for value in (
        found.slip_m,
        found.spectral_arc_length,
        found.tracking_rms_m,
        found.settling_s,
        found.path_ratio,
    ):
        assert math.isnan(value)
