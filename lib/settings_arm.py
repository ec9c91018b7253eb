"""What a user may set about the arm: which one, how it is reached, how it is watched."""

from __future__ import annotations

from dataclasses import dataclass

from lib.errors import BadInput
from lib.settings_reading import Located, Range, setting

# What the hardware is safe in: a setting may narrow it, none widens it.
J4_SAFE_DEG = (-90.0, 60.0)
WIDEST_ENVELOPE_DEG = 45.0


@dataclass(frozen=True)
class Arm:
    """The arm: the same flows drive the emulated one and the real one by ``kind`` and ``port``."""

    kind: str = setting(
        '"emulated", "serial" (M5 or Pi on a serial port) or "socket" (its TCP server).', "emulated"
    )
    port: str | None = setting('Serial port of the arm ("/dev/ttyUSB0"); needed where kind is serial.', None)
    baud: int = setting("Baud rate: 115200 for the M5, 1000000 for the Pi's own serial port.", 115200)
    host: str | None = setting("Address of the arm's TCP server; needed where kind is socket.", None)
    host_port: int = setting("TCP port of the arm's server.", 9000)
    body: str = setting(
        'What the emulated arm moves: "twin" (contact physics) or "ideal" (joints without weight).', "twin"
    )
    speed: int = setting("Speed of a motion where none is given, 1 to 100.", 40)
    j4_safe_deg: Range = setting(
        "Range of j4 (the vendor's J5) the arm may be sent to [deg]; it can only be narrowed.", J4_SAFE_DEG
    )
    tolerance_deg: float = setting(
        "A motion is there when every joint is this near to its target [deg].", 0.9
    )
    link_failures: int = setting("So many odd answers among the last 50, and the arm is given up.", 5)
    homing_envelope_deg: float = setting(
        "Before it is homed, each joint stays this near to where it was found at power-on [deg].", 20.0
    )
    homing_height_m: float = setting(
        "Before it is homed, tool and links stay this high above the table [m].", 0.05
    )


def check_arm(arm: Arm, located: Located) -> None:
    """Raise BadInput naming the setting with which no arm could be driven, or not safely."""
    low, high = arm.j4_safe_deg
    for wrong, name, expected in (
        (not 1 <= arm.speed <= 100, "speed", "1 to 100"),
        (arm.baud <= 0, "baud", "a baud rate, like 115200"),
        (not 0 < arm.host_port < 65536, "host_port", "a TCP port, like 9000"),
        (arm.body not in ("twin", "ideal"), "body", "twin or ideal"),
        (
            not J4_SAFE_DEG[0] <= low < high <= J4_SAFE_DEG[1],
            "j4_safe_deg",
            f"a range inside {list(J4_SAFE_DEG)}",
        ),
        (not 0.1 <= arm.tolerance_deg <= 2.0, "tolerance_deg", "0.1 to 2 degrees"),
        (not 1 <= arm.link_failures <= 50, "link_failures", "1 to 50"),
        (
            not 0 <= arm.homing_envelope_deg <= WIDEST_ENVELOPE_DEG,
            "homing_envelope_deg",
            f"0 to {WIDEST_ENVELOPE_DEG:g} degrees",
        ),
        (not 0.005 <= arm.homing_height_m <= 0.3, "homing_height_m", "0.005 to 0.3 metres"),
    ):
        if wrong:
            raise BadInput(f"{located(f'arm.{name}')} = {vars(arm)[name]!r}; expected {expected}")
