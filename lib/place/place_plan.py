"""Where to let the block go, and how to get there; or why there is no pose for it."""

from __future__ import annotations

from dataclasses import dataclass

from lib.arm import check_path
from lib.lookup import culprits, funnel
from lib.place.aiming import Aimed, Aims, NoPose, Pose
from lib.place.bench import Bench
from lib.place.book import PLACE_TAG
from lib.place.hand import HOME
from lib.place.memory import Memory
from lib.place.refusal import NotPlaced
from lib.place.sight import Sight


@dataclass(frozen=True)
class PlacePlan:
    """The pose to let the block go at, and the way to it."""

    target_m: tuple[float, float]
    height_m: float
    height_correction_m: float
    aimed: Aimed
    ladder: tuple[Pose, ...]
    """Poses straight above it, the lowest first."""


def plan_place(bench: Bench, aims: Aims, box: Sight, memory: Memory) -> PlacePlan:
    """Aim where the block would come to lie in the box's centre, by what the memory knows.

    Raises NotPlaced where no pose is near enough, the arm does not get there, or the gate would not let it.
    """
    settings = bench.settings
    bias_x, bias_y, bias_z = memory.bias_m
    low_m, high_m = settings.lookup.place.ee_y_band_m
    height_m = min(max((low_m + high_m) / 2 - bias_y, low_m), high_m)
    aimed = aims.place((box.place_m[0] - bias_x, box.place_m[2] - bias_z), height_m, PLACE_TAG)
    if isinstance(aimed, NoPose):
        raise _out_of_reach(bench, aimed)
    ladder = bench.manner.ladder(bench.waypoints, aimed.pose_deg)
    if ladder is None:
        raise NotPlaced("the arm does not reach above the place of release", "no way to the box")
    verdict = check_path(bench.arm.context, [HOME, *reversed(ladder), aimed.pose_deg])
    if not verdict.ok:
        raise NotPlaced(f"{verdict.rule}: {verdict.says}", verdict.rule)
    return PlacePlan(box.x_z_m, height_m, height_m - (low_m + high_m) / 2, aimed, tuple(ladder))


def _out_of_reach(bench: Bench, missed: NoPose) -> NotPlaced:
    asked = bench.ask_for_scan(missed)
    explanation = {
        "funnel": [entry.as_json() for entry in funnel(bench.table, missed.request)],
        "culprits": [culprit.as_json() for culprit in culprits(bench.table, missed.request)],
    }
    return NotPlaced(f"{missed.says}; {asked}", "out of reach", explanation)
