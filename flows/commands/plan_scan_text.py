"""How a person reads a scan plan: what is missed and why, what would be scanned, how much of it is new."""

from __future__ import annotations

import math
from collections import Counter
from pathlib import Path

from lib.scan import PoseCounts
from lib.table import NOT_KNOWN, Change, ForetoldMerge, MissedTarget, ScanPlan, cause_of

# So many worse probes are named, the worst first.
_NAMED = 5


def plan_text(
    plan: ScanPlan, merge: ForetoldMerge | None, why_not_chain: str | None, written: Path | None
) -> str:
    """Describe a plan in a few lines."""
    limit = f"{plan.worse_than_m * 1e3:g} mm"
    lines = [f"{len(plan.missed)} of {plan.targets} targets are missed by more than {limit}"]
    bound = Counter(target.cause for target in plan.missed if not target.wants_points)
    unknown = bound.pop(NOT_KNOWN, 0)
    if plan.wanting:
        lines.append(f"  {len(plan.wanting)} for want of points")
    if bound:
        causes = ", ".join(f"{name} {count}" for name, count in bound.most_common())
        lines.append(f"  {sum(bound.values())} bound, more points change nothing: {causes}")
    if unknown:
        lines.append(
            f"  {unknown} not known: nothing that is known of the arm tells which pose would reach them"
        )
    lines += [f"    {_target(t)}: {t.says}" for t in plan.missed if not t.wants_points and plan.targets <= 10]
    if plan.request is None:
        return "\n".join([*lines, "nothing to scan"])
    kind = "exact poses" if plan.request.exact else "base poses"
    if plan.proposed.bases > plan.chosen.bases:
        lines.append(f"one each would be {counts_text(plan.proposed)}")
    lines.append(f"the smallest set: {counts_text(plan.chosen)}")
    lines += ["  " + " ".join(f"{joint:9.4f}" for joint in base) for base in plan.request.bases.tolist()]
    served = sum(d is not None and d <= plan.worse_than_m for d in plan.after_m)
    lines.append(f"foretold: {served} of {len(plan.wanting)} come within {limit}, {_medians(plan)}")
    if served < len(plan.wanting) and not plan.request.exact:
        lines.append(
            "  for the others the score prefers other rows of the grids: --exact asks for their poses alone"
        )
    if merge is not None:
        lines += _merge_lines(merge)
    if why_not_chain is not None:
        lines.append(f"the chain was not used, so only the {kind} themselves are foretold: {why_not_chain}")
    if written is not None:
        lines.append(f"wrote {written}: {plan.request.expected_rows:,} rows to scan")
    return "\n".join(lines)


def request_text(
    file: Path, counts: PoseCounts, merge: ForetoldMerge | None, why_not_chain: str | None
) -> str:
    """Describe a request that is there already."""
    lines = [f"{file}: {counts_text(counts)}"]
    if merge is None:
        return "\n".join([*lines, f"what it would change cannot be foretold: {why_not_chain}"])
    return "\n".join([*lines, *_merge_lines(merge)])


def _merge_lines(merge: ForetoldMerge) -> list[str]:
    """Say what the rows would do to the standard probes, and whether the merge would let them in."""
    effect, beyond = merge.effect, merge.beyond_limit
    said = f"foretold for the {len(effect.changes)} standard probes: {effect.count('improved')} improve"
    worse = effect.count("worse")
    if not worse:
        return [f"{said}, none gets worse"]
    if not beyond:
        return [f"{said}, {worse} get worse, all within the merge's limits"]
    lines = [
        f"{said}, {worse} get worse, {len(beyond)} of them beyond the merge's limits: "
        f"it would block without --accept-worse {len(beyond)}"
    ]
    lines += [_worse(change) for change in sorted(beyond, key=_worst_first)[:_NAMED]]
    return lines + [f"  ... and {len(beyond) - _NAMED} more"] * (len(beyond) > _NAMED)


def _worse(change: Change) -> str:
    probe = change.probe
    before, after = (_mm(result.xz_distance_m) for result in (change.before, change.after))
    where = f"{probe.mode} x {probe.x_m:+.4f} z {probe.z_m:+.4f}"
    return f"  {where}: {before} -> {after}, because {cause_of(change)}"


def _worst_first(change: Change) -> float:
    return -math.inf if change.change_m is None else -change.change_m


def _mm(distance_m: float | None) -> str:
    return "out of range" if distance_m is None else f"{distance_m * 1e3:.2f} mm"


def counts_text(counts: PoseCounts) -> str:
    """Say how many poses a request has, and how many of them are new."""
    noun = "pose" if counts.bases == 1 else "poses"
    said = f"{counts.bases:,} {noun} in the request, {counts.poses:,} to scan, "
    said += f"{counts.distinct:,} different"
    if counts.repeated:
        said += f" ({counts.repeated / counts.poses:.0%} would be measured twice)"
    return f"{said}; the table has {counts.known:,} of them, {counts.new:,} are new"


def _medians(plan: ScanPlan) -> str:
    before = sorted(t.xz_distance_m for t in plan.wanting if t.xz_distance_m is not None)
    after = sorted(d for d in plan.after_m if d is not None)
    if not before or not after:
        return "none has a row today"
    return f"median {_middle(before) * 1e3:.2f} -> {_middle(after) * 1e3:.2f} mm"


def _middle(values: list[float]) -> float:
    return 0.5 * (values[(len(values) - 1) // 2] + values[len(values) // 2])


def _target(target: MissedTarget) -> str:
    request = target.request
    return f"{request.mode} x {request.x_m:+.4f} z {request.z_m:+.4f}"
