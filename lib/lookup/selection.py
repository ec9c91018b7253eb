"""Which of the candidates is taken: the smallest score, ties to the smaller row, no farther than the guard.

PLACE's score is the xz distance plus a price for every degree that j1, j2 and j4 leave the reference
pose; PICK's, and PLACE's where no row meets the height target, is the xz distance alone.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from lib.lookup.column import Column
from lib.lookup.condition import Condition
from lib.lookup.family import Family, Price
from lib.lookup.nearest import Best
from lib.lookup.request import PlaceRequest, Request
from lib.lookup.result import NO_CANDIDATES, OUT_OF_RANGE, LookupResult
from lib.lookup.table import Table

Conditions = tuple[Condition, ...]


@dataclass(frozen=True)
class _Standing:
    """One of the kinds of candidates that a request prefers over others."""

    conditions: Conditions
    """What its rows meet."""
    prices: tuple[Price, ...]
    method: str
    sendable: bool


class Candidates:
    """The rows that a request selects from; the same for all targets under the same bounds."""

    def __init__(self, table: Table, request: Request) -> None:
        self._table = table
        self._standings = _standings(request)
        self._families: list[Family | None] = [None] * len(self._standings)

    def select(self, request: Request) -> LookupResult:
        """Answer one request that has the bounds these candidates were gathered under."""
        for k, standing in enumerate(self._standings):
            family = self._families[k]
            if family is None:
                family = self._families[k] = Family(self._table, standing.conditions, standing.prices)
            best = family.best(request.x_m, request.z_m)
            if best is not None:
                return _answer(self._table, request, standing, best)
        return LookupResult(NO_CANDIDATES, table_version=self._table.version)


def candidates(table: Table, request: Request) -> Candidates:
    """Return what a request selects from, as it was gathered for an earlier target where it was."""
    return table.prepared(request.kind, lambda: Candidates(table, request))


def _standings(request: Request) -> list[_Standing]:
    """List the kinds of candidates, the preferred first: the answer comes from the first that has any.

    A filter that steps aside does so where no row is left that meets it, so a row that fails it is a
    candidate exactly where all fail it.
    """
    filters = request.filters
    firm = tuple(c for f in filters if not f.steps_aside for c in f.conditions)
    aside = {f.name: f.conditions for f in filters if f.steps_aside}
    levels: list[tuple[str, Conditions, tuple[Price, ...]]] = [("fk_nearest", firm, ())]
    if isinstance(request, PlaceRequest):
        height = aside.get("ee_y_target")
        levels = [("fk_j4_priority", firm + (height or ()), _prices(request))]
        if height is not None:
            levels.append(("fk_nearest_ee_y_tol_empty", firm, ()))
    return [
        _Standing(conditions + safe, prices, method + suffix, bool(safe))
        for method, conditions, prices in levels
        for suffix, safe in (("_j4safe_pref", aside["j4_safe"]), ("_j4safe_absent", ()))
    ]


def _prices(request: PlaceRequest) -> tuple[Price, ...]:
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
