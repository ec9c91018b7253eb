"""Of no row, of one, of many that are equal: every way of asking has an answer."""

from __future__ import annotations

import numpy as np
import pytest

from lib.lookup import (
    Area,
    PickRequest,
    PlaceRequest,
    Table,
    culprits,
    explain,
    lookup_many,
    reach,
    read_axis,
    sweep,
    with_binding_filters,
)
from lib.lookup.refine import KnownChain, refine

ROW = np.array([[-0.170, 0.100, 0.190, 36.215, 57.0, 20.0, -12.0, -86.0, -30.0]])
PLACE, PICK = PlaceRequest(-0.170, 0.1899), PickRequest(0.140, 0.200)


@pytest.mark.parametrize("rows", [0, 1, 700])
def test_every_question_is_answered(rows: int) -> None:
    table = Table.from_points(np.repeat(ROW, rows, axis=0), np.arange(rows) + 3)
    placed, funnel = explain(table, PLACE)
    assert [entry.rows for entry in funnel] == [rows] * 7
    assert (placed.method, placed.fk_row) == (
        ("fk_j4_priority_j4safe_pref", 3) if rows else ("no_candidates", None)
    )
    picked, band = explain(table, PICK)
    assert picked.method == "no_candidates" and [entry.rows for entry in band] == [0, 0]
    bound = with_binding_filters(table, [PLACE, PICK], [placed, picked])
    assert [r.binding_filter for r in bound] == [
        "absence_of_points",
        "ee_y_band" if rows else "absence_of_points",
    ]
    assert all(not c.result.found or c.result.fk_row == 3 for c in culprits(table, PLACE))
    assert lookup_many(table, [PLACE] * 30) == [placed] * 30
    assert refine(table, PLACE, placed, KnownChain()).why_not
    nodes = sweep(table, PLACE, [read_axis("j0_tol=3,5,8")])
    assert [node.result.fk_row for node in nodes] == [placed.fk_row] * 3
    found = reach(table, PLACE.bounds, Area((-0.172, -0.168), (0.188, 0.192)), 0.002)
    assert found.reached.all() == bool(rows)
