"""What a scan would change, told before it is scanned: by the rows that the chain says it would add."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from lib.lookup import OUT_OF_RANGE, LookupResult, PlaceRequest, Request, Table, lookup_many
from lib.lookup.refine import KnownChain, Refinement
from lib.scan import ScanRequest
from lib.settings import Settings
from lib.table.audits.selection_regression import beyond_limit, cause_of
from lib.table.effect import Change, Effect, probe_request
from lib.table.probes import standard_probes

# A row at any distance says where to start from; the guard is the lookup's own affair.
_NO_GUARD_M = 2.0


def without_guard(request: Request) -> Request:
    """Ask the same, however far the answer."""
    if isinstance(request, PlaceRequest):
        return replace(request, bounds=replace(request.bounds, guard_m=_NO_GUARD_M))
    return replace(request, bounds=replace(request.bounds, guard_m=_NO_GUARD_M))


def selection_order(result: LookupResult) -> tuple[bool, bool, float]:
    """Return what the lookup goes by when rows of different tables are in one: the smallest is selected.

    Of answers without a guard only: a row beyond the guard hides those that a preference put behind it.
    """
    if result.score is None:
        return True, True, math.inf
    return "ee_y_tol_empty" in result.method, not result.sendable, result.score


def foretold_rows(chain: KnownChain, refined: Refinement, exact: bool) -> Table:
    """Return the rows that the twin would measure: of a grid all where the chain holds, else its middle."""
    assert refined.joints_deg is not None and refined.predicted_point_m is not None
    if exact or chain.why_not is not None:
        return Table.from_points([(*refined.predicted_point_m, *refined.joints_deg)])
    return foretold_scan(chain, ScanRequest(np.array([refined.joints_deg]), exact=False))


def foretold_scan(chain: KnownChain, request: ScanRequest) -> Table:
    """Return the rows that the twin would measure for a request; the chain must hold."""
    poses = request.poses()
    return Table.from_points(np.hstack([chain.tips(poses), poses]))


@dataclass(frozen=True)
class ForetoldMerge:
    """What merging rows would change for the standard probes."""

    effect: Effect
    """Every probe before and after; numbers of rows that are not in the table yet mean nothing."""
    beyond_limit: tuple[Change, ...]
    """Those that would keep the merge from being published."""

    def as_json(self) -> dict[str, object]:
        """Return what `table plan-scan --json` prints of it."""
        worse = [{**change.as_json(), "cause": cause_of(change)} for change in self.beyond_limit]
        counts = {key: value for key, value in self.effect.as_json().items() if isinstance(value, int)}
        return {**counts, "beyond_limit": worse}


def foretell_merge(settings: Settings, table: Table, added: Sequence[Table]) -> ForetoldMerge:
    """Tell what a merge of these rows would change, as the merge's own comparison will."""
    probes = standard_probes(settings)
    asked = [probe_request(settings, probe) for probe in probes]
    unguarded = [without_guard(request) for request in asked]
    before, *new = (lookup_many(rows, unguarded) for rows in (table, *added))
    changes = []
    for probe, request, old, *found in zip(probes, asked, before, *new, strict=True):
        after = min([old, *found], key=selection_order)
        changes.append(Change(probe, _guarded(old, request), _guarded(after, request)))
    effect = Effect(tuple(changes))
    return ForetoldMerge(effect, tuple(beyond_limit(effect, settings)))


def _guarded(result: LookupResult, request: Request) -> LookupResult:
    """Return what the lookup answers where its guard is in force."""
    distance_m = result.xz_distance_m
    if distance_m is None or result.fk_row is None or distance_m <= request.bounds.guard_m:
        return result
    return LookupResult(
        OUT_OF_RANGE, table_version=result.table_version, beyond_guard=(result.fk_row, distance_m)
    )
