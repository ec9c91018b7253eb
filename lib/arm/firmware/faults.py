"""What can be made to go wrong with the emulated arm: each switch is off unless set.

The first group is about bytes on the wire; the second about what users of these arms report, with
pymycobot's issue numbers beside them.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass, fields, replace
from typing import Any, get_type_hints

from lib.errors import BadInput


@dataclass(frozen=True)
class Faults:
    """The switches. Times on the wire are real seconds, all others those of the emulated clock."""

    latency_s: float = 0.0
    """Every reply waits this long on the wire."""
    reply_share: float = 0.0
    """Share of reply bytes that are lost, flipped, doubled, or late with all that follow them."""
    request_share: float = 0.0
    """Share of request bytes to which the same happens."""
    only_flips: bool = False
    """Of those faults only flips happen."""
    late_s: float = 0.6
    """How late a late byte is on the wire."""
    truncated_share: float = 0.0
    """Share of replies that end half way."""
    silent_setters: bool = False
    """Setters are obeyed and not acknowledged."""

    mute: bool = False
    """Getters return nothing until a power cycle (85, 39, 94)."""
    constant_deg: float | None = None
    """Every joint reads this, like 180.08 (43) or -1000."""
    shows_target: bool = False
    """Angles show the target while nothing moves (73)."""
    always_moving: bool = False
    """is_moving and is_in_position always say 1 (2)."""
    stops_at_share: float | None = None
    """Motions stand still after this share of their way (13)."""
    gripper_stuck: bool = False
    """The gripper acknowledges and does not move (219)."""
    gripper_drops_after_s: float | None = None
    """A closed gripper opens by itself after this time (18)."""
    deaf_after_grip_s: float = 0.0
    """The controller is deaf for this long after a gripper close (myStudio 5)."""
    late_after_grip_s: float = 0.0
    """A gripper call's acknowledgement comes this late, real seconds, amid the replies to later calls."""
    reboots_at_share: float | None = None
    """A motion's voltage dip reboots the controller at this share of its way, once (65, 76)."""

    def with_changes(self, changes: Mapping[str, Any]) -> Faults:
        """Return the switches with some set anew; raises BadInput naming an unknown or wrong one."""
        kinds = get_type_hints(Faults)
        for name, value in changes.items():
            if name not in kinds:
                raise BadInput(f"fault {name!r}: no such switch; there are {', '.join(kinds)}")
            if kinds[name] is bool:
                fits = isinstance(value, bool)
            else:
                number = isinstance(value, int | float) and not isinstance(value, bool)
                fits = number or (value is None and kinds[name] is not float)
            if not fits:
                kind = "true or false" if kinds[name] is bool else "a number"
                raise BadInput(f"fault {name} = {value!r}; expected {kind}")
        return replace(self, **changes)

    def as_json(self) -> dict[str, object]:
        """Return the switches by name."""
        return asdict(self)


def switches() -> tuple[str, ...]:
    """Return the switches' names."""
    return tuple(f.name for f in fields(Faults))
