"""The published field log: every residual that it printed for its place lookup comes out."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lib.lookup import LookupResult, PlaceRequest, Table, funnel, lookup_many, place

LOG54 = Path(__file__).parents[1] / "data" / "log54"

# What all published cases share (data/log54 gives the rest line by line).
REFERENCE = (36.215, 57.0, 20.0, -12.0, -86.0, -30.0)
SHARED: dict[str, Any] = {
    "ref_joints": REFERENCE,
    "j0_ref_deg": 36.215,
    "ee_y_band_m": (0.085, 0.115),
    "ee_y_floor_m": 0.085,
    "j1_min_deg": 55.0,
    "ref_tol_deg": 15.0,
    "ee_y_target_m": 0.100,
    "j4_safe_deg": (-90.0, 60.0),
    "guard_m": 0.030,
}


def read_points(name: str) -> np.ndarray:
    with (LOG54 / name).open() as lines:
        return np.array([[float(cell) for cell in row] for row in list(csv.reader(lines))[1:]])


def read_expected() -> list[dict[str, str]]:
    with (LOG54 / "expected.csv").open() as lines:
        return list(csv.DictReader(lines))


def tables() -> dict[str, Table]:
    before = read_points("rows_before.csv")
    known = {row.tobytes() for row in before}
    new = [row for row in read_points("rows_scan.csv") if row.tobytes() not in known]
    assert len(before) == 10 and len(new) == 1
    return {"before": Table.from_points(before), "merged": Table.from_points([*before, *new])}


def ask(case: dict[str, str]) -> LookupResult:
    return place(
        tables()[case["table"]],
        float(case["target_x_m"]),
        float(case["target_z_m"]),
        j0_tol_deg=float(case["j0_tol_deg"]),
        ee_y_tol_m=float(case["ee_y_tol_m"]),
        w_j1_m_per_deg=float(case["w_j1"]),
        w_j2_m_per_deg=float(case["w_j2"]),
        w_j4_m_per_deg=float(case["w_j4"]),
        **SHARED,
    )


@pytest.mark.parametrize(
    "case", read_expected(), ids=lambda c: f"{c['case']} z={c['target_z_m']} j0_tol={c['j0_tol_deg']}"
)
def test_a_published_line_comes_out_as_it_was_printed(case: dict[str, str]) -> None:
    found = ask(case)
    assert found.joints_deg == tuple(float(case[f"j{k}"]) for k in range(6))
    assert f"{found.z_residual_m:.4f}" == case["z_residual_m"]
    if case["x_residual_m"]:
        assert f"{found.x_residual_m:.4f}" == case["x_residual_m"]
    assert found.method == "fk_j4_priority_j4safe_pref"
    assert found.sendable


def test_all_eighteen_lines_are_there() -> None:
    assert len(read_expected()) == 18


def test_relaxing_the_height_and_correcting_the_weights_select_the_scanned_row_only_together() -> None:
    rows = {
        case["case"]: ask(case).fk_row
        for case in read_expected()
        if case["target_z_m"] == "0.1899" or case["case"] == "both"
    }
    assert rows["before"] == rows["merged"] == rows["tol_only"] == rows["weights_only"]
    assert rows["both"] == 10


def test_the_better_row_is_outside_the_safe_range_and_never_selected() -> None:
    table = tables()["merged"]
    request = PlaceRequest(-0.170, 0.1899)
    outside = table.points[table.points[:, 7] < -90.0]
    distances_m = np.hypot(outside[:, 0] + 0.170, outside[:, 2] - 0.1899)
    assert outside[distances_m.argmin(), 7] == -101.0
    *_, anywhere, safe = funnel(table, request)
    assert safe.filter == "j4_safe" and safe.protects
    assert anywhere.best_xz_distance_m == pytest.approx(distances_m.min(), abs=1e-12)
    assert safe.best_xz_distance_m == pytest.approx(0.0082, abs=5e-5)
    assert place(table, -0.170, 0.1899).fk_row == 10


def test_many_at_once_answer_as_one_by_one() -> None:
    table = tables()["merged"]
    requests = [PlaceRequest(-0.170, z) for z in (0.180, 0.185, 0.1899, 0.195, 0.200)]
    assert lookup_many(table, requests) == [place(table, r.x_m, r.z_m) for r in requests]
