"""Which block to take, and how to get to it: the first that the lookup reaches and the gate lets through."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lib.arm import GateContext, check_path
from lib.lookup import LookupResult
from lib.place.aiming import Aimed, Aims, Pose
from lib.place.book import PICK_TAG
from lib.place.hand import HOME
from lib.place.refusal import NotPlaced
from lib.place.sight import BOX, Sight
from lib.place.waypoints import Waypoints
from lib.settings import Settings

# A block whose middle is this far from where it would lie on the table lies on something, or hangs.
_LIES_WITHIN_M = 0.010
_BESIDE_M = 0.010
# Heights at which the fingers hold a block by its middle and clear the table.
_GRIP_FROM_M, _GRIP_TO_M = 0.001, 0.013


@dataclass(frozen=True)
class PickPlan:
    """One block and the way to it."""

    block: Sight
    aimed: Aimed
    ladder: tuple[Pose, ...]
    """Poses straight above the grip, the lowest first."""

    @property
    def lookup(self) -> LookupResult:
        """Where the targets come from."""
        return self.aimed.result


def plan_pick(
    settings: Settings,
    context: GateContext,
    aims: Aims,
    waypoints: Waypoints,
    sights: Mapping[str, Sight],
) -> PickPlan:
    """Return the plan for the first block that can be taken, the surest and farthest from the base first.

    Raises NotPlaced where none was seen, or none can be taken, with the reasons.
    """
    blocks = [sight for name, sight in sights.items() if name != BOX]
    lying = [block for block in blocks if _lies_in_pick(settings, block)]
    if not lying:
        seen = ", ".join(f"{b.name} at ({b.place_m[0]:.3f}, {b.place_m[2]:.3f})" for b in blocks)
        raise NotPlaced(f"no block seen in the PICK area{f'; {seen}' if seen else ''}", "block not seen")
    order = sorted(lying, key=lambda block: (-round(block.confidence, 1), -math.hypot(*block.x_z_m)))
    reasons = []
    for block in order:
        found = _plan(settings, context, aims, waypoints, block)
        if isinstance(found, PickPlan):
            return found
        reasons.append(f"{block.name}: {found}")
    raise NotPlaced("no block can be taken: " + "; ".join(reasons), "no way to a block")


def _plan(
    settings: Settings, context: GateContext, aims: Aims, waypoints: Waypoints, block: Sight
) -> PickPlan | str:
    middle_m = settings.cell.block_size_m / 2
    band_m = (middle_m + _GRIP_FROM_M, middle_m + _GRIP_TO_M)
    aimed = aims.pick(block.x_z_m, band_m, PICK_TAG)
    if not isinstance(aimed, Aimed):
        return aimed.says
    ladder = waypoints.ladder(aimed.pose_deg, settings.place.approach_m)
    if ladder is None:
        return "the arm does not reach above it"
    verdict = check_path(context, [HOME, *reversed(ladder), aimed.pose_deg])
    return PickPlan(block, aimed, tuple(ladder)) if verdict.ok else f"{verdict.rule}: {verdict.says}"


def _lies_in_pick(settings: Settings, block: Sight) -> bool:
    x, y, z = block.place_m
    areas: Sequence[tuple[float, tuple[float, float]]] = (
        (x, settings.cell.pick_area_x_m),
        (z, settings.cell.pick_area_z_m),
    )
    inside = all(low - _BESIDE_M <= value <= high + _BESIDE_M for value, (low, high) in areas)
    return inside and abs(y - settings.cell.block_size_m / 2) <= _LIES_WITHIN_M
