"""From an explanation to its figure: what each filter left of the rows, and the answer at the end."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from lib.lookup import FunnelEntry, LookupResult, Request
from lib.report.funnel_figure import FunnelStep, Selected, write_funnel


def write_explanation(
    path: Path, request: Request, result: LookupResult, rows: int, entries: Sequence[FunnelEntry]
) -> None:
    """Draw the funnel of one question into ``path``; raises BadInput for a name that is no figure's."""
    version = "" if result.table_version is None else f", table version {result.table_version}"
    title = (
        f"{request.mode.upper()} at x {request.x_m:+.4f}, z {request.z_m:+.4f} m: filter by filter{version}"
    )
    write_funnel(path, title, rows, [_step(entry) for entry in entries], _selected(result))


def _step(entry: FunnelEntry) -> FunnelStep:
    return FunnelStep(
        name=entry.filter,
        bound=entry.bound_text,
        protects=entry.protects,
        rows=entry.rows,
        nearest_mm=_mm(entry.best_xz_distance_m),
        z_mm=_mm(entry.best_z_residual_m),
        stepped_aside=entry.inside == 0 and entry.rows > 0,
    )


def _selected(result: LookupResult) -> Selected:
    if result.beyond_guard is not None:
        return Selected("beyond the guard: out of range", _mm(result.beyond_guard[1]), None, sendable=False)
    if result.xz_distance_m is None:
        return Selected("no candidate", None, None, sendable=False)
    label = f"fk_row_{result.fk_row}" + ("" if result.sendable else ", not sendable")
    return Selected(label, _mm(result.xz_distance_m), _mm(result.z_residual_m), result.sendable)


def _mm(distance_m: float | None) -> float | None:
    return None if distance_m is None else distance_m * 1e3
