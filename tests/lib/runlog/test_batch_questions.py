"""The questions about runs and placements, against two nights counted by hand."""

from __future__ import annotations

from pathlib import Path

import pytest
from scipy.stats import binomtest

from lib.runlog import ask

from .nights_sample import CELL, write_nights


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_nights(tmp_path_factory.mktemp("nights"))


def answered(data_dir: Path, name: str, *columns: str) -> list[tuple[object, ...]]:
    answer = ask(data_dir, name)
    wanted = [answer.columns.index(column) for column in columns]
    return [tuple(row[k] for k in wanted) for row in answer.rows]


def test_success_counts_refused_and_unknown_runs_as_none_and_leaves_out_the_unfinished(
    data_dir: Path,
) -> None:
    rows = answered(data_dir, "success-by-cell", "night_id", "memory_cell", "runs", "placed", "refused")
    assert rows == [
        ("n2", None, 3, 2, 0),
        ("n2", "no placement", 1, 0, 0),
        ("n2", CELL, 2, 2, 0),
        ("n1", None, 4, 2, 1),
        ("n1", "no placement", 1, 0, 1),
        ("n1", CELL, 3, 2, 0),
    ]


def test_the_interval_is_wilsons(data_dir: Path) -> None:
    columns = ("runs", "placed", "wilson_low", "wilson_high")
    for runs, placed, low, high in answered(data_dir, "success-by-cell", *columns):
        expected = binomtest(placed, runs).proportion_ci(0.95, method="wilson")
        assert (low, high) == pytest.approx((expected.low, expected.high), abs=1e-4)


def test_distances_are_medians_by_night_and_by_cell(data_dir: Path) -> None:
    rows = answered(data_dir, "distances", "night_id", "memory_cell", "placements", "median_mm", "last_mm")
    assert rows == [
        ("n2", None, 2, 2.5, 2.0),
        ("n2", CELL, 2, 2.5, 2.0),
        ("n1", None, 3, 8.0, 90.0),
        ("n1", CELL, 3, 8.0, 90.0),
    ]


def test_a_row_is_judged_by_all_its_placements(data_dir: Path) -> None:
    rows = answered(data_dir, "rows-used", "pose_id", "placements", "refined", "placed", "row_spacing_mm")
    assert rows == [("fk_row_7", 5, 2, 4, 5.0)]


def test_an_error_is_split_into_its_parts(data_dir: Path) -> None:
    columns = ("night_id", "row_spacing_rms_mm", "reality_mean_x_mm", "camera_rms_mm", "total_rms_mm")
    second, first = answered(data_dir, "error-split", *columns)
    assert second == ("n2", 5.0, -0.5, 1.41, round((13 / 2) ** 0.5, 2))
    assert first[0] == "n1"


def test_refusals_of_the_gate_and_of_the_batch_stand_side_by_side(data_dir: Path) -> None:
    assert answered(data_dir, "refusals", "rule", "what", "refusals", "latest") == [
        ("joint_limit", "motion", 2, "j1 = 131 deg"),
        ("no_row_within_tolerance", "run", 1, "nearest row is 12.0 mm away"),
    ]


def test_unreached_targets_name_what_binds(data_dir: Path) -> None:
    columns = ("binding_filter", "aim_x_m", "lookups", "without_row", "median_distance_mm")
    assert answered(data_dir, "unreached", *columns) == [("j0_lock", -0.17, 8, 1, 5.0)]


def test_memory_drift_compares_a_night_with_the_one_before(data_dir: Path) -> None:
    rows = answered(data_dir, "memory-drift", "night_id", "bias_x_mm", "moved_mm", "outliers")
    assert rows == [("n2", 8.0, 4.0, 1), ("n1", 4.0, None, 1)]


def test_homing_offsets_show_how_far_each_joint_moved(data_dir: Path) -> None:
    rows = answered(data_dir, "homing-offsets", "variable", "joint_offset", "moved")
    assert rows == [("j0", 0.75, 0.5), ("j0", 0.25, None)]


def test_failures_are_counted_by_temperature(data_dir: Path) -> None:
    rows = answered(data_dir, "temperatures", "from_c", "runs", "failed", "failed_share")
    assert rows == [(40.0, 5, 1, 0.2), (50.0, 2, 2, 1.0)]


def test_a_night_is_compared_with_the_one_before(data_dir: Path) -> None:
    columns = ("night_id", "runs", "placed", "success_change", "median_change_mm", "other_table")
    second, first = answered(data_dir, "night-changes", *columns)
    assert second == ("n2", 3, 2, round(2 / 3 - 2 / 4, 4), -5.5, True)
    assert first[:4] == ("n1", 4, 2, None)
