"""What a user may set about the arm: which one, how it is reached, how it is watched."""

from __future__ import annotations

from dataclasses import dataclass

from lib.settings_reading import Range, setting


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
    speed: int = setting("Speed of a motion where none is given, 1 to 100.", 40)
    j4_safe_deg: Range = setting("Range of j4 (the vendor's J5) the arm may be sent to [deg].", (-90.0, 60.0))
