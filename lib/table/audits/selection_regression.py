"""The row that a lookup selects may not get worse: through preference and score, more rows can do that."""

from __future__ import annotations

from lib.counted import counted
from lib.lookup import OUT_OF_RANGE, LookupResult
from lib.settings import Settings
from lib.table.audits.audit import Audit, Figure
from lib.table.effect import Change, Effect


def selection_regression(effect: Effect, settings: Settings, accept_worse: int) -> Audit:
    """Fail where more than ``accept_worse`` probes got worse beyond their mode's limit or fell a standing."""
    limits_m = _limits_m(settings)
    worse = [c for c in effect.changes if c.verdict == "worse"]
    beyond = beyond_limit(effect, settings)
    figures: dict[str, Figure] = {
        "probes": len(effect.changes),
        "worse": len(worse),
        "beyond_limit": len(beyond),
        "largest_worsening_m": max((c.change_m or 0.0 for c in worse), default=0.0),
        "place_limit_m": limits_m["place"],
        "pick_limit_m": limits_m["pick"],
        "accepted_worse": accept_worse,
    }
    findings = tuple(_describe(c) for c in sorted(worse, key=lambda c: -(c.change_m or 1.0))[:10])
    said = f"{len(worse)} of {len(effect.changes)} probes select a worse row"
    if not beyond:
        limit = f", all within {limits_m['place'] * 1e3:g} mm" if worse else ""
        return Audit("selection_regression", True, said + limit, figures, findings)
    if len(beyond) <= accept_worse:
        said = f"{counted(len(beyond), 'worse probe')}, {accept_worse} accepted as known"
        return Audit("selection_regression", True, said, figures, findings)
    first = max(beyond, key=lambda c: c.change_m or 1.0)
    said = f"{said}, {len(beyond)} of them beyond the limit; worst: {_describe(first)}"
    return Audit("selection_regression", False, said, figures, findings)


def beyond_limit(effect: Effect, settings: Settings) -> list[Change]:
    """List the probes that fell a standing or got worse by more than their mode allows."""
    limits_m = _limits_m(settings)
    worse = [c for c in effect.changes if c.verdict == "worse"]
    return [c for c in worse if c.degraded or (c.change_m or 0.0) > limits_m[c.probe.mode]]


def selected_row(result: LookupResult) -> str:
    """Say which row a lookup selects and how far off it is, or that it selects none and why."""
    if result.fk_row is None:
        return "no row (out of range)" if result.method == OUT_OF_RANGE else "no row (no candidates)"
    if result.xz_distance_m is None:
        return f"fk_row {result.fk_row} out of range"
    return f"fk_row {result.fk_row} at {result.xz_distance_m * 1e3:.2f} mm"


def cause_of(change: Change) -> str:
    """Say why a lookup selects a worse row than before."""
    before, after = change.before.method, change.after.method
    if change.degraded:
        return f"the method fell from {before} to {after}"
    if "ee_y_tol_empty" in before and "ee_y_tol_empty" not in after:
        return "a new row meets the height target, so the plain nearest is no longer taken"
    if change.probe.mode == "place":
        return "a new row has the smaller score: it moves the joints less and is farther away"
    return "a new row is preferred"


def _limits_m(settings: Settings) -> dict[str, float]:
    return {"place": settings.merge.place_worse_limit_m, "pick": settings.merge.pick_worse_limit_m}


def _describe(change: Change) -> str:
    probe, before, after = change.probe, change.before, change.after
    return (
        f"{probe.mode.upper()} x {probe.x_m:+.3f}, z {probe.z_m:+.3f}: "
        f"{selected_row(before)} -> {selected_row(after)}, because {cause_of(change)}"
    )
