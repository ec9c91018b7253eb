"""The audits: what must be blocked is blocked and named, what may pass is only reported."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.lookup import NO_CANDIDATES, OUT_OF_RANGE, LookupResult, PlaceRequest, Table, lookup
from lib.robot import load_robot, tip_points
from lib.settings import Settings
from lib.table import MergeResult, selected_row
from tests.lib.table.conftest import REFERENCE, Ingest, measured, merged, message, poses, verdict


@pytest.fixture
def table(settings: Settings, ingest: Ingest) -> np.ndarray:
    points = measured(poses(3_000))
    assert merged(settings, ingest(settings, "base.csv", points)).promoted
    return points


def blocked_by(result: MergeResult) -> list[str]:
    return [audit.name for audit in result.audits if audit.blocks]


def test_one_per_cent_of_rows_shifted_by_3_mm_is_blocked_and_named(
    settings: Settings, ingest: Ingest, table: np.ndarray
) -> None:
    scan = measured(poses(1_000, seed=1))
    scan[500:510, 2] += 0.003
    result = merged(settings, ingest(settings, "shifted.csv", scan))
    assert blocked_by(result) == ["self_consistency"]
    said = message(result, "self_consistency")
    assert "10 of 1,000 rows (1.0%)" in said and "displaced, typically by 3.0 mm" in said
    finding = next(a for a in result.audits if a.name == "self_consistency").findings[0]
    assert finding == "scan line 502: 3.00 mm off the chain"


def test_swapped_axes_are_blocked_and_named(settings: Settings, ingest: Ingest, table: np.ndarray) -> None:
    scan = measured(poses(500, seed=1))
    scan[:, [0, 2]] = scan[:, [2, 0]]
    result = merged(settings, ingest(settings, "swapped.csv", scan))
    assert "self_consistency" in blocked_by(result)
    assert "swapped axes: the scan's columns are x z -y" in message(result, "self_consistency")


def test_another_tool_is_blocked_and_its_length_named(
    settings: Settings, ingest: Ingest, table: np.ndarray
) -> None:
    robot = load_robot("mecharm270")
    assert robot is not None
    longer = replace(robot, tip_m=robot.tip_m + np.array([0.0, 0.0, 0.012]))
    joints = poses(500, seed=1)
    scan = np.hstack([tip_points(longer, joints), joints])
    result = merged(settings, ingest(settings, "tool.csv", scan))
    assert "self_consistency" in blocked_by(result)
    said = message(result, "self_consistency")
    expected_mm = (np.linalg.norm(longer.tip_m) - np.linalg.norm(robot.tip_m)) * 1e3
    assert "another tool" in said and "12.0 mm" in said and f"{expected_mm:+.1f} mm long" in said


def test_a_twin_that_skipped_a_pose_is_named(settings: Settings, ingest: Ingest, table: np.ndarray) -> None:
    scan = measured(poses(500, seed=1))
    scan[300:, :3] = scan[299:-1, :3].copy()
    result = merged(settings, ingest(settings, "late.csv", scan))
    assert "the rows hold the tip of the pose before" in message(result, "self_consistency")


def test_a_wrong_robot_is_named_on_the_first_scan(settings: Settings, ingest: Ingest) -> None:
    rng = np.random.default_rng(0)
    scan = np.hstack([rng.uniform(-0.3, 0.3, (400, 3)), poses(400)])
    result = merged(settings, ingest(settings, "other.csv", scan))
    assert "does not describe the machine" in message(result, "self_consistency")


def test_up_to_one_row_in_a_thousand_may_be_a_suspect(
    settings: Settings, ingest: Ingest, table: np.ndarray
) -> None:
    scan = measured(poses(1_000, seed=1))
    scan[7, 0] += 0.005
    result = merged(settings, ingest(settings, "one.csv", scan))
    assert result.promoted and "1 suspect row" in message(result, "self_consistency")


def test_repeats_within_a_tenth_of_a_millimetre_are_kept_and_counted(
    settings: Settings, ingest: Ingest, table: np.ndarray
) -> None:
    again = table[:40].copy()
    again[:10, 0] += np.linspace(1e-7, 5e-5, 10)
    result = merged(settings, ingest(settings, "again.csv", again))
    audit = next(a for a in result.audits if a.name == "conflicts")
    assert (result.added, result.duplicates, audit.ok) == (10, 30, True)
    assert audit.figures["near_duplicates"] == 10
    assert audit.figures["median_m"] == pytest.approx(np.median(np.linspace(1e-7, 5e-5, 10)), rel=1e-6)
    assert audit.figures["largest_m"] == pytest.approx(5e-5, rel=1e-6)


def test_repeats_inside_one_scan_count_as_well(settings: Settings, ingest: Ingest) -> None:
    points = measured(poses(20))
    twice = np.vstack([points, points + np.eye(9)[0] * 2e-7])
    result = merged(settings, ingest(settings, "twice.csv", twice))
    audit = next(a for a in result.audits if a.name == "conflicts")
    assert audit.figures["near_duplicates"] == 20 and result.added == 40


def test_a_repeat_more_than_a_tenth_of_a_millimetre_away_blocks(
    settings: Settings, ingest: Ingest, table: np.ndarray
) -> None:
    again = table[:5].copy()
    again[2, 1] += 2e-4
    result = merged(settings, ingest(settings, "again.csv", again))
    assert blocked_by(result) == ["conflicts"]
    assert next(a for a in result.audits if a.name == "conflicts").findings == ("scan line 4: 0.200 mm away",)


@pytest.mark.parametrize(("worse_m", "blocks"), [(0.002, True), (0.0005, False)])
def test_a_row_that_makes_a_probe_select_worse_blocks_beyond_a_millimetre(
    settings: Settings, ingest: Ingest, worse_m: float, blocks: bool
) -> None:
    probe = (-0.170, 0.190)
    settings = replace(
        settings,
        robot="none",
        cell=replace(settings.cell, box_centre_m=probe, box_outer_m=(0.045, 0.045)),
    )
    selected = np.array([probe[0] + 0.002, 0.100, probe[1], *REFERENCE])
    selected[3 + 1] += 4.0  # four degrees of j1 cost 8 mm of score
    merged(settings, ingest(settings, "base.csv", selected[None, :]))
    rival = np.array([probe[0] + 0.002 + worse_m, 0.100, probe[1], *REFERENCE])
    result = merged(settings, ingest(settings, "rival.csv", rival[None, :]), accept_worse=0)
    audit = next(a for a in result.audits if a.name == "selection_regression")
    assert (audit.ok is False) == blocks and audit.figures["worse"] == 1
    assert audit.figures["largest_worsening_m"] == pytest.approx(worse_m, abs=1e-9)
    assert "fk_row 0 at 2.00 mm -> fk_row 1" in audit.findings[0] and "smaller score" in audit.findings[0]
    assert result.promoted is not blocks
    if blocks:
        scan = ingest(settings, "rival.csv", rival[None, :])
        assert merged(settings, scan, accept_worse=1).promoted


def test_a_probe_that_lost_its_row_is_told_in_words() -> None:
    found = LookupResult("fk_nearest", fk_row=7, xz_distance_m=0.00214)
    assert selected_row(found) == "fk_row 7 at 2.14 mm"
    assert selected_row(LookupResult(OUT_OF_RANGE)) == "no row (out of range)"
    assert selected_row(LookupResult(NO_CANDIDATES)) == "no row (no candidates)"


def test_a_merge_that_improves_nothing_is_blocked_where_that_was_asked(
    settings: Settings, ingest: Ingest, table: np.ndarray
) -> None:
    scan = ingest(settings, "far.csv", measured(np.array([[0.0, 0, 0, 0, 0, 0.5], [90, 0, 0, 0, 0, 0.5]])))
    result = merged(settings, scan, must_improve=True)
    assert blocked_by(result) == ["effect"] and result.effect.count("improved") == 0
    assert merged(settings, scan).promoted


def test_the_effect_is_what_the_lookup_itself_selects(
    settings: Settings, ingest: Ingest, table: np.ndarray
) -> None:
    further = measured(poses(3_000, seed=5))
    result = merged(settings, ingest(settings, "more.csv", further))
    before = Table.from_points(table)
    after = Table.from_points(np.vstack([table, further]))
    for change in result.effect.changes:
        if change.probe.mode == "place":
            request = PlaceRequest.from_settings(settings.lookup.place, change.probe.x_m, change.probe.z_m)
            assert change.before.fk_row == lookup(before, request).fk_row
            assert change.after.fk_row == lookup(after, request).fk_row
    assert result.effect.count("improved") > 0


def test_a_table_that_lost_rows_fails_the_prefix_audit(settings: Settings, ingest: Ingest) -> None:
    import duckdb

    from lib.runlog import fk_file

    merged(settings, ingest(settings, "base.csv", measured(poses(100))))
    with duckdb.connect(str(fk_file.path(settings.data_dir))) as connection:
        connection.execute("UPDATE fk_point SET j3 = j3 + 1e-9 WHERE fk_row = 10")
    result = merged(settings, ingest(settings, "more.csv", measured(poses(10, seed=1))))
    assert "prefix" in blocked_by(result) and verdict(result, "count") is True
