"""After a block was let go: whether it lies in the box, what that teaches, why it is off."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import replace

from lib.place.aiming import Aimed
from lib.place.error_split import split_error
from lib.place.memory import Measured, Memory
from lib.place.servoing import Servoed
from lib.place.sight import BOX, Sight
from lib.place.verdict import Verdict, verdict
from lib.settings import Settings

# How far one placement lies from the next at the same pose: the arm's repeatability, the block's place in
# the grip, its fall.
PLACEMENT_SIGMA_M = 0.0015
# What lies this much higher than on the floor lies on a wall, or hangs.
_ON_THE_FLOOR_M = 0.012
# A height that was not measured says nothing.
_UNKNOWN_SIGMA_M = 1.0


def judge(settings: Settings, sights: Mapping[str, Sight], block: str) -> Verdict:
    """Say whether a block lies in the box, by one look at both; what was not seen stays unknown."""
    cell, seen, box = settings.cell, sights.get(block), sights.get(BOX)
    inner = [outer / 2 - cell.box_wall_m for outer in cell.box_outer_m]
    if seen is None or box is None:
        return verdict(None, 1.0, (inner[0], inner[1]))
    offset_m = in_box(seen, box)
    sigma_m = math.hypot(seen.sigma_x_z_m, box.sigma_x_z_m)
    found = verdict(offset_m, sigma_m, (inner[0], inner[1]))
    if found.place == "yes" and seen.place_m[1] > cell.box_floor_m + cell.block_size_m / 2 + _ON_THE_FLOOR_M:
        height_mm = seen.place_m[1] * 1e3
        return replace(found, place="unknown", reason=f"over the box, but {height_mm:.0f} mm above the table")
    assert found.confidence is not None
    return replace(found, confidence=found.confidence * min(seen.confidence, box.confidence))


def in_box(block: Sight, box: Sight) -> tuple[float, float]:
    """Return block minus box centre along the box's own two sides [m]."""
    dx, dz = block.place_m[0] - box.place_m[0], block.place_m[2] - box.place_m[2]
    turn = math.radians(box.turn_deg)
    return dx * math.cos(turn) - dz * math.sin(turn), dx * math.sin(turn) + dz * math.cos(turn)


def measurement(aimed: Aimed, rests: Sight, held: Sight | None, memory: Memory) -> Measured:
    """Return what a verified placement says of the bias: against the tip of the pose used.

    x and z are where the block came to rest, the height is that at which it hung.
    """
    x, y, z = aimed.tip_m
    if held is None:
        height_m, height_sigma_m = memory.bias_m[1], _UNKNOWN_SIGMA_M
    else:
        height_m = held.place_m[1] - y
        height_sigma_m = math.hypot(held.sigma_m[1], PLACEMENT_SIGMA_M)
    return Measured(
        offset_m=(rests.place_m[0] - x, height_m, rests.place_m[2] - z),
        sigma_m=(
            math.hypot(rests.sigma_m[0], PLACEMENT_SIGMA_M),
            height_sigma_m,
            math.hypot(rests.sigma_m[2], PLACEMENT_SIGMA_M),
        ),
        confidence=rests.confidence,
        fall_m=None
        if held is None
        else (rests.place_m[0] - held.place_m[0], rests.place_m[2] - held.place_m[2]),
    )


def place_row(
    target_m: tuple[float, float],
    height_m: float,
    height_correction_m: float,
    servoed: Servoed,
    reported_deg: tuple[float, ...] | None,
    memory: Memory,
) -> dict[str, object]:
    """Return the placement's row as far as it is known when the block is let go."""
    aimed = servoed.aimed
    joints = reported_deg or (None,) * 6
    return {
        "fk_row": aimed.result.fk_row,
        "pose_id": f"fk_row_{aimed.result.fk_row}",
        "method": aimed.result.method,
        "refined": aimed.refined,
        "table_version": aimed.result.table_version,
        "target_x_m": target_m[0],
        "target_z_m": target_m[1],
        "aim_x_m": aimed.aim_m[0],
        "aim_y_m": height_m,
        "aim_z_m": aimed.aim_m[1],
        **dict(zip(("tip_x_m", "tip_y_m", "tip_z_m"), aimed.tip_m, strict=True)),
        "looks": len(servoed.looks),
        "servo_reason": servoed.reason,
        **{f"j{k}_deg": joint for k, joint in enumerate(joints)},
        "memory_cell": memory.cell.name,
        "height_correction_mm": height_correction_m * 1e3,
        "j4_selected_deg": aimed.pose_deg[4],
        "binding_filter": aimed.result.binding_filter,
    }


def seen_row(
    found: Verdict, target_m: tuple[float, float], aimed: Aimed, rests: Sight | None
) -> dict[str, object]:
    """Return what the verdict adds to the placement's row, with the error's parts."""
    row: dict[str, object] = {
        "place": found.place,
        "confidence": found.confidence,
        "in_box_dist_mm": found.in_box_dist_mm,
    }
    if rests is None:
        return row
    tip = (aimed.tip_m[0], aimed.tip_m[2])
    parts = split_error(target_m, aimed.aim_m, tip, rests.x_z_m, rests.sigma_x_z_m)
    return row | {
        "seen_x_m": rests.place_m[0],
        "seen_z_m": rests.place_m[2],
        "spacing_x_m": parts.row_spacing_m[0],
        "spacing_z_m": parts.row_spacing_m[1],
        "reality_x_m": parts.twin_against_reality_m[0],
        "reality_z_m": parts.twin_against_reality_m[1],
        "camera_sigma_m": parts.camera_sigma_m,
    }
