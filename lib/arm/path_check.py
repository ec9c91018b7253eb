"""Whether a path of joint poses stays inside what is allowed, everywhere along it.

Between two poses the joints move along a straight line. Limits and safe ranges then hold between the
poses if they hold at them. For the body it takes a bound: over a piece of the path no point of a capsule
moves farther than L = sum over the joints of |change| x lever, so with clearances a and b at its ends the
clearance inside is never below (a + b - L) / 2. A piece for which that is negative is halved, until it is
so short that the pose itself is too near.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import ArrayLike

from lib.arm.clearance import clearances, least, named
from lib.arm.volumes import Array, Volumes, volumes
from lib.errors import BadInput
from lib.robot import Robot, load_robot
from lib.settings import Settings

# A piece along which nothing moves farther than this is not halved again.
SHORTEST_M = 0.0002
SAFE_JOINT = 4
"""The joint with a safe range inside its limits, j4 (the vendor's J5)."""


@dataclass(frozen=True)
class Verdict:
    """What a check said: fine, or which rule a path breaks, where, and by how much."""

    ok: bool
    rule: str = ""
    """Name of the rule: ``limits``, ``safe range``, ``keep-out``..."""
    says: str = ""
    """The rule and the numbers as one clause."""
    numbers: Mapping[str, object] = field(default_factory=dict)
    """The numbers by name, units in the names."""


FINE = Verdict(True)


@dataclass(frozen=True, eq=False)
class GateContext:
    """What paths are checked against."""

    robot: Robot
    volumes: Volumes
    limits_deg: Array
    """Lowest and highest value of each joint [deg], of shape (6, 2)."""
    safe_deg: tuple[float, float]
    """Lowest and highest value of j4 the hardware is safe at [deg]."""
    at_rest_within_deg: float
    """How far from its target a joint may come to rest, so also how far beyond a bound [deg]."""


def gate_context(settings: Settings, robot: Robot | None = None) -> GateContext:
    """Return what holds for the robot and the cell of the settings.

    Raises BadInput where there is no robot or its file has no shape: without them nothing may move.
    """
    from lib.cell import layout  # the twin's physics takes half a second to load: not for a stop

    robot = load_robot(settings.robot) if robot is None else robot
    if robot is None:
        raise BadInput('robot = "none": the arm only moves with a robot file; set robot to one')
    return GateContext(
        robot=robot,
        volumes=volumes(robot, layout(settings.cell)),
        limits_deg=robot.limits_deg,
        safe_deg=settings.arm.j4_safe_deg,
        at_rest_within_deg=settings.arm.tolerance_deg,
    )


def check_path(context: GateContext, path_deg: ArrayLike) -> Verdict:
    """Check a path through poses [deg] of shape (n, 6), straight in joint space from one to the next.

    Never passes a path that somewhere leaves the limits, the safe range of j4, or comes into a keep-out
    volume; one that comes within a tenth of a millimetre of one may be refused.
    """
    path = np.asarray(path_deg, dtype=np.float64)
    if path.ndim != 2 or path.shape[1] != 6 or not len(path):
        raise ValueError(f"path has shape {path.shape}; expected (n, 6), n at least 1")
    if not np.isfinite(path).all():
        return Verdict(False, "finite numbers", "a joint value is not a finite number")
    return _check_ranges(context, path) or _check_body(context, path) or FINE


def check_way(context: GateContext, way_deg: ArrayLike) -> Verdict:
    """Check a path (n, 6) whose first pose is where the arm is, as ``check_path`` does but for one thing.

    An arm that was sent to a bound comes to rest a little beyond it. It has a way back in: the first pose
    may be outside a range by what a motion may miss its target, where all the others are inside.
    """
    way = np.array(way_deg, dtype=np.float64)
    strict = check_path(context, way)
    if strict.rule not in ("limits", "safe range") or len(way) < 2:
        return strict
    low, high = (bound.copy() for bound in context.limits_deg.T)
    low[SAFE_JOINT] = max(low[SAFE_JOINT], context.safe_deg[0])
    high[SAFE_JOINT] = min(high[SAFE_JOINT], context.safe_deg[1])
    inside = np.clip(way[0], low, high)
    if np.abs(way[0] - inside).max() > context.at_rest_within_deg:
        return strict
    return _check_ranges(context, np.vstack([inside, way[1:]])) or _check_body(context, way) or FINE


def _check_ranges(context: GateContext, path: Array) -> Verdict | None:
    low, high = context.limits_deg.T
    outside = (path < low) | (path > high)
    if outside.any():
        row, joint = (int(index) for index in np.argwhere(outside)[0])
        return _range_verdict("limits", joint, path[row, joint], low[joint], high[joint], row)
    low_deg, high_deg = context.safe_deg
    unsafe = (path[:, SAFE_JOINT] < low_deg) | (path[:, SAFE_JOINT] > high_deg)
    if unsafe.any():
        row = int(unsafe.argmax())
        return _range_verdict("safe range", SAFE_JOINT, path[row, SAFE_JOINT], low_deg, high_deg, row)
    return None


def _range_verdict(rule: str, joint: int, value: float, low: float, high: float, row: int) -> Verdict:
    name = f"j{joint} (J{joint + 1})"
    return Verdict(
        False,
        rule,
        f"{name} = {value:.2f} deg is outside its {'safe range' if rule == 'safe range' else 'limits'} "
        f"[{low:g}, {high:g}]",
        {
            "joint": joint,
            "value_deg": float(value),
            "low_deg": float(low),
            "high_deg": float(high),
            "row": row,
        },
    )


def _check_body(context: GateContext, path: Array) -> Verdict | None:
    table_m, boxes_m = clearances(context.robot, context.volumes, path)
    worst_m, which = least(table_m, boxes_m)
    if worst_m.min() < 0.0:
        row = int(worst_m.argmin())
        return _body_verdict(context, path[row], float(worst_m[row]), int(which[row]))
    here, there = path[:-1], path[1:]
    ends = (table_m[:-1], boxes_m[:-1]), (table_m[1:], boxes_m[1:])
    while len(here):
        moved_m = np.radians(np.abs(there - here)) @ context.volumes.levers_m.T
        unsure = (
            (ends[0][0] + ends[1][0] - moved_m < 0.0)
            | (ends[0][1] + ends[1][1] - moved_m[:, :, None] < 0.0).any(axis=2)
        ).any(axis=1)
        if not unsure.any():
            return None
        here, there = here[unsure], there[unsure]
        ends = tuple((table[unsure], boxes[unsure]) for table, boxes in ends)  # type: ignore[assignment]
        middle = (here + there) / 2.0
        middle_ends = clearances(context.robot, context.volumes, middle)
        worst_m, which = least(*middle_ends)
        too_short = moved_m[unsure].max(axis=1) <= SHORTEST_M
        if worst_m.min() < 0.0 or too_short.any():
            row = int(np.where(too_short, -1.0, worst_m).argmin())
            return _body_verdict(context, middle[row], float(worst_m[row]), int(which[row]))
        here, there = np.concatenate([here, middle]), np.concatenate([middle, there])
        ends = (
            tuple(np.concatenate(pair) for pair in zip(ends[0], middle_ends, strict=True)),  # type: ignore[assignment]
            tuple(np.concatenate(pair) for pair in zip(middle_ends, ends[1], strict=True)),
        )
    return None


def _body_verdict(context: GateContext, pose_deg: Array, clearance_m: float, which: int) -> Verdict:
    body, obstacle = named(context.volumes, which)
    joints = ", ".join(f"{value:.1f}" for value in pose_deg)
    kept_m = context.volumes.table_margin_m if obstacle == "table" else 0.0
    kept = f" ({kept_m * 1000:g} mm are kept)" if kept_m else ""
    away_mm = (clearance_m + kept_m) * 1000
    where = f"{away_mm:.1f} mm from" if away_mm >= 0 else f"{-away_mm:.1f} mm inside"
    says = f"{body} would be {where} the {obstacle}{kept} at [{joints}] deg"
    return Verdict(
        False,
        "keep-out",
        says,
        {
            "body": body,
            "obstacle": obstacle,
            "clearance_m": clearance_m,
            "at_deg": [float(v) for v in pose_deg],
        },
    )
