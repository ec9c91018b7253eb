"""Bringing the block over the box: look, aim again, and know when to stop.

Each look gives the offset of what was seen against the tip of the pose in use; the next aim is the
target minus that offset. With a pose that meets its aim this is the old aim plus the difference
seen, and where the pose is millimetres off its aim the spacing of the rows is not mistaken for an
error of the arm.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from lib.place.memory import Vector
from lib.settings_place import ServoRules


@dataclass(frozen=True)
class Look:
    """One look at the block held over the box, with the pose it was taken in."""

    aim_m: tuple[float, float]
    """Where the lookup was asked to go, x and z [m]."""
    tip_m: Vector
    """Tip of the pose in use as table or refinement say, x, height, z [m]."""
    pose: str
    """What names the pose: the same one again means that no other serves."""
    seen_m: tuple[float, float]
    """Where the block was seen, x and z [m]."""
    sigma_m: float
    """Standard deviation of that in each of the two [m]."""

    def distance_m(self, target_m: tuple[float, float]) -> float:
        """How far the block was seen from the target [m]."""
        return math.dist(self.seen_m, target_m)


@dataclass(frozen=True)
class Step:
    """Aim there next, x and z [m]."""

    aim_m: tuple[float, float]


@dataclass(frozen=True)
class Done:
    """Stop, with the best look so far and why."""

    best: Look
    arrived: bool
    reason: str


def next_step(target_m: tuple[float, float], looks: list[Look], rules: ServoRules) -> Step | Done:
    """Say where to aim next, or that it is time to stop, from all looks so far, the first one first.

    Arrived means: seen within the tolerance less the measurement's deviation, so that a lucky noise
    does not pass for a placement. Raises ValueError without a look.
    """
    if not looks:
        raise ValueError("a servo starts with a look at what it moves")
    best = min(looks, key=lambda look: look.distance_m(target_m))
    distance_m = best.distance_m(target_m)
    # A camera worse than half the tolerance could never say yes; it may say so at half of it.
    near_m = max(rules.tolerance_m - best.sigma_m, rules.tolerance_m / 2)
    if distance_m <= near_m:
        return Done(best, True, f"{distance_m * 1e3:.1f} mm, within {near_m * 1e3:.1f} mm")
    left = f"{distance_m * 1e3:.1f} mm are left"
    latest = looks[-1]
    if any(look.pose == latest.pose for look in looks[:-1]):
        return Done(best, False, f"the same pose came again: {left}")
    if len(looks) >= rules.most_looks:
        return Done(best, False, f"{len(looks)} looks: {left}")
    if len(looks) > 1 and not _helped(target_m, looks, rules):
        return Done(best, False, f"the last step did not help: {left}")
    return Step(_aim(target_m, latest, rules))


def _helped(target_m: tuple[float, float], looks: list[Look], rules: ServoRules) -> bool:
    before_m = min(look.distance_m(target_m) for look in looks[:-1])
    return looks[-1].distance_m(target_m) <= before_m - rules.least_gain_m


def _aim(target_m: tuple[float, float], latest: Look, rules: ServoRules) -> tuple[float, float]:
    """Aim so that a pose as far off as the latest would bring the block to the target."""
    tip = (latest.tip_m[0], latest.tip_m[2])
    wanted = tuple(t - (s - p) for t, s, p in zip(target_m, latest.seen_m, tip, strict=True))
    step = [rules.gain * (w - p) for w, p in zip(wanted, tip, strict=True)]
    length = math.hypot(*step)
    share = min(1.0, rules.largest_step_m / length) if length else 1.0
    return tip[0] + share * step[0], tip[1] + share * step[1]
