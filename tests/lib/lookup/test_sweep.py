"""A sweep is the lookup, asked at every node of a grid."""

from __future__ import annotations

import re

import numpy as np
import pytest

from lib.errors import BadInput
from lib.lookup import PickRequest, PlaceRequest, Table, place
from lib.lookup.sweep import Axis, bound_names, read_axis, sweep
from lib.settings import PlaceLookup
from tests.lib.lookup import crowded


@pytest.fixture(scope="module")
def table() -> Table:
    return crowded.table(np.random.default_rng(3), 500)


def test_every_node_is_what_the_lookup_answers_there(table: Table) -> None:
    axes = [Axis("j0_tol", (3.0, 15.0)), Axis("z", (0.17, 0.18, 0.19)), Axis("ee_y_band_low", (0.085, 0.1))]
    points = sweep(table, PlaceRequest(-0.17, 0.2), axes)
    assert [point.varied for point in points] == [
        (("j0_tol", j0_tol), ("z", z), ("ee_y_band_low", low))
        for j0_tol in (3.0, 15.0) for z in (0.17, 0.18, 0.19) for low in (0.085, 0.1)
    ]  # fmt: skip
    for point in points:
        named = dict(point.varied)
        band = (named["ee_y_band_low"], 0.115)
        assert point.result == place(table, -0.17, named["z"], j0_tol_deg=named["j0_tol"], ee_y_band_m=band)
    assert len({point.result.fk_row for point in points}) > 2


def test_a_large_grid_tells_its_progress_and_answers_alike(table: Table) -> None:
    told: list[tuple[int, int]] = []
    axes = [Axis("z", tuple(0.15 + 1e-4 * k for k in range(1_001))), Axis("j0_tol", (3.0, 5.0))]
    points = sweep(table, PlaceRequest(-0.17, 0.2), axes, lambda done, nodes: told.append((done, nodes)))
    assert told == [(0, 2_002), (1_000, 2_002), (2_000, 2_002)]
    assert points[1_501].result == place(table, -0.17, 0.15 + 1e-4 * 750, j0_tol_deg=5.0)


def test_both_ends_of_a_range_vary_together(table: Table) -> None:
    axes = [Axis("j4_safe_low", (-86.0,)), Axis("j4_safe_high", (-80.0,))]
    (point,) = sweep(table, PickRequest(-0.17, 0.2), axes)
    assert point.request.bounds.j4_safe_deg == (-86.0, -80.0)


@pytest.mark.parametrize(
    ("text", "name", "values"),
    [
        ("j0_tol=3,5,8,15", "j0_tol", (3.0, 5.0, 8.0, 15.0)),
        ("z=0.180:0.200:0.005", "z", (0.18, 0.185, 0.19, 0.195, 0.2)),
        ("w-j1=0:0.003:0.001,0.3", "w_j1", (0.0, 0.001, 0.002, 0.003, 0.3)),
        ("x=-0.2:-0.19:0.006", "x", (-0.2, -0.194)),
        (" ee_y = 0.1 ", "ee_y_target", (0.1,)),
    ],
)
def test_values_and_ranges_are_the_decimals_that_were_meant(
    text: str, name: str, values: tuple[float, ...]
) -> None:
    assert read_axis(text) == Axis(name, values)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("z", "expected name=values"),
        ("z=", '"" is no number'),
        ("z=a:b:c", '"a:b:c" is no number'),
        ("z=nan", '"nan" is no number'),
        ("z=0:1", "has 2 parts; expected from:to:step"),
        ("z=0:1:-1", "never gets there"),
        ("z=1:0:1", "never gets there"),
        ("z=0:1:0.0000001", "10,000,001 values; expected at most 100,000"),
    ],
)
def test_what_is_no_axis_is_refused(text: str, message: str) -> None:
    with pytest.raises(BadInput, match=re.escape(message)):
        read_axis(text)


@pytest.mark.parametrize(
    ("axes", "message"),
    [
        ([Axis("j0_tul", (3.0,))], 'no bound "j0_tul" in PLACE; expected x, z, ee_y_band_low'),
        ([Axis("z", (0.1,)), Axis("z", (0.2,))], "z varies twice"),
        ([Axis("z", (0.1,) * 400), Axis("x", (0.1,) * 400)], "160,000 nodes"),
        ([Axis("j4_safe_low", (-80.0, -100.0))], "j4_safe_low = -100 would widen a filter that protects"),
        ([Axis("j4_safe_high", (61.0,))], "expected at most 60"),
        ([Axis("ee_y_floor", (0.08,))], "expected at least 0.085"),
        ([Axis("j0_tol", (-3.0,))], "lookup.place.j0_tol_deg = -3.0; expected zero or more"),
    ],
)
def test_a_grid_that_makes_no_sense_or_widens_a_protection_is_refused(
    table: Table, axes: list[Axis], message: str
) -> None:
    with pytest.raises(BadInput, match=re.escape(message)):
        sweep(table, PlaceRequest(-0.17, 0.19), axes)


def test_every_bound_has_a_short_name() -> None:
    assert bound_names(PlaceRequest(-0.17, 0.19, PlaceLookup())) == (
        "x", "z", "ee_y_band_low", "ee_y_band_high", "ee_y_floor", "j0_ref", "j0_tol", "j1_min", "ref_tol",
        "ee_y_target", "ee_y_tol", "j4_safe_low", "j4_safe_high", "w_j1", "w_j2", "w_j4", "guard",
    )  # fmt: skip
    assert "w_j1" not in bound_names(PickRequest(0.14, 0.2))
