"""Which of the candidates is taken: the smallest score, ties to the smaller row, no farther than the guard.

PLACE's score is the xz distance plus a price for every degree that j1, j2 and j4 leave the reference
pose; PICK's, and PLACE's where no row meets the height target, is the xz distance alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.lookup.column import Column
from lib.lookup.condition import Condition
from lib.lookup.family import Best, Family, Price, Prices
from lib.lookup.request import PlaceRequest, Request
from lib.lookup.result import NO_CANDIDATES, OUT_OF_RANGE, LookupResult
from lib.lookup.table import Table

Conditions = tuple[Condition, ...]


@dataclass(frozen=True)
class _Standing:
    """One of the kinds of candidates that a request prefers over others."""

    wanted: Conditions
    """What its rows meet beside the filters that never step aside."""
    prices: Prices
    method: str
    sendable: bool


class Candidates:
    """The rows that a request selects from; the same for all targets under the same bounds."""

    def __init__(self, table: Table, request: Request) -> None:
        self._table = table
        filters = request.filters
        firm = (f.conditions for f in filters if not f.steps_aside)
        self._family = Family(table, [condition for conditions in firm for condition in conditions])
        self._standings = _standings(request, {f.name: f.conditions for f in filters if f.steps_aside})

    def select(self, request: Request) -> LookupResult:
        """Answer one request that has the bounds these candidates were gathered under."""
        for standing in self._standings:
            best = self._family.best(request.x_m, request.z_m, standing.wanted, standing.prices)
            if best is not None:
                return _answer(self._table, request, standing, best)
        return LookupResult(NO_CANDIDATES, table_version=self._table.version)


def candidates(table: Table, request: Request) -> Candidates:
    """Return what a request selects from, as it was gathered for an earlier target where it was."""
    return table.prepared(request.kind, lambda: Candidates(table, request))


def _standings(request: Request, aside: dict[str, Conditions]) -> list[_Standing]:
    """List the kinds of candidates, the preferred first: the answer comes from the first that has any.

    A filter that steps aside does so where no row is left that meets it, so a row that fails it is a
    candidate exactly where all fail it.
    """
    levels: list[tuple[str, Conditions, Prices]] = [("fk_nearest", (), ())]
    if isinstance(request, PlaceRequest):
        height = aside.get("ee_y_target")
        levels = [("fk_j4_priority", height or (), _prices(request))]
        if height is not None:
            levels.append(("fk_nearest_ee_y_tol_empty", (), ()))
    return [
        _Standing(wanted + safe, prices, method + suffix, bool(safe))
        for method, wanted, prices in levels
        for suffix, safe in (("_j4safe_pref", aside["j4_safe"]), ("_j4safe_absent", ()))
    ]


def _prices(request: PlaceRequest) -> Prices:
    bounds = request.bounds
    assert bounds.ref_joints is not None
    weights = (
        (Column.J1, bounds.w_j1_m_per_deg),
        (Column.J2, bounds.w_j2_m_per_deg),
        (Column.J4, bounds.w_j4_m_per_deg),
    )
    return tuple(Price(joint, bounds.ref_joints[joint - Column.J0], weight) for joint, weight in weights)


def _answer(table: Table, request: Request, standing: _Standing, best: Best) -> LookupResult:
    row = table.blocks.columns[:, best.position]
    fk_row = int(table.blocks.fk_rows[best.position])
    dx, dz = row[Column.EE_X] - request.x_m, row[Column.EE_Z] - request.z_m
    distance_m = float(np.sqrt(dx * dx + dz * dz))
    if distance_m > request.bounds.guard_m:
        return LookupResult(OUT_OF_RANGE, table_version=table.version, beyond_guard=(fk_row, distance_m))
    joints = row[Column.J0 :]
    reference = request.bounds.ref_joints
    return LookupResult(
        method=standing.method,
        fk_row=fk_row,
        joints_deg=tuple(joints.tolist()),
        point_m=tuple(row[: Column.J0].tolist()),
        x_residual_m=abs(float(dx)),
        z_residual_m=abs(float(dz)),
        xz_distance_m=distance_m,
        score=best.key if standing.prices else distance_m,
        max_dj_deg=None if reference is None else float(np.abs(joints - reference).max()),
        sendable=standing.sendable,
        table_version=table.version,
    )
