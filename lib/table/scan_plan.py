"""What to scan next: base poses for the targets that the table misses only for want of points.

A target is missed for want of points where filters and limits allow a pose that reaches it, the lookup
would select that pose, and the table has no row there. Where no pose inside the filters reaches it, or
the score would not select it, more rows change nothing: such a target is bound, and not planned for.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np

from lib.lookup import (
    ABSENCE_OF_POINTS,
    SCORE_WEIGHTS,
    LookupResult,
    Request,
    Table,
    lookup,
    lookup_many,
    with_binding_filters,
)
from lib.lookup.refine import KnownChain, Refinement, foretell, refine
from lib.scan import PoseCounts, ScanRequest, count_poses, smallest_set
from lib.table.foretold import foretold_rows, selection_order, without_guard

Progress = Callable[[int, int], None]

NOT_KNOWN = "unknown"
"""Cause of a miss where neither a chain nor measured neighbours tell which pose would reach the target."""


@dataclass(frozen=True)
class MissedTarget:
    """A target whose residual is too large, and why."""

    request: Request
    xz_distance_m: float | None
    """What the lookup would answer today, without its guard; None where no row is left."""
    cause: str
    """``absence_of_points``, or what binds it most: a filter, ``joint_limits``, ``score_weights``."""
    says: str
    """The same in words."""
    bound_by: tuple[str, ...] = ()
    """All that binds it."""
    refined: Refinement | None = None
    """The pose that reaches it, where only points are missing."""

    @property
    def pose_deg(self) -> tuple[float, ...] | None:
        """The pose to scan, where only points are missing [deg]."""
        return None if self.refined is None else self.refined.joints_deg

    @property
    def wants_points(self) -> bool:
        """Whether a scan helps."""
        return self.cause == ABSENCE_OF_POINTS

    def as_json(self) -> dict[str, object]:
        """Return the target as `table plan-scan --json` lists it."""
        return {
            "mode": self.request.mode,
            "target_m": [self.request.x_m, self.request.z_m],
            "xz_distance_m": self.xz_distance_m,
            "cause": self.cause,
            "bound_by": list(self.bound_by),
            "says": self.says,
            "pose_deg": None if self.pose_deg is None else list(self.pose_deg),
            "predicted_residual_m": None if self.refined is None else self.refined.predicted_residual_m,
            "method": None if self.refined is None else self.refined.method,
        }


@dataclass(frozen=True, eq=False)
class ScanPlan:
    """What to ask the twin for."""

    targets: int
    """Targets looked at."""
    missed: tuple[MissedTarget, ...]
    """Those whose residual is too large."""
    worse_than_m: float
    after_m: tuple[float | None, ...]
    """What the lookup should answer to each of ``wanting`` when the request was scanned and merged [m]."""
    proposed: PoseCounts
    """One pose or grid for every target that wants points."""
    chosen: PoseCounts
    """The fewest of them that still serve all."""
    request: ScanRequest | None
    """The request for those; None where there is nothing to scan."""
    added: tuple[Table, ...]
    """The rows that it would add, as far as they can be foretold."""

    @property
    def wanting(self) -> tuple[MissedTarget, ...]:
        """The targets that a scan helps."""
        return tuple(target for target in self.missed if target.wants_points)

    def as_json(self) -> dict[str, object]:
        """Return what `table plan-scan --json` prints."""
        return {
            "targets": self.targets,
            "worse_than_m": self.worse_than_m,
            "missed": [target.as_json() for target in self.missed],
            "wanting_points": len(self.wanting),
            "after_m": list(self.after_m),
            "proposed": self.proposed.as_json(),
            "chosen": self.chosen.as_json(),
            "exact": None if self.request is None else self.request.exact,
            "bases_deg": [] if self.request is None else self.request.bases.tolist(),
        }


def plan_scan(
    table: Table,
    chain: KnownChain,
    requests: Sequence[Request],
    worse_than_m: float,
    exact: bool = False,
    progress: Progress = lambda done, steps: None,
) -> ScanPlan:
    """Plan what the twin should measure for the requests that are missed by more than ``worse_than_m``.

    ``exact`` asks for the very poses, one row each, else for the grid around each. ``progress`` is told
    the steps done and in all.
    """
    asked = [without_guard(request) for request in requests]
    answers = with_binding_filters(table, asked, lookup_many(table, asked))
    short = [
        (request, answer)
        for request, answer in zip(asked, answers, strict=True)
        if answer.xz_distance_m is None or not answer.sendable or answer.xz_distance_m > worse_than_m
    ]
    missed, starts = [], []
    for done, (request, answer) in enumerate(short):
        progress(done, 2 * len(short))
        missed.append(_missed(table, chain, request, answer, worse_than_m))
        if missed[-1].wants_points:
            starts.append(answer)
    wanting = [target for target in missed if target.wants_points]
    foretold = np.empty((len(wanting), len(wanting)), dtype=object)
    for k, target in enumerate(wanting):
        progress(len(short) + k, len(short) + len(wanting))
        foretold[k] = lookup_many(_rows(chain, target, exact), [w.request for w in wanting])

    def after(chosen: Sequence[int]) -> list[LookupResult]:
        """Foretell what the lookup would select, the rows of several grids together."""
        return [
            min([start, *new], key=selection_order)
            for start, *new in zip(starts, *foretold[chosen], strict=True)
        ]

    def served(chosen: Sequence[int]) -> int:
        return sum(r.xz_distance_m is not None and r.xz_distance_m <= worse_than_m for r in after(chosen))

    chosen = smallest_set(len(wanting), served)
    poses = np.array([target.pose_deg for target in wanting]).reshape(-1, 6)
    joints = table.points[:, 3:]
    return ScanPlan(
        targets=len(requests),
        missed=tuple(missed),
        worse_than_m=worse_than_m,
        after_m=tuple(result.xz_distance_m for result in after(chosen)),
        proposed=count_poses(ScanRequest(np.unique(poses, axis=0), exact), joints),
        chosen=count_poses(ScanRequest(poses[chosen], exact), joints),
        request=ScanRequest(poses[chosen], exact) if chosen else None,
        added=tuple(_rows(chain, wanting[k], exact) for k in chosen),
    )


def _missed(
    table: Table, chain: KnownChain, request: Request, answer: LookupResult, worse_than_m: float
) -> MissedTarget:
    refined = refine(table, request, answer, chain)
    if not refined.found:
        # A scan may go where nothing was measured yet; the arm may not.
        beyond = foretell(table, request, answer, chain)
        refined = refined if beyond.why_not_chain else beyond
    if refined.joints_deg is None or refined.predicted_point_m is None:
        bound_by = _bound_by(refined, answer)
        return MissedTarget(request, answer.xz_distance_m, bound_by[0], str(refined.why_not), bound_by)
    assert refined.predicted_residual_m is not None
    said = f"a pose {refined.predicted_residual_m * 1e3:.2f} mm off exists inside the filters"
    new = lookup(Table.from_points([(*refined.predicted_point_m, *refined.joints_deg)]), request)
    if refined.predicted_residual_m > worse_than_m or selection_order(new) >= selection_order(answer):
        says = f"{said}, but its score would not be the smallest"
        return MissedTarget(request, answer.xz_distance_m, SCORE_WEIGHTS, says, (SCORE_WEIGHTS,))
    says = f"{said}, the table has no row there"
    return MissedTarget(request, answer.xz_distance_m, ABSENCE_OF_POINTS, says, refined=refined)


def _rows(chain: KnownChain, target: MissedTarget, exact: bool) -> Table:
    assert target.refined is not None
    return foretold_rows(chain, target.refined, exact)


def _bound_by(refined: Refinement, answer: LookupResult) -> tuple[str, ...]:
    """Name what keeps a target away: the bounds the nearest pose stands at, else the funnel's step."""
    held_by = refined.nearest.held_by if refined.nearest is not None else ()
    named = answer.binding_filter
    if named is not None and named != ABSENCE_OF_POINTS and (named in held_by or not held_by):
        return (named, *(name for name in held_by if name != named))
    return held_by or (NOT_KNOWN,)
