"""Which block to take, and how to get to it: the first that the lookup reaches and the gate lets through."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lib.arm import GateContext, check_path
from lib.lookup import LookupResult
from lib.place.aiming import Aimed, Aims, Pose
from lib.place.book import PICK_TAG
from lib.place.hand import HOME
from lib.place.manner import Manner
from lib.place.memory import Vector
from lib.place.refusal import NotPlaced
from lib.place.sight import BOX, Sight
from lib.place.waypoints import Waypoints
from lib.robot import shape_of
from lib.settings import Settings

# A block whose middle is this far from where it would lie on the table lies on something, or hangs.
_LIES_WITHIN_M = 0.010
_BESIDE_M = 0.010
# Room between a block and each open finger, and between a finger and what lies beside.
_CLEARANCE_M = 0.008
_KEEPS_OFF_M = 0.004
# Heights of the tip over a block's middle at which the fingers hold it and the wrist clears the table.
_GRIP_FROM_M, _GRIP_TO_M = 0.003, 0.009
GRIPPING: Pose = (-35.0, 70.0, 25.0, 0.0, -85.0, -30.0)
"""A pose like those in which blocks are gripped [deg]."""
# How the tool may point when it grips, the best first: a block that is let go by a tool that points another
# way falls on an edge. The table is in the way of a tool that points higher.
_PITCHES_DEG = (-3.0, -6.0, -9.0, -13.0)


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


@dataclass(frozen=True, eq=False)
class Picking:
    """What a pick is planned with."""

    settings: Settings
    context: GateContext
    aims: Aims
    waypoints: Waypoints
    manner: Manner

    def first(self, sights: Mapping[str, Sight], bias_m: Vector) -> PickPlan:
        """Return the plan for the first block that can be taken, the surest and farthest from the base first.

        ``bias_m`` is where the tip really is against where the table says, as far as that is known. Raises
        NotPlaced where no block was seen, or none can be taken, with the reasons.
        """
        blocks = [sight for name, sight in sights.items() if name != BOX]
        lying = [block for block in blocks if _lies_in_pick(self.settings, block)]
        if not lying:
            seen = ", ".join(f"{b.name} at ({b.place_m[0]:.3f}, {b.place_m[2]:.3f})" for b in blocks)
            raise NotPlaced(f"no block seen in the PICK area{f'; {seen}' if seen else ''}", "block not seen")
        free = [block for block in lying if not self._crowded(block, blocks)]
        if not free:
            raise NotPlaced("every block has another where the tool would come down", "no way to a block")
        order = sorted(free, key=lambda block: (-round(block.confidence, 1), -math.hypot(*block.x_z_m)))
        reasons = []
        for block in order:
            found = self.plan(block, bias_m)
            if isinstance(found, PickPlan):
                return found
            reasons.append(f"{block.name}: {found}")
        raise NotPlaced("no block can be taken: " + "; ".join(reasons), "no way to a block")

    def plan(self, block: Sight, bias_m: Vector, tag: str = PICK_TAG) -> PickPlan | str:
        """Return the plan for one block, or why there is none."""
        x, z = block.place_m[0] - bias_m[0], block.place_m[2] - bias_m[2]
        grip_m = self.settings.cell.block_size_m / 2 - bias_m[1]
        band_m = (grip_m + _GRIP_FROM_M, grip_m + _GRIP_TO_M)
        middle: Vector = (x, (band_m[0] + band_m[1]) / 2, z)
        why = "no pose"
        for pitch_deg in (*_PITCHES_DEG, None):
            near = None if pitch_deg is None else self.waypoints.level(middle, pitch_deg)
            if pitch_deg is not None and near is None:
                continue
            aimed = self.aims.pick((x, z), band_m, near, tag)
            if not isinstance(aimed, Aimed):
                why = aimed.says
                continue
            ladder = self.manner.ladder(self.waypoints, aimed.pose_deg)
            if ladder is None:
                why = "the arm does not reach above it"
                continue
            verdict = check_path(self.context, [HOME, *reversed(ladder), aimed.pose_deg])
            if verdict.ok:
                return PickPlan(block, aimed, tuple(ladder))
            why = f"{verdict.rule}: {verdict.says}"
        return why

    def _crowded(self, block: Sight, others: Sequence[Sight]) -> bool:
        """Tell whether another block lies where the tool or its open fingers would come down on it."""
        x, z = block.x_z_m
        away_m = math.hypot(x, z)
        back = np.array([-x, -z]) / away_m
        aside = np.array([back[1], -back[0]])
        size_m = self.settings.cell.block_size_m
        gripper = shape_of(self.context.robot).gripper
        assert gripper is not None
        finger_m = size_m / 2 + _CLEARANCE_M + gripper.finger_radius_m
        room_m = size_m / math.sqrt(2) + gripper.finger_radius_m + _KEEPS_OFF_M
        # The tool comes low over the table, as wide as its body, all the way from the base.
        half_m = float(np.abs(gripper.ends_m @ gripper.across).max() + gripper.radii_m.max())
        length_m = gripper.finger_span_m[1] - gripper.finger_span_m[0]
        for other in others:
            if other.name == block.name or other.place_m[1] > 2 * size_m:
                continue
            to = np.array(other.x_z_m) - [x, z]
            along_m, aside_m = float(to @ back), float(to @ aside)
            beyond_m = along_m - min(max(along_m, 0.0), length_m)
            if min(math.hypot(beyond_m, aside_m - side * finger_m) for side in (-1, 1)) < room_m:
                return True
            if along_m > 0 and abs(aside_m) < half_m + size_m / math.sqrt(2) + _KEEPS_OFF_M:
                return True
        return False


def opening(settings: Settings, context: GateContext) -> int:
    """Return the gripper's value at which it goes around a block with a little room, 0 to 100."""
    gripper = shape_of(context.robot).gripper
    if gripper is None:
        return 100
    closed_m, open_m = gripper.stroke_m
    wanted_m = settings.cell.block_size_m + 2 * _CLEARANCE_M
    return round(100 * min(max((wanted_m - closed_m) / (open_m - closed_m), 0.0), 1.0))


def _lies_in_pick(settings: Settings, block: Sight) -> bool:
    x, y, z = block.place_m
    areas: Sequence[tuple[float, tuple[float, float]]] = (
        (x, settings.cell.pick_area_x_m),
        (z, settings.cell.pick_area_z_m),
    )
    inside = all(low - _BESIDE_M <= value <= high + _BESIDE_M for value, (low, high) in areas)
    return inside and abs(y - settings.cell.block_size_m / 2) <= _LIES_WITHIN_M
