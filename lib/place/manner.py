"""How a batch moves: at the pace and height of the motion variant that was chosen, or as the settings say."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.place.aiming import Pose
from lib.place.waypoints import Waypoints
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.motion import Variant

# A minimum-jerk move is this much faster in its middle than on the average: 15/8 (Flash and Hogan 1985).
_PEAK = 15.0 / 8.0


@dataclass(frozen=True)
class Manner:
    """What a variant of the motion study says about moves that are not the study's own."""

    variant: str | None
    """Its name; None: none was chosen."""
    move_s: float | None
    """How long a move takes [s]; None: the arm's speed is the settings'."""
    heights_m: tuple[float, ...]
    """How far above a pose the arm comes from [m], the height to be tried first in front."""
    speed: int
    """The speed, 1 to 100, where no time is given."""
    slowest: int
    """No move between places is slower than those down and up."""
    full_speed_deg_s: float
    """The fastest joint speed, which speed 100 stands for [deg/s]."""

    def speed_between(self, start_deg: Pose | None, target_deg: Pose) -> int:
        """Return the speed at which the joint with the longest way takes the time of a move."""
        if self.move_s is None or start_deg is None:
            return self.speed
        way_deg = max(abs(to - there) for to, there in zip(target_deg, start_deg, strict=True))
        share = _PEAK * way_deg / self.move_s / self.full_speed_deg_s
        return min(max(math.ceil(100 * share), self.slowest), 100)

    def ladder(self, waypoints: Waypoints, pose_deg: Pose) -> list[Pose] | None:
        """Return poses straight above one, up to the first height that the arm reaches; None: to none."""
        ladders = (waypoints.ladder(pose_deg, height_m) for height_m in self.heights_m)
        return next((ladder for ladder in ladders if ladder is not None), None)


def manner(settings: Settings, chosen: Variant | None) -> Manner:
    """Return how the batch moves.

    Blocks and box are entered from straight above whatever the variant, for their walls and neighbours, and
    from no lower than ``place.approach_m``: a variant may carry higher.
    """
    above_m, full = settings.place.approach_m, settings.motion.joint_speed_limit_deg_s
    speed, slowest = settings.arm.speed, settings.place.approach_speed
    if chosen is None:
        return Manner(None, None, (above_m,), speed, slowest, full)
    higher_m = above_m + max(0.0, chosen.approach.carry_m)
    heights_m = (above_m,) if higher_m == above_m else (higher_m, above_m)
    return Manner(chosen.name, chosen.move_s, heights_m, speed, slowest, full)
