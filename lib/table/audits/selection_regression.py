"""The row that a lookup selects may not get worse: through preference and score, more rows can do that."""

from __future__ import annotations

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
        said = f"{len(beyond)} worse probes, {accept_worse} are known and accepted"
        return Audit("selection_regression", True, said, figures, findings)
    first = max(beyond, key=lambda c: c.change_m or 1.0)
    said = f"{said}, {len(beyond)} of them beyond the limit; worst: {_describe(first)}"
    return Audit("selection_regression", False, said, figures, findings)


def beyond_limit(effect: Effect, settings: Settings) -> list[Change]:
    """List the probes that fell a standing or got worse by more than their mode allows."""
    limits_m = _limits_m(settings)
    worse = [c for c in effect.changes if c.verdict == "worse"]
    return [c for c in worse if c.degraded or (c.change_m or 0.0) > limits_m[c.probe.mode]]


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
        f"fk_row {before.fk_row} at {_mm(before.xz_distance_m)} -> fk_row {after.fk_row} at "
        f"{_mm(after.xz_distance_m)}, because {cause_of(change)}"
    )


def _mm(distance_m: float | None) -> str:
    return "out of range" if distance_m is None else f"{distance_m * 1e3:.2f} mm"
