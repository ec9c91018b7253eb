"""Which of the candidates is taken: the smallest score, ties to the smaller row, no farther than the guard.

PLACE's score is the xz distance plus a price for every degree that j1, j2 and j4 leave the reference
pose; PICK's, and PLACE's where no row meets the height target, is the xz distance alone.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.filter_pass import Stage
from lib.lookup.request import PlaceRequest, Request
from lib.lookup.result import NO_CANDIDATES, OUT_OF_RANGE, LookupResult
from lib.lookup.table import Column, Table

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Candidates:
    """The rows that a request selects from, gathered once for all targets under the same bounds."""

    table: Table
    rows: NDArray[np.intp]
    """Positions in the table, ascending, of shape (m,)."""
    x_m: Values
    z_m: Values
    penalties_m: tuple[Values, ...]
    """What j1, j2 and j4 add to the score [m]; empty where the score is the distance alone."""
    method: str
    sendable: bool

    @classmethod
    def after(cls, stages: Sequence[Stage], table: Table, request: Request) -> Candidates:
        """Gather what the filter pass left."""
        rows = stages[-1].rows
        aside = {stage.filter.name for stage in stages if stage.stepped_aside}
        penalties_m: tuple[Values, ...] = ()
        method = "fk_nearest"
        if isinstance(request, PlaceRequest):
            if "ee_y_target" in aside:
                method = "fk_nearest_ee_y_tol_empty"
            else:
                method = "fk_j4_priority"
                penalties_m = _penalties_m(table, rows, request)
        safe = "j4_safe" not in aside
        return cls(
            table=table,
            rows=rows,
            x_m=table.column(Column.EE_X)[rows],
            z_m=table.column(Column.EE_Z)[rows],
            penalties_m=penalties_m,
            method=method + ("_j4safe_pref" if safe else "_j4safe_absent"),
            sendable=safe,
        )

    def select(self, request: Request) -> LookupResult:
        """Answer one request that has the bounds these candidates were gathered under."""
        version = self.table.version
        if not len(self.rows):
            return LookupResult(NO_CANDIDATES, table_version=version)
        dx, dz = self.x_m - request.x_m, self.z_m - request.z_m
        squared = dx * dx + dz * dz
        if self.penalties_m:
            score = np.sqrt(squared)
            for penalty in self.penalties_m:
                score += penalty
            best = int(np.argmin(score))
        else:
            # Compared as squares: roots can be equal where squares differ, and would tie.
            best = int(np.argmin(squared))
        distance_m = float(np.sqrt(squared[best]))
        row = int(self.rows[best])
        fk_row = int(self.table.fk_rows[row])
        if distance_m > request.bounds.guard_m:
            return LookupResult(OUT_OF_RANGE, table_version=version, beyond_guard=(fk_row, distance_m))
        point = self.table.points[row]
        joints = point[Column.J0 :]
        reference = request.bounds.ref_joints
        return LookupResult(
            method=self.method,
            fk_row=fk_row,
            joints_deg=tuple(joints.tolist()),
            point_m=tuple(point[: Column.J0].tolist()),
            x_residual_m=abs(float(dx[best])),
            z_residual_m=abs(float(dz[best])),
            xz_distance_m=distance_m,
            score=float(score[best]) if self.penalties_m else distance_m,
            max_dj_deg=None if reference is None else float(np.abs(joints - reference).max()),
            sendable=self.sendable,
            table_version=version,
        )


def _penalties_m(table: Table, rows: NDArray[np.intp], request: PlaceRequest) -> tuple[Values, ...]:
    bounds = request.bounds
    assert bounds.ref_joints is not None
    weights = (
        (Column.J1, bounds.w_j1_m_per_deg),
        (Column.J2, bounds.w_j2_m_per_deg),
        (Column.J4, bounds.w_j4_m_per_deg),
    )
    return tuple(
        weight * np.abs(table.column(joint)[rows] - bounds.ref_joints[joint - Column.J0])
        for joint, weight in weights
    )
