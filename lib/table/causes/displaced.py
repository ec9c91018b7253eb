"""Something moved: the tool, the base, a joint's zero. And a twin that was a pose behind."""

from __future__ import annotations

from functools import partial

import numpy as np
from scipy.optimize import minimize_scalar

from lib.robot import flange_poses, tips_in_flange
from lib.table.causes.suspects import Array, Explanation, Suspects, in_mm, lengths

# A twin that lost more poses than this in a row lost its scan.
MOST_SKIPPED = 5
_ZERO_STEP_DEG = 5.0
_ZERO_ROWS = 200


def another_tool(suspects: Suspects) -> list[Explanation]:
    """Suppose one other tip vector; says nothing where no tip is known that it could differ from."""
    if suspects.tip_m is None:
        return []
    implied_m = tips_in_flange(suspects.robot, suspects.joints_deg, suspects.tips_m)
    tip_m = np.median(implied_m, axis=0)
    step_m = float(lengths((tip_m - suspects.tip_m)[None, :])[0])
    longer_m = float(np.linalg.norm(tip_m) - np.linalg.norm(suspects.tip_m))
    said = (
        f"the scan's tip is {step_m * 1e3:.1f} mm from the table's ({in_mm(tip_m)} instead of "
        f"{in_mm(suspects.tip_m)} mm in the last link, {longer_m * 1e3:+.1f} mm long)"
    )
    return [Explanation("another tool", said, lengths(implied_m - tip_m))]


def moved_base(suspects: Suspects) -> list[Explanation]:
    """Suppose one displacement of all tips in the twin's axes."""
    if suspects.tip_m is not None:
        apart_m = suspects.tips_m - suspects.expected_m(suspects.joints_deg)
        offset_m = np.median(apart_m, axis=0)
        off_m = lengths(apart_m - offset_m)
    else:
        offset_m, off_m = _offset_and_tip(suspects)
    said = f"the tips are displaced by {in_mm(offset_m)} mm in the twin's axes"
    return [Explanation("moved base", said, off_m)]


def turned_base(suspects: Suspects) -> list[Explanation]:
    """Suppose one turn and one displacement of all tips (Kabsch 1976, Acta Cryst. A32, 922)."""
    if suspects.tip_m is None:
        return []
    expected_m, seen_m = suspects.expected_m(suspects.joints_deg), suspects.tips_m
    middle_m, there_m = expected_m.mean(axis=0), seen_m.mean(axis=0)
    left, _, right = np.linalg.svd((expected_m - middle_m).T @ (seen_m - there_m))
    mirror = np.diag([1.0, 1.0, np.sign(np.linalg.det(left @ right))])
    turn = (left @ mirror @ right).T
    off_m = lengths((expected_m - middle_m) @ turn.T + there_m - seen_m)
    angle_deg = np.degrees(np.arccos(np.clip((np.trace(turn) - 1) / 2, -1, 1)))
    said = (
        f"the tips are turned by {angle_deg:.2f} deg and displaced by {in_mm(there_m - turn @ middle_m)} mm"
    )
    return [Explanation("moved and turned base", said, off_m)]


def joint_zero(suspects: Suspects) -> list[Explanation]:
    """Suppose that one joint's zero moved: the joint that explains most."""
    every = max(1, len(suspects.sample) // _ZERO_ROWS)
    joints_deg, tips_m = suspects.joints_deg[::every], suspects.tips_m[::every]

    def left_m(joint: int, zero_deg: float) -> float:
        supposed = joints_deg.copy()
        supposed[:, joint] += zero_deg
        return float(np.median(suspects.off_m(supposed, tips_m)))

    found = []
    for joint in range(joints_deg.shape[1]):
        coarse = min(np.arange(-180, 180, _ZERO_STEP_DEG), key=partial(left_m, joint))
        bounds = (coarse - _ZERO_STEP_DEG, coarse + _ZERO_STEP_DEG)
        fine = minimize_scalar(
            partial(left_m, joint), bounds=bounds, method="bounded", options={"xatol": 1e-6}
        )
        found.append((float(fine.fun), joint, float(fine.x)))
    _, joint, zero_deg = min(found)
    supposed = suspects.joints_deg.copy()
    supposed[:, joint] += zero_deg
    said = f"j{joint} is {zero_deg:+.2f} deg further than the scan says"
    return [Explanation("a joint's zero moved", said, suspects.off_m(supposed, suspects.tips_m))]


def skipped_pose(suspects: Suspects) -> list[Explanation]:
    """Suppose that each row holds the tip of a row before or after it."""
    found = []
    for apart in range(1, MOST_SKIPPED + 1):
        for shift, name in ((-apart, "before"), (apart, "after")):
            there = suspects.sample + shift
            inside = (there >= 0) & (there < len(suspects.points))
            if not inside.any():
                continue
            off_m = suspects.off_m(suspects.points[there[inside], 3:9], suspects.tips_m[inside])
            said = f"the rows hold the tip of the pose {name if apart == 1 else f'{apart} {name}'}"
            found.append(Explanation("a skipped pose", said, off_m))
    return [min(found, key=lambda explanation: explanation.left_m)] if found else []


def _offset_and_tip(suspects: Suspects) -> tuple[Array, Array]:
    """Solve axes^-1 x - p = R tip + offset for both by least squares, leaving wrong rows out.

    Returns (offset (3,) in the twin's axes, how far off each row of the sample is (m,)) [m].
    """
    rotations, places_m = flange_poses(suspects.robot, suspects.joints_deg)
    seen_m = suspects.tips_m @ suspects.robot.twin_axes - places_m  # the inverse of a rotation is its .T
    system = np.concatenate([rotations, np.broadcast_to(np.eye(3), rotations.shape)], axis=2)
    kept = np.ones(len(seen_m), dtype=bool)
    off_m = np.zeros(len(seen_m))
    offset_m = np.zeros(3)
    for _ in range(10):
        solution = np.linalg.lstsq(system[kept].reshape(-1, 6), seen_m[kept].ravel(), rcond=None)[0]
        off_m = lengths(seen_m - system @ solution)
        offset_m = suspects.robot.twin_axes @ solution[3:]
        kept = off_m <= max(suspects.limit_m, float(np.median(off_m)))
    return offset_m, off_m
