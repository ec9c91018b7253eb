"""The questions about a batch against the same computed in Python from the rows that were written."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable
from datetime import UTC, datetime
from itertools import pairwise
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy.stats import binomtest

from lib.report.batch_facts import wilson
from lib.runlog import ask, close_logs

from .batch_sample import Rows, write_batch

NIGHTS, RUNS = 3, 40


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Rows]]:
    """Three nights, the first closed, the others open, and what was written of each."""
    folder = tmp_path_factory.mktemp("batch")
    written = write_batch(folder, [0], RUNS)
    close_logs(folder)
    return folder, written + write_batch(folder, range(1, NIGHTS), RUNS)


@pytest.fixture(scope="module")
def asked(sample: tuple[Path, list[Rows]]) -> Callable[[str], list[dict[str, Any]]]:
    def answer(name: str) -> list[dict[str, Any]]:
        found = ask(sample[0], name)
        return [dict(zip(found.columns, row, strict=True)) for row in found.rows]

    return answer


Asked = Callable[[str], list[dict[str, Any]]]


def relation(sample: tuple[Path, list[Rows]], name: str) -> list[dict[str, Any]]:
    return [row for night in sample[1] for row in night[name]]


def runs(sample: tuple[Path, list[Rows]]) -> dict[str, dict[str, Any]]:
    """Every run as its records leave it: a later value replaces an earlier one, none replaces nothing."""
    merged: dict[str, dict[str, Any]] = defaultdict(dict)
    for row in relation(sample, "run"):
        merged[row["run_stem"]].update({k: v for k, v in row.items() if v is not None})
    for row in relation(sample, "place"):
        merged[row["run_stem"]]["placed"] = row
    return merged


def by(rows: list[dict[str, Any]], *names: str) -> dict[tuple[Any, ...], list[dict[str, Any]]]:
    groups: dict[tuple[Any, ...], list[dict[str, Any]]] = defaultdict(list)
    for row in rows:
        groups[tuple(row[name] for name in names)].append(row)
    return groups


def known(values: list[Any]) -> list[float]:
    return [value for value in values if value is not None]


def test_success_by_night_and_cell_with_wilsons_interval(sample: Any, asked: Asked) -> None:
    expected: Counter[tuple[str, str | None]] = Counter()
    placed: Counter[tuple[str, str | None]] = Counter()
    for run in runs(sample).values():
        for cell in (run.get("placed", {}).get("memory_cell", "no placement"), None):
            expected[run["night_id"], cell] += 1
            placed[run["night_id"], cell] += run.get("placed", {}).get("place") == "yes"
    answer = asked("success-by-cell")
    assert {(row["night_id"], row["memory_cell"]): row["runs"] for row in answer} == expected
    for row in answer:
        key = row["night_id"], row["memory_cell"]
        assert row["placed"] == placed[key]
        interval = binomtest(placed[key], expected[key]).proportion_ci(0.95, method="wilson")
        assert (row["wilson_low"], row["wilson_high"]) == pytest.approx(tuple(interval), abs=1e-4)
        assert wilson(placed[key], expected[key]) == pytest.approx(tuple(interval), abs=1e-4)


def test_distances_by_night_and_cell(sample: Any, asked: Asked) -> None:
    placements = relation(sample, "place")
    for row in asked("distances"):
        of_it = [
            p["in_box_dist_mm"]
            for p in placements
            if p["night_id"] == row["night_id"] and row["memory_cell"] in (None, p["memory_cell"])
        ]
        seen = [p for p in of_it if p is not None] if None in of_it else of_it
        assert row["placements"] == len(seen)
        assert (row["median_mm"], row["p95_mm"]) == pytest.approx(np.quantile(seen, [0.5, 0.95]), abs=0.006)
        assert (row["nearest_mm"], row["farthest_mm"]) == pytest.approx((min(seen), max(seen)), abs=0.006)


def test_rows_used_and_how_well_they_place(sample: Any, asked: Asked) -> None:
    groups = by(relation(sample, "place"), "pose_id")
    answer = asked("rows-used")
    assert {row["pose_id"]: row["placements"] for row in answer} == {k[0]: len(v) for k, v in groups.items()}
    for row in answer:
        of_it = groups[row["pose_id"],]
        assert row["placed"] == sum(p["place"] == "yes" for p in of_it)
        assert row["refined"] == sum(p["refined"] for p in of_it)
        assert row["median_mm"] == pytest.approx(
            np.median(known([p["in_box_dist_mm"] for p in of_it])), abs=0.006
        )
        spacing = [math.hypot(p["spacing_x_m"], p["spacing_z_m"]) for p in of_it]
        assert row["row_spacing_mm"] == pytest.approx(1e3 * np.median(spacing), abs=0.006)


def test_an_error_is_split_and_its_parts_add_up(sample: Any, asked: Asked) -> None:
    for row in asked("error-split"):
        seen = [
            p
            for p in relation(sample, "place")
            if p["night_id"] == row["night_id"] and p.get("reality_x_m") is not None
        ]
        assert row["placements"] == len(seen)
        for part, expected in (
            ("row_spacing_rms_mm", [(p["spacing_x_m"], p["spacing_z_m"]) for p in seen]),
            ("twin_against_reality_rms_mm", [(p["reality_x_m"], p["reality_z_m"]) for p in seen]),
            ("camera_rms_mm", [(p["camera_sigma_m"],) * 2 for p in seen]),
            (
                "total_rms_mm",
                [(p["seen_x_m"] - p["target_x_m"], p["seen_z_m"] - p["target_z_m"]) for p in seen],
            ),
        ):
            assert row[part] == pytest.approx(
                1e3 * np.sqrt((np.array(expected) ** 2).sum(1).mean()), abs=0.006
            )
        for p in seen:
            assert p["spacing_x_m"] + p["reality_x_m"] == pytest.approx(p["seen_x_m"] - p["target_x_m"])


def test_refusals_by_rule(sample: Any, asked: Asked) -> None:
    expected = Counter(("motion", row["rule"]) for row in relation(sample, "gate_refusal"))
    expected.update(("run", run["rule"]) for run in runs(sample).values() if run["state"] == "refused")
    assert expected.total() > 3
    assert {(row["what"], row["rule"]): row["refusals"] for row in asked("refusals")} == expected


def test_unreached_targets_and_what_binds(sample: Any, asked: Asked) -> None:
    missed = [
        row
        for row in relation(sample, "lookup_observation")
        if row["fk_row"] is None or row["xz_distance_m"] > 0.003
    ]
    expected = Counter(
        (row["binding_filter"], round(row["aim_x_m"], 3), round(row["aim_z_m"], 3)) for row in missed
    )
    answer = asked("unreached")
    assert {
        (row["binding_filter"], row["aim_x_m"], row["aim_z_m"]): row["lookups"] for row in answer
    } == pytest.approx(expected)
    assert sum(row["without_row"] for row in answer) == sum(row["fk_row"] is None for row in missed) > 0


def test_memory_drift_is_the_way_from_night_to_night(sample: Any, asked: Asked) -> None:
    groups = by(relation(sample, "memory_cell"), "memory_cell", "night_id")
    last = {key: max(rows, key=lambda row: row["revision"]) for key, rows in groups.items()}
    answer = {(row["memory_cell"], row["night_id"]): row for row in asked("memory-drift")}
    assert answer.keys() == last.keys()
    for cell in {cell for cell, _ in last}:
        nights = sorted((row["revision"], night) for (name, night), row in last.items() if name == cell)
        assert answer[cell, nights[0][1]]["moved_mm"] is None
        for (_, before), (_, after) in pairwise(nights):
            there, here = ([last[cell, n][f"bias_{a}_mm"] for a in "xyz"] for n in (before, after))
            assert answer[cell, after]["moved_mm"] == pytest.approx(math.dist(there, here), abs=0.006)
    outliers = sum(row["reason"].startswith("outlier") for row in relation(sample, "memory_cell"))
    assert sum(row["outliers"] for row in answer.values()) == outliers


def test_homing_offsets_over_time_and_what_was_not_seen_stays_unknown(sample: Any, asked: Asked) -> None:
    groups = by(relation(sample, "homing_joint"), "variable")
    answer = asked("homing-offsets")
    for (variable,), joints in groups.items():
        rows = [row for row in answer if row["variable"] == variable][::-1]
        if variable == "j5":
            assert {(row["value"], row["joint_offset"], row["moved"]) for row in rows} == {(None, None, None)}
            continue
        offsets = [joint["joint_offset"] for joint in joints]
        assert [row["joint_offset"] for row in rows] == pytest.approx(offsets, abs=6e-5)
        assert [row["moved"] for row in rows[1:]] == pytest.approx(np.diff(offsets), abs=6e-5)


def test_slowest_tasks(sample: Any, asked: Asked) -> None:
    took = defaultdict(list)
    for row in relation(sample, "task_run"):
        if "duration_s" in row:
            took[row["task"]].append(row["duration_s"])
    answer = asked("slowest-tasks")
    assert [row["task"] for row in answer] == sorted(took, key=lambda task: -max(took[task]))
    for row in answer:
        seconds = took[row["task"]]
        assert (row["runs"], row["longest_s"]) == (len(seconds), pytest.approx(max(seconds), abs=6e-4))
        figures = np.mean(seconds), np.quantile(seconds, 0.95)
        assert (row["mean_s"], row["p95_s"]) == pytest.approx(figures, abs=6e-4)


def test_temperature_against_failures(sample: Any, asked: Asked) -> None:
    warmest = {
        stem[0]: max(row["warmest_c"] for row in rows)
        for stem, rows in by(relation(sample, "arm_health"), "run_stem").items()
    }
    counted, failed = Counter[float](), Counter[float]()
    for stem, run in runs(sample).items():
        step = 5 * math.floor(warmest[stem] / 5)
        counted[step] += 1
        failed[step] += run.get("placed", {}).get("place") != "yes"
    answer = asked("temperatures")
    assert {row["from_c"]: row["runs"] for row in answer} == counted
    assert {row["from_c"]: row["failed"] for row in answer} == {step: failed[step] for step in counted}


def test_what_changed_between_two_nights(sample: Any, asked: Asked) -> None:
    nights = [night["run"][0]["night_id"] for night in sample[1]]
    share, middle = [], []
    for night_id in nights:
        of_it = [run for run in runs(sample).values() if run["night_id"] == night_id]
        share.append(sum(run.get("placed", {}).get("place") == "yes" for run in of_it) / len(of_it))
        middle.append(
            np.median(known([run["placed"].get("in_box_dist_mm") for run in of_it if "placed" in run]))
        )
    answer = asked("night-changes")[::-1]
    assert [row["night_id"] for row in answer] == nights
    assert [row["success_change"] for row in answer[1:]] == pytest.approx(np.diff(share), abs=6e-5)
    assert [row["median_change_mm"] for row in answer[1:]] == pytest.approx(np.diff(middle), abs=0.006)
    assert all(row["other_table"] and row["other_homing"] for row in answer[1:])
    for night_id, row in zip(nights, answer, strict=True):
        placed = [r["placed"] for r in runs(sample).values() if r["night_id"] == night_id and "placed" in r]
        box = [np.median(known([p.get(f"target_{axis}_m") for p in placed])) for axis in "xz"]
        assert [row["box_x_m"], row["box_z_m"]] == pytest.approx(box, abs=6e-5)


def test_a_column_keeps_its_value_until_a_later_record_gives_another(sample: Any) -> None:
    some = next(iter(runs(sample).values()))
    assert some["started_utc"] < some["ended_utc"] < datetime(2027, 1, 1, tzinfo=UTC)
    assert some["state"] != "unfinished" and some["images"].endswith(some["run_stem"])
