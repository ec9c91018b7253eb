"""The funnel: how many rows each filter left, and how near the nearest of them is."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.lookup.column import Column
from lib.lookup.filter_pass import Stage
from lib.lookup.filters import Bound
from lib.lookup.request import Request
from lib.lookup.table import Table


@dataclass(frozen=True)
class FunnelEntry:
    """One filter's line."""

    filter: str
    bound: Bound
    """Lowest and highest allowed value, None where open."""
    unit: str
    protects: bool
    rows: int
    """Rows left for the next step: those inside, or all where the filter stepped aside."""
    inside: int
    """Rows that meet this filter and all before it; 0 where it stepped aside."""
    best_z_residual_m: float | None
    """z residual of the row that is nearest in the x-z plane [m]."""
    best_xz_distance_m: float | None
    """Distance of the nearest row left [m]."""

    @property
    def bound_text(self) -> str:
        """The bound with its unit, as a person reads it."""
        low, high = self.bound
        if high is None:
            return f">= {low:g} {self.unit}"
        if self.filter == "ref_joints":
            return f"+-{high:g} {self.unit}"
        return f"[{low:g}, {high:g}] {self.unit}"

    def as_json(self) -> dict[str, object]:
        """Return the entry as `nightpick lookup --explain --json` prints it."""
        return {
            "filter": self.filter,
            "bound": list(self.bound),
            "unit": self.unit,
            "protects": self.protects,
            "rows": self.rows,
            "inside": self.inside,
            "best_z_residual_m": self.best_z_residual_m,
            "best_xz_distance_m": self.best_xz_distance_m,
        }


def funnel_of(stages: Sequence[Stage], table: Table, request: Request) -> tuple[FunnelEntry, ...]:
    """Describe each stage of the filter pass that the lookup selects from."""
    return tuple(_entry(stage, table, request) for stage in stages)


def _entry(stage: Stage, table: Table, request: Request) -> FunnelEntry:
    best_z_residual_m = best_xz_distance_m = None
    if len(stage.rows):
        columns = table.blocks.columns
        dx = columns[Column.EE_X][stage.rows] - request.x_m
        dz = columns[Column.EE_Z][stage.rows] - request.z_m
        squared = dx * dx + dz * dz
        tied = np.flatnonzero(squared == squared.min())
        nearest = tied[np.argmin(table.blocks.fk_rows[stage.rows[tied]])]
        best_z_residual_m = abs(float(dz[nearest]))
        best_xz_distance_m = float(np.sqrt(squared[nearest]))
    step = stage.filter
    return FunnelEntry(
        filter=step.name,
        bound=step.bound,
        unit=step.unit,
        protects=step.protects,
        rows=len(stage.rows),
        inside=stage.inside,
        best_z_residual_m=best_z_residual_m,
        best_xz_distance_m=best_xz_distance_m,
    )
