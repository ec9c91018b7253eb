"""Which of the candidates is taken: the smallest score, ties to the smaller row, no farther than the guard.

PLACE's score is the xz distance plus a price for every degree that j1, j2 and j4 leave the reference
pose; PICK's, and PLACE's where no row meets the height target, is the xz distance alone.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache

import numpy as np

from lib.lookup.column import Column
from lib.lookup.condition import Condition
from lib.lookup.family import Family, Price
from lib.lookup.nearest import Best
from lib.lookup.questions import Questions
from lib.lookup.request import PlaceRequest, Request
from lib.lookup.result import NO_CANDIDATES, OUT_OF_RANGE, LookupResult
from lib.lookup.side_by_side import best_of_each
from lib.lookup.table import Table

Conditions = tuple[Condition, ...]


@dataclass(frozen=True)
class Title:
    """What an answer says of the kind of candidates it comes from."""

    method: str
    sendable: bool
    scored: bool
    """Whether joints had a price."""


@dataclass(frozen=True)
class Standing:
    """One of the kinds of candidates that a request prefers over others."""

    conditions: Conditions
    """What its rows meet."""
    prices: tuple[Price, ...]
    title: Title


class Candidates:
    """The rows that a request selects from; the same for all targets under the same bounds."""

    def __init__(self, table: Table, request: Request) -> None:
        self._table = table
        self._waiting = standings(request)
        self._families: list[tuple[Standing, Family]] = []

    def select(self, request: Request) -> LookupResult:
        """Answer one request that has the bounds these candidates were gathered under."""
        for standing, family in self._in_order():
            best = family.best(request.x_m, request.z_m)
            if best is not None:
                return _answer(self._table, request, standing.title, best)
        return LookupResult(NO_CANDIDATES, table_version=self._table.version)

    def _in_order(self) -> Iterator[tuple[Standing, Family]]:
        yield from tuple(self._families)
        for standing in self._waiting:
            self._families.append((standing, Family(self._table, standing.conditions, standing.prices)))
            yield self._families[-1]


def select_each(table: Table, requests: Sequence[Request]) -> list[LookupResult] | None:
    """Answer requests whose bounds differ, all together; None where that would need too many rows."""
    results = [LookupResult(NO_CANDIDATES, table_version=table.version)] * len(requests)
    waiting = list(range(len(requests)))
    preferences = [standings(request) for request in requests]
    while True:
        lots = _lots(requests, waiting, preferences)
        if not lots:
            return results
        waiting = []
        for lot in lots:
            found = best_of_each(table.blocks, lot.questions.some(slice(len(lot.asked))))
            if found is None:
                return None
            for k, title, best in zip(lot.asked, lot.titles, found, strict=True):
                if best is None:
                    waiting.append(k)
                else:
                    results[k] = _answer(table, requests[k], title, best)
    return results


@dataclass
class _Lot:
    """Questions that price the same joints."""

    questions: Questions
    asked: list[int]
    """Positions of the requests they come from."""
    titles: list[Title]


def _lots(
    requests: Sequence[Request], waiting: Sequence[int], preferences: Sequence[Iterator[Standing]]
) -> list[_Lot]:
    """Ask what each waiting request prefers next, where it prefers anything."""
    lots: dict[tuple[Column, ...], _Lot] = {}
    for k in waiting:
        request, standing = requests[k], next(preferences[k], None)
        if standing is None:
            continue
        joints = tuple([price.joint for price in standing.prices])
        lot = lots.get(joints)
        if lot is None:
            lot = lots[joints] = _Lot(Questions.unasked(len(waiting), joints), [], [])
        lot.questions.ask(len(lot.asked), (request.x_m, request.z_m), standing.conditions, standing.prices)
        lot.asked.append(k)
        lot.titles.append(standing.title)
    return list(lots.values())


def candidates(table: Table, request: Request) -> Candidates:
    """Return what a request selects from, as it was gathered for an earlier target where it was."""
    return table.prepared(request.kind, lambda: Candidates(table, request))


def standings(request: Request) -> Iterator[Standing]:
    """Give the kinds of candidates, the preferred first: the answer comes from the first that has any.

    A filter that steps aside does so where no row is left that meets it, so a row that fails it is a
    candidate exactly where all fail it.
    """
    filters = request.filters
    firm = tuple([c for f in filters if not f.steps_aside for c in f.conditions])
    aside = {f.name: f.conditions for f in filters if f.steps_aside}
    levels: list[tuple[str, Conditions, tuple[Price, ...]]] = [("fk_nearest", firm, ())]
    if isinstance(request, PlaceRequest):
        height = aside.get("ee_y_target")
        levels = [("fk_j4_priority", firm + (height or ()), _prices(request))]
        if height is not None:
            levels.append(("fk_nearest_ee_y_tol_empty", firm, ()))
    for method, conditions, prices in levels:
        yield Standing(conditions + aside["j4_safe"], prices, _title(method, True, bool(prices)))
        yield Standing(conditions, prices, _title(method, False, bool(prices)))


@cache
def _title(level: str, sendable: bool, scored: bool) -> Title:
    return Title(level + ("_j4safe_pref" if sendable else "_j4safe_absent"), sendable, scored)


def _prices(request: PlaceRequest) -> tuple[Price, ...]:
    bounds = request.bounds
    assert bounds.ref_joints is not None
    weights = (
        (Column.J1, bounds.w_j1_m_per_deg),
        (Column.J2, bounds.w_j2_m_per_deg),
        (Column.J4, bounds.w_j4_m_per_deg),
    )
    return tuple(Price(joint, bounds.ref_joints[joint - Column.J0], weight) for joint, weight in weights)


def _answer(table: Table, request: Request, title: Title, best: Best) -> LookupResult:
    row = table.blocks.columns[:, best.position]
    fk_row = int(table.blocks.fk_rows[best.position])
    dx, dz = row[Column.EE_X] - request.x_m, row[Column.EE_Z] - request.z_m
    distance_m = float(np.sqrt(dx * dx + dz * dz))
    if distance_m > request.bounds.guard_m:
        return LookupResult(OUT_OF_RANGE, table_version=table.version, beyond_guard=(fk_row, distance_m))
    joints = row[Column.J0 :]
    reference = request.bounds.ref_joints
    return LookupResult(
        method=title.method,
        fk_row=fk_row,
        joints_deg=tuple(joints.tolist()),
        point_m=tuple(row[: Column.J0].tolist()),
        x_residual_m=abs(float(dx)),
        z_residual_m=abs(float(dz)),
        xz_distance_m=distance_m,
        score=best.key if title.scored else distance_m,
        max_dj_deg=None if reference is None else float(np.abs(joints - reference).max()),
        sendable=title.sendable,
        table_version=table.version,
    )
