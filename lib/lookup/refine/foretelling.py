"""Where the chain would meet a target, however far from everything measured: to be scanned, never sent."""

from __future__ import annotations

import numpy as np

from lib.lookup.refine.allowed import Allowed
from lib.lookup.refine.closing import CLOSED_M, Closing, joint_ranges
from lib.lookup.refine.known_chain import KnownChain
from lib.lookup.refine.measured import SMALLEST_ERROR_M
from lib.lookup.refine.refinement import Refinement, out_of_reach
from lib.lookup.request import Request
from lib.lookup.result import LookupResult
from lib.lookup.table import Table

# Two grids of +-15 degrees side by side: farther from the start a pose belongs to another family.
_FAR_DEG = 30.0


def foretell(table: Table, request: Request, result: LookupResult, chain: KnownChain) -> Refinement:
    """Find the pose nearest to the selected row, or to the reference pose where there is none, that meets
    a target inside all filters and limits, no joint more than 30 degrees away.

    No measured row vouches for it: it has no ``cv_error_m``.
    """
    if chain.why_not is not None:
        return Refinement(why_not=chain.why_not, why_not_chain=chain.why_not)
    start = result.joints_deg or request.bounds.ref_joints
    if start is None or not len(table):
        return Refinement(why_not="there is no pose to start from")
    allowed = Allowed.of_filters(request.filters, joint_ranges(table, chain))
    if allowed.is_empty:
        return Refinement(why_not="no pose meets all filters at once")
    bottom_m, top_m = allowed.heights_m
    height_m = result.point_m[1] if result.point_m is not None else 0.5 * (bottom_m + top_m)
    closing = Closing(allowed, np.array(start), height_m, (request.x_m, request.z_m))
    low_deg = np.clip(np.array(start) - _FAR_DEG, allowed.low_deg, allowed.high_deg)
    high_deg = np.clip(np.array(start) + _FAR_DEG, allowed.low_deg, allowed.high_deg)
    pose = closing.pose(chain.tips, SMALLEST_ERROR_M, low_deg, high_deg)
    tip = chain.tips(pose[None])[0]
    residual_m = closing.off_m(chain.tips, pose)
    broken = allowed.broken_by(np.concatenate([tip, pose]))
    if broken is not None:
        return Refinement(why_not=f"the nearest pose that the chain gives does not meet {broken}")
    if residual_m > CLOSED_M:
        nearest = closing.nearest(chain.tips, pose, SMALLEST_ERROR_M)
        return Refinement(nearest=nearest, why_not=out_of_reach(nearest))
    return Refinement(
        method="chain",
        joints_deg=tuple(pose.tolist()),
        predicted_point_m=tuple(tip.tolist()),
        predicted_residual_m=residual_m,
        neighbours=0,
        max_step_deg=float(np.abs(pose - np.array(start)).max()),
    )
