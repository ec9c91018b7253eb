"""The servo of one run: look at the held block over the box, aim again, move, and know when to stop."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass

from lib.arm import NotBelieved
from lib.place.aiming import Aimed, Aims
from lib.place.book import Book, servo_tag
from lib.place.hand import Hand
from lib.place.memory import Vector
from lib.place.servo import Done, Look, next_step
from lib.place.sight import Sight
from lib.settings import Settings

# A held block is never this far from the tip it hangs at.
_HELD_WITHIN_M = 0.060
# A motion of at least this much is seen; one of which less than a share is seen has not taken place.
_SEEN_FROM_M, _SEEN_SHARE = 0.004, 0.3


@dataclass(frozen=True)
class Servoed:
    """How it ended."""

    aimed: Aimed
    """The pose the arm now is in."""
    looks: tuple[Look, ...]
    reason: str
    held: Sight | None
    """The block as it was seen in that pose; None where it was not seen."""


def servo(
    settings: Settings,
    hand: Hand,
    aims: Aims,
    book: Book,
    look: Callable[[], Sight | None],
    target_m: tuple[float, float],
    height_m: float,
    first: Aimed,
    fall_m: tuple[float, float],
) -> Servoed:
    """Bring the held block over a target (x, z), from the pose the arm is in.

    ``look`` tells where the block is seen, ``fall_m`` how far from there (x, z) blocks come to rest.
    Raises NotBelieved where the arm reports a motion that was not seen, and the arm's failures.
    """
    rules = settings.place.servo
    tried = {first.name: first}
    sights: dict[str, Sight] = {}
    looks: list[Look] = []
    aimed, reported_before = first, None
    while True:
        seen = look()
        if seen is None:
            reason = "the block was not seen over the box"
            break
        _believe(hand, book, seen, sights[looks[-1].pose] if looks else None, reported_before)
        sights[aimed.name] = seen
        lands_m = (seen.place_m[0] + fall_m[0], seen.place_m[2] + fall_m[1])
        looks.append(Look(aimed.aim_m, aimed.tip_m, aimed.name, lands_m, seen.sigma_x_z_m))
        step = next_step(target_m, looks, rules)
        if isinstance(step, Done):
            reason = step.reason
            break
        found = aims.place(step.aim_m, height_m, servo_tag(len(looks)), aimed)
        if not isinstance(found, Aimed):
            reason = f"{looks[-1].distance_m(target_m) * 1e3:.1f} mm are left: {found.says}"
            break
        reported_before = hand.reported_m
        hand.follow("SERVOING", hand.waypoints.down(aimed.pose_deg, found.pose_deg), found.result)
        tried[found.name], aimed = found, found
    if looks:
        best = tried[min(looks, key=lambda each: each.distance_m(target_m)).pose]
        if best.name != aimed.name:
            hand.follow("SERVOING", hand.waypoints.down(aimed.pose_deg, best.pose_deg), best.result)
            aimed = best
    return Servoed(aimed, tuple(looks), reason, sights.get(aimed.name))


def _believe(
    hand: Hand, book: Book, seen: Sight, before: Sight | None, reported_before: Vector | None
) -> None:
    """Compare what the arm reports with what is seen; raises NotBelieved."""
    reported = hand.reported_m
    if reported is None:
        return
    away_m = math.dist(seen.place_m, reported)
    moved_m = 0.0 if reported_before is None else math.dist(reported, reported_before)
    went_m = 0.0 if before is None else math.dist(seen.place_m, before.place_m)
    not_moved = away_m > _HELD_WITHIN_M or (moved_m >= _SEEN_FROM_M and went_m < _SEEN_SHARE * moved_m)
    book.seen_after_move(seen.place_m, not_moved)
    if away_m > _HELD_WITHIN_M:
        raise NotBelieved(
            f"the arm reports its tip {away_m * 1e3:.0f} mm from where the block it holds is seen: reported "
            "but not moved, or not held; look at the arm"
        )
    if not_moved:
        raise NotBelieved(
            f"the arm reports that it moved by {moved_m * 1e3:.1f} mm, the block it holds by "
            f"{went_m * 1e3:.1f} mm: reported but not moved; power-cycle it"
        )
