"""What to relax: every filter's bound and the score's weights, alone and in pairs, and what each would give.

Relaxing a filter leaves it out of the question; relaxing ``score_weights`` sets the weights to zero,
so that the nearest row wins. A filter that protects hardware is never relaxed; where one hides a
nearer row it is named with that row.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import combinations

from lib.lookup.batch import lookup_many
from lib.lookup.binding import SCORE_WEIGHTS
from lib.lookup.filters import Filter
from lib.lookup.request import LARGEST_TARGET_M, PlaceRequest, Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Column, Table

# Nearer by less than this is the same place.
_SAME_M = 1e-6

# Bounds that no pose breaks, to see what lies behind a protecting filter.
_ANY_ANGLE_DEG = (-360.0, 360.0)
_ANY_HEIGHT_M = -LARGEST_TARGET_M


@dataclass(frozen=True)
class Protected:
    """A nearer row that a protecting filter keeps away, and keeps."""

    filter: str
    joints_deg: tuple[float, ...]
    """Its pose, j0..j5 [deg]; never a suggestion."""
    xz_distance_m: float
    z_residual_m: float
    says: str
    """The same in words."""

    def as_json(self) -> dict[str, object]:
        """Return the row as a culprit's ``protected`` lists it."""
        return {
            "filter": self.filter,
            "xz_distance_m": self.xz_distance_m,
            "z_residual_m": self.z_residual_m,
            "joints_deg": list(self.joints_deg),
            "says": self.says,
        }


@dataclass(frozen=True)
class Culprit:
    """What one relaxation would give."""

    relax: tuple[str, ...]
    """One or two filters, or ``score_weights``."""
    result: LookupResult
    """The answer to the relaxed question."""
    changes_row: bool
    """Whether that is another row than without relaxing."""
    protected: tuple[Protected, ...]
    """Nearer rows that the relaxed question would find outside protecting bounds."""

    @property
    def xz_distance_m(self) -> float | None:
        """How far the selected row would be [m]; None where there is none to send the arm to."""
        return self.result.xz_distance_m if self.result.sendable else None

    def as_json(self) -> dict[str, object]:
        """Return the culprit as `nightpick lookup --explain --json` prints it."""
        result = self.result
        suggests = result.sendable and result.joints_deg is not None
        return {
            "relax": list(self.relax),
            "xz_distance_m": self.xz_distance_m,
            "z_residual_m": result.z_residual_m if suggests else None,
            "joints_deg": list(result.joints_deg or ()) if suggests else None,
            "protected": [row.as_json() for row in self.protected],
        }


def culprits(table: Table, request: Request) -> tuple[Culprit, ...]:
    """Relax everything that may be relaxed, alone and in pairs; the smallest residual comes first.

    Equal residuals keep the order of the filters, one relaxation before two.
    """
    names = relaxable(request)
    sets = [*combinations(names, 1), *combinations(names, 2)]
    asked = [request, *(relaxed(request, relax) for relax in sets)]
    shields = [f for f in request.filters if f.protects]
    # One call for all: the answers, then what each protecting filter alone and all together would hide.
    openings = [(shield,) for shield in shields] + ([tuple(shields)] if len(shields) > 1 else [])
    questions = asked + [_opened(question, opening) for opening in openings for question in asked]
    answers = lookup_many(table, questions)
    now, *results = answers[: len(asked)]
    found = []
    for k, (relax, result) in enumerate(zip(sets, results, strict=True), start=1):
        behind = [answers[(n + 1) * len(asked) + k] for n in range(len(openings))]
        hidden = _hidden(table, asked[k], result, shields, behind)
        found.append(Culprit(relax, result, result.fk_row != now.fk_row, hidden))
    return tuple(sorted(found, key=_rank))


def relaxable(request: Request) -> tuple[str, ...]:
    """Name what may be relaxed: the filters in force that protect nothing, and PLACE's weights."""
    names = tuple(f.name for f in request.filters if not f.protects)
    return (*names, SCORE_WEIGHTS) if isinstance(request, PlaceRequest) else names


def relaxed(request: Request, names: Sequence[str]) -> Request:
    """Ask the same with some filters left out, or with the nearest row winning."""
    without = request.without | (frozenset(names) - {SCORE_WEIGHTS})
    if isinstance(request, PlaceRequest) and SCORE_WEIGHTS in names:
        weightless = replace(request.bounds, w_j1_m_per_deg=0.0, w_j2_m_per_deg=0.0, w_j4_m_per_deg=0.0)
        return replace(request, bounds=weightless, without=without)
    return replace(request, without=without)


def _opened(request: Request, shields: Sequence[Filter]) -> Request:
    """Ask as if some protecting filters were not there: only to say what they hide."""
    names = {shield.name for shield in shields}
    if isinstance(request, PlaceRequest) and "ee_y_floor" in names:
        request = replace(request, bounds=replace(request.bounds, ee_y_floor_m=_ANY_HEIGHT_M))
    if "j4_safe" not in names:
        return request
    if isinstance(request, PlaceRequest):
        return replace(request, bounds=replace(request.bounds, j4_safe_deg=_ANY_ANGLE_DEG))
    return replace(request, bounds=replace(request.bounds, j4_safe_deg=_ANY_ANGLE_DEG))


def _hidden(
    table: Table,
    request: Request,
    result: LookupResult,
    shields: Sequence[Filter],
    behind: Sequence[LookupResult],
) -> tuple[Protected, ...]:
    limit_m = result.xz_distance_m if result.sendable and result.xz_distance_m is not None else math.inf
    found: dict[str, Protected] = {}
    for answer in sorted(behind, key=lambda a: math.inf if a.xz_distance_m is None else a.xz_distance_m):
        if answer.joints_deg is None or answer.xz_distance_m is None or answer.point_m is None:
            continue
        if answer.xz_distance_m > limit_m - _SAME_M:
            continue
        row = (*answer.point_m, *answer.joints_deg)
        for shield in shields:
            condition = shield.conditions[0]
            value = row[condition.column]
            if shield.name not in found and not _inside(shield, value):
                found[shield.name] = _protected(shield, condition.column, value, answer)
    return tuple(found[shield.name] for shield in shields if shield.name in found)


def _inside(shield: Filter, value: float) -> bool:
    low, high = shield.bound
    return (low is None or value >= low) and (high is None or value <= high)


def _protected(shield: Filter, column: Column, value: float, answer: LookupResult) -> Protected:
    assert answer.joints_deg is not None and answer.xz_distance_m is not None
    assert answer.z_residual_m is not None
    distance = f"{answer.xz_distance_m * 1e3:.1f} mm"
    if column == Column.EE_Y:
        says = f"{distance} exists at a tip height of {value * 1e3:.1f} mm, below the floor"
    else:
        says = f"{distance} exists at {column.name.lower()} = {value:g} deg, outside the safe range"
    return Protected(shield.name, answer.joints_deg, answer.xz_distance_m, answer.z_residual_m, says)


def _rank(culprit: Culprit) -> tuple[int, float]:
    # What the safe range or the guard refuses comes last, the nearer the earlier.
    if culprit.xz_distance_m is not None:
        return 0, culprit.xz_distance_m
    result = culprit.result
    if result.xz_distance_m is not None:
        return 1, result.xz_distance_m
    return 2, math.inf if result.beyond_guard is None else result.beyond_guard[1]
