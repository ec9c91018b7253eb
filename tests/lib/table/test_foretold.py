"""What a merge would change is foretold as the merge's own comparison finds it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace

import numpy as np
import pytest

from lib.lookup import Table
from lib.settings import Settings
from lib.table import foretell_merge
from lib.table.audits.selection_regression import beyond_limit
from lib.table.effect import compare
from tests.lib.table.conftest import REFERENCE, measured, poses

PROBE = (-0.170, 0.190)
ONE_PROBE = replace(Settings(), cell=replace(Settings().cell, box_centre_m=PROBE, box_outer_m=(0.045, 0.045)))


@pytest.mark.parametrize("seed", range(4))
def test_rows_of_several_tables_change_what_they_change_in_one(seed: int) -> None:
    random = np.random.default_rng(seed)
    points = measured(poses(900, seed))
    # Heights and wrists anywhere: so that filters step aside, and preferences change as well as distances.
    points[:, 1] += random.uniform(-0.030, 0.030, len(points))
    points[:, 7] += random.uniform(-8.0, 4.0, len(points))
    groups = np.split(points, [30, 500, 501, 520])
    effect = foretell_merge(
        Settings(), Table.from_points(groups[0]), [Table.from_points(g) for g in groups[1:]]
    )
    found = compare(Settings(), Table.from_points(groups[0]), Table.from_points(points))
    for foretold, change in zip(effect.effect.changes, found.changes, strict=True):
        assert foretold.verdict == change.verdict and foretold.change_m == change.change_m
        for ours, theirs in ((foretold.before, change.before), (foretold.after, change.after)):
            assert (ours.method, ours.xz_distance_m, ours.score) == (
                theirs.method,
                theirs.xz_distance_m,
                theirs.score,
            )
    assert [c.probe for c in effect.beyond_limit] == [c.probe for c in beyond_limit(found, Settings())]
    verdicts = Counter(change.verdict for change in found.changes)
    assert verdicts["improved"] and verdicts["unchanged"]


def test_no_rows_change_nothing() -> None:
    effect = foretell_merge(Settings(), Table.from_points(measured(poses(300))), []).effect
    assert effect.count("unchanged") == len(effect.changes) > 100


@pytest.mark.parametrize(("worse_m", "blocks"), [(0.002, True), (0.0005, False)])
def test_a_row_with_a_smaller_score_farther_away_is_told_before_it_is_scanned(
    worse_m: float, blocks: bool
) -> None:
    selected = np.array([[PROBE[0] + 0.002, 0.100, PROBE[1], *REFERENCE]])
    selected[0, 4] += 4.0  # four degrees of j1 cost 8 mm of score
    rival = np.array([[PROBE[0] + 0.002 + worse_m, 0.100, PROBE[1], *REFERENCE]])
    told = foretell_merge(ONE_PROBE, Table.from_points(selected), [Table.from_points(rival)])
    assert told.effect.count("worse") == 1
    assert len(told.beyond_limit) == blocks
    said = told.as_json()
    assert (said["worse"], said["improved"]) == (1, 0)
    if blocks:
        (change,) = told.beyond_limit
        assert change.change_m == pytest.approx(worse_m, abs=1e-12)
        assert "has the smaller score" in str(said["beyond_limit"])
