"""The robot's chain and one constant tip explain every row, or the scan is not what it claims to be."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from lib.counted import counted
from lib.robot import Robot
from lib.table.audits.audit import Audit, Figure
from lib.table.causes import Cause, Suspects, name_cause
from lib.table.chain_fit import ChainFit, distances_to, extend_fit, fit_tips, implied_tips

Array = NDArray[np.float64]

# Where so much of a scan is wrong, or right, it is told of the scan and not of a part.
NEARLY_ALL_SHARE = 0.9
# Fewer rows than this fit any cause.
FEWEST_ROWS = 5


def self_consistency(
    robot: Robot | None,
    parent: ChainFit | None,
    points: Array,
    lines: NDArray[np.int64],
    suspect_distance_m: float,
    suspect_share: float,
) -> tuple[Audit, ChainFit | None]:
    """Judge a scan's rows (n, 9) against the parent's fit, or against their own where there is none.

    Returns the verdict and the fit of the version that the scan would make.
    """
    if robot is None:
        return Audit("self_consistency", None, "not applicable: no robot is set, so there is no chain"), None
    tips_m = implied_tips(robot, points)
    own = fit_tips(robot, tips_m, suspect_distance_m)
    held_to = parent if parent is not None and parent.rows else own
    distances_m = distances_to(held_to, tips_m)
    suspects = ~(distances_m <= suspect_distance_m)
    fit = extend_fit(parent, tips_m, suspect_distance_m) if held_to is parent and parent else own
    share = float(suspects.mean()) if len(suspects) else 0.0
    figures: dict[str, Figure] = {
        "rows": len(points),
        "suspects": int(suspects.sum()),
        "suspect_share": share,
        "rms_m": fit.rms_m if math.isfinite(fit.rms_m) else None,
        "worst_m": float(distances_m.max(initial=0.0)),
        "tip_x_m": fit.tip_m[0],
        "tip_y_m": fit.tip_m[1],
        "tip_z_m": fit.tip_m[2],
        "axes": fit.axes,
        "robot": robot.name,
    }
    findings = tuple(
        f"scan line {int(lines[k])}: {distances_m[k] * 1e3:.2f} mm off the chain"
        for k in np.flatnonzero(suspects)[:10]
    )
    if share <= suspect_share:
        said = f"{robot.name}'s chain and one tip explain the scan to {_rms(held_to, distances_m, suspects)}"
        said += f", {counted(int(suspects.sum()), 'suspect row')}" if suspects.any() else ""
        return Audit("self_consistency", True, said, figures, findings), fit
    cause = _cause(robot, held_to if held_to is parent else None, own, points, suspects, suspect_distance_m)
    told = _told(cause, robot, distances_m[suspects], lines[suspects], len(points))
    figures["cause"] = told
    figures["cause_name"] = cause.name if cause else None
    figures["cause_leaves_m"] = cause.left_m if cause else None
    said = (
        f"{int(suspects.sum()):,} of {len(points):,} rows ({share:.1%}) lie more than "
        f"{suspect_distance_m * 1e3:g} mm off the chain (allowed: {suspect_share:.1%}): {told}"
    )
    return Audit("self_consistency", False, said, figures, findings), fit


def _rms(fit: ChainFit, distances_m: Array, suspects: NDArray[np.bool_]) -> str:
    rest = distances_m[~suspects]
    rms_m = math.sqrt(float((rest**2).mean())) if len(rest) else fit.rms_m
    return f"{rms_m * 1e6:.2f} um RMS" if rms_m < 1e-4 else f"{rms_m * 1e3:.2f} mm RMS"


def _cause(
    robot: Robot,
    parent: ChainFit | None,
    own: ChainFit,
    points: Array,
    suspects: NDArray[np.bool_],
    suspect_distance_m: float,
) -> Cause | None:
    """Name what went wrong: with the suspects, or where nothing is known to be right, with the whole scan."""
    if suspects.sum() < FEWEST_ROWS:
        return None
    known_m = np.array(parent.tip_m if parent else own.tip_m)
    part = Suspects(robot, points, np.flatnonzero(suspects), known_m, suspect_distance_m)
    if parent is None and own.rows < NEARLY_ALL_SHARE * len(points):
        whole = Suspects(robot, points, np.arange(len(points)), None, suspect_distance_m)
        return name_cause(whole) or (name_cause(part) if 2 * own.rows > len(points) else None)
    return name_cause(part)


def _told(cause: Cause | None, robot: Robot, distances_m: Array, lines: NDArray[np.int64], rows: int) -> str:
    """Tell the cause, where only part of the scan has it, and how far these lines (k,) are off (k,) [m]."""
    typical_m = float(np.median(distances_m))
    if cause is not None and (cause.of_whole_scan or len(lines) > NEARLY_ALL_SHARE * rows):
        return f"{cause.name}: {cause.said}"
    if cause is None and 2 * len(lines) > rows:
        return (
            f"the robot file {robot.name} does not describe the machine that made the scan "
            f"(typically {typical_m * 1e3:.0f} mm off)"
        )
    where = f"between lines {lines[0]} and {lines[-1]}" if len(lines) > 1 else f"line {lines[0]}"
    displaced = f"part of the scan, {where}, is displaced, typically by {typical_m * 1e3:.1f} mm"
    if cause is None:
        return f"{displaced}: a tool or base that moved, or rows of another scan"
    return f"{displaced}; {cause.name}: {cause.said}"
