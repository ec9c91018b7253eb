"""What a user may set about placing: when a servo has arrived, how much a memory believes."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, fields, is_dataclass
from typing import Any

from lib.errors import BadInput
from lib.settings_reading import Located, setting


@dataclass(frozen=True)
class ServoRules:
    """When a servo has arrived, and when it gives up."""

    tolerance_m: float = setting("How near the box's centre is near enough [m].", 0.003)
    most_looks: int = setting("How many looks at most before the block is let go, the first included.", 5)
    gain: float = setting(
        "Share of the seen difference that one step corrects; a full step never settles where a camera's "
        "scale is wrong by two.",
        0.7,
    )
    least_gain_m: float = setting(
        "A look that is not this much nearer than the best has not helped [m].", 0.0005
    )
    largest_step_m: float = setting("How far one step may move the aim [m].", 0.030)
    largest_height_step_m: float = setting(
        "How far the release height may jump from one look to the next [m].", 0.016
    )


@dataclass(frozen=True)
class MemoryRules:
    """How much a memory believes, and how far it may go."""

    prior_sigma_m: float = setting(
        "Deviation of a bias that nobody has measured yet, in each axis [m].", 0.010
    )
    drift_sigma_m: float = setting("How much the bias may change from one placement to the next [m].", 0.0003)
    table_change_sigma_m: float = setting("What a new table version adds to the deviation [m].", 0.003)
    homing_change_sigma_m: float = setting("What a new homing adds to the deviation [m].", 0.005)
    largest_m: float = setting("No correction goes farther than this in any axis [m].", 0.040)
    least_confidence: float = setting("A sight less sure than this moves nothing, 0 to 1.", 0.5)


@dataclass(frozen=True)
class Place:
    """Placing."""

    farthest_m: float = setting(
        "A pose whose tip is farther than this from the aim is not placed from: the run is refused, and "
        "the target goes into the scan request [m].",
        0.003,
    )
    approach_m: float = setting("How far above a pose the arm comes from, and goes to after it [m].", 0.045)
    approach_speed: int = setting("Speed of going down and up, 1 to 100.", 20)
    servo: ServoRules = field(default_factory=ServoRules)
    memory: MemoryRules = field(default_factory=MemoryRules)


def check_place(place: Place, located: Located) -> None:
    """Refuse what makes no sense, by key, value and what was expected; raises BadInput."""
    groups: tuple[tuple[str, Any], ...] = (
        ("place", place), ("place.servo", place.servo), ("place.memory", place.memory),
    )  # fmt: skip
    for prefix, group in groups:
        for f in fields(group):
            value = getattr(group, f.name)
            if is_dataclass(value):
                continue
            where = f"{located(f'{prefix}.{f.name}')} = {value!r}"
            if not math.isfinite(value) or value < 0 or (value == 0 and "drift" not in f.name):
                raise BadInput(f"{where}; expected a number above zero")
            if f.name.endswith("_m") and value > 0.2:
                raise BadInput(f"{where}; expected metres, at most 0.2 (were millimetres meant?)")
            if f.name.endswith("speed") and value > 100:
                raise BadInput(f"{where}; expected 1 to 100")
            if f.name in ("gain", "least_confidence") and value > 1:
                raise BadInput(f"{where}; expected at most 1")
