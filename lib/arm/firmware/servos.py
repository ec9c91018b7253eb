"""How warm the emulated servos are and what voltage they see."""

from __future__ import annotations

from typing import Final

COUNT: Final = 6
ROOM_C: Final = 26.0
# Held still a servo warms to some 38 degrees, at work to some 55, within a quarter of an hour.
_HOLDING_C: Final = 38.0
_WORKING_C: Final = 55.0
_SLOWNESS_S: Final = 400.0


class Servos:
    """Temperatures follow the work with a lag; the supply sags a little while the arm moves."""

    def __init__(self) -> None:
        self._temperatures_c = [ROOM_C + 0.5 * number for number in range(COUNT)]

    def advance(self, step_s: float, working: bool) -> None:
        """Warm up or cool down for a step of the emulated time."""
        aim_c = _WORKING_C if working else _HOLDING_C
        share = min(1.0, step_s / _SLOWNESS_S)
        self._temperatures_c = [old + share * (aim_c - old) for old in self._temperatures_c]

    def temperatures(self) -> list[int]:
        """Return the six temperatures [deg C]."""
        return [round(value) for value in self._temperatures_c]

    def voltages(self, working: bool) -> list[int]:
        """Return the six voltages in tenths of a volt."""
        return [117 if working else 120] * COUNT
