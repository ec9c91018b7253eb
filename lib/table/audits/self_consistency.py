"""The robot's chain and one constant tip explain every row, or the scan is not what it claims to be."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lib.robot import Robot
from lib.table.audits.audit import Audit, Figure
from lib.table.chain_fit import (
    ChainFit,
    axes_name,
    best_axes,
    distances_to,
    extend_fit,
    fit_tips,
    implied_tips,
)

Array = NDArray[np.float64]

# A cause is named only when it explains nearly all of the scan, or nearly all of what is wrong in it.
EXPLAINS_SHARE = 0.9


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
        said += f", {int(suspects.sum()):,} suspect rows" if suspects.any() else ""
        return Audit("self_consistency", True, said, figures, findings), fit
    cause = _cause(robot, held_to, own, points, distances_m, suspects, suspect_distance_m)
    figures["cause"] = cause
    said = (
        f"{int(suspects.sum()):,} of {len(points):,} rows ({share:.1%}) lie more than "
        f"{suspect_distance_m * 1e3:g} mm off the chain (allowed: {suspect_share:.1%}): {cause}"
    )
    return Audit("self_consistency", False, said, figures, findings), fit


def _rms(fit: ChainFit, distances_m: Array, suspects: NDArray[np.bool_]) -> str:
    rest = distances_m[~suspects]
    rms_m = math.sqrt(float((rest**2).mean())) if len(rest) else fit.rms_m
    return f"{rms_m * 1e6:.2f} um RMS" if rms_m < 1e-4 else f"{rms_m * 1e3:.2f} mm RMS"


def _cause(
    robot: Robot,
    held_to: ChainFit,
    own: ChainFit,
    points: Array,
    distances_m: Array,
    suspects: NDArray[np.bool_],
    suspect_distance_m: float,
) -> str:
    """Name the likeliest thing that went wrong, most specific first."""
    if suspects.mean() > 1 - EXPLAINS_SHARE:
        axes, spread_m = best_axes(robot, points)
        if not np.array_equal(axes, robot.twin_axes) and spread_m <= suspect_distance_m:
            return (
                f"swapped axes: the scan's columns are {axes_name(axes)} of the vendor's frame, "
                f"expected {axes_name(robot.twin_axes)}"
            )
    step_m = float(np.linalg.norm(np.subtract(own.tip_m, held_to.tip_m)))
    if own.rows >= EXPLAINS_SHARE * len(points) and step_m > suspect_distance_m:
        longer_m = float(np.linalg.norm(own.tip_m) - np.linalg.norm(held_to.tip_m))
        return (
            f"another tool: the scan's tip is {step_m * 1e3:.1f} mm from the table's "
            f"({_vector(own.tip_m)} instead of {_vector(held_to.tip_m)} mm in the last link, "
            f"{longer_m * 1e3:+.1f} mm long)"
        )
    shifted = _shifted_rows(robot, held_to, points, suspects, suspect_distance_m)
    if shifted is not None:
        return f"a skipped pose: the rows hold the tip of the pose {shifted}"
    typical_m = float(np.median(distances_m[suspects]))
    if suspects.mean() > 0.5:
        return (
            f"the robot file {robot.name} does not describe the machine that made the scan "
            f"(typically {typical_m * 1e3:.0f} mm off)"
        )
    return (
        f"part of the scan is displaced, typically by {typical_m * 1e3:.1f} mm: "
        "a tool or base that moved, or rows of another scan"
    )


def _shifted_rows(
    robot: Robot, fit: ChainFit, points: Array, suspects: NDArray[np.bool_], suspect_distance_m: float
) -> str | None:
    """Tell whether the suspects' places belong to the row before or after them."""
    as_fitted = replace(robot, tip_m=np.array(fit.tip_m))
    rows = np.flatnonzero(suspects)
    for shift, name in ((-1, "before"), (1, "after")):
        near = rows[(rows + shift >= 0) & (rows + shift < len(points))]
        mixed = np.column_stack([points[near, 0:3], points[near + shift, 3:9]])
        off_m = distances_to(fit, implied_tips(as_fitted, mixed))
        if len(near) and (off_m <= suspect_distance_m).mean() >= EXPLAINS_SHARE:
            return name
    return None


def _vector(tip_m: tuple[float, float, float]) -> str:
    return "(" + ", ".join(f"{1e3 * v:.1f}" for v in tip_m) + ")"
