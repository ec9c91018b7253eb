"""How the arm is: temperatures, voltages, servo states, reboot count, error register, gripper.

Firmwares answer these with other lengths or not at all; what does not answer is None, and nobody fails
for it. Only the error register has to answer.
"""

from __future__ import annotations

import contextlib
import io
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from lib.arm.link import Link, Suspect, flag, small_whole

JOINTS = 6
HOTTEST_C = 120.0
HIGHEST_V = 30.0
# A getter that was silent so often is one that this firmware lacks; each silence costs 1.5 s.
GIVES_UP_AFTER = 2

ERROR_MEANINGS = {
    **{joint: f"J{joint} is beyond its limit" for joint in range(1, 7)},
    **dict.fromkeys(range(16, 20), "collision protection"),
    32: "no inverse solution",
    33: "no neighbouring solution for a straight line",
    34: "no neighbouring solution for a straight line",
}


@dataclass(frozen=True)
class Health:
    """One look at the arm."""

    powered: bool
    temperatures_c: tuple[float, ...] | None
    """Servo temperatures [deg C], j0 first, as many as answered."""
    voltages_v: tuple[float, ...] | None
    """Servo voltages [V]."""
    servo_states: tuple[int, ...] | None
    """Servo states, 0: well; else the number of set bits."""
    reboots: int | None
    """How often the controller has started."""
    error: int | None
    """Error register, 0: none; None while the power is off."""
    gripper_value: int | None
    """How far the gripper is open, 0 to 100."""
    suspect_calls: int
    """Calls of the link that were not believed, since it was opened."""

    def as_row(self) -> dict[str, object]:
        """Return the values of a row of ``arm_health``, the arm's name and the run left out."""
        return {
            "powered": self.powered,
            "temperatures_c": None if self.temperatures_c is None else list(self.temperatures_c),
            "warmest_c": max(self.temperatures_c) if self.temperatures_c else None,
            "voltages_v": None if self.voltages_v is None else list(self.voltages_v),
            "lowest_v": min(self.voltages_v) if self.voltages_v else None,
            "servo_states": None if self.servo_states is None else list(self.servo_states),
            "reboot_count": self.reboots,
            "error_code": self.error,
            "gripper_open_pct": None if self.gripper_value is None else float(self.gripper_value),
            "suspect_calls": self.suspect_calls,
        }


class HealthReader:
    """Asks for everything; remembers what this firmware does not answer, and does not wait for it again."""

    def __init__(self, link: Link) -> None:
        self._link = link
        self._unanswered: dict[str, int] = {}

    def look(self) -> Health:
        """Take one look; raises LinkLost."""
        api = self._link.api
        powered = self._link.powered()
        return Health(
            powered=powered,
            temperatures_c=_numbers(self._optional("get_servo_temps", api.get_servo_temps), 1.0, HOTTEST_C),
            voltages_v=_numbers(self._optional("get_servo_voltages", api.get_servo_voltages), 0.1, HIGHEST_V),
            servo_states=_states(
                self._optional("get_servo_status", lambda: _unprinted(api.get_servo_status))
            ),
            reboots=self.reboots(),
            error=self.error() if powered else None,
            gripper_value=self._gripper() if powered else None,
            suspect_calls=len(self._link.suspicions),
        )

    def error(self) -> int:
        """Read the error register; raises LinkLost."""
        return int(
            self._link.read("get_error_information", self._link.api.get_error_information, small_whole(255))
        )

    def reboots(self) -> int | None:
        """Read the reboot count, twice the same; None where it does not answer."""
        before = _count(self._optional("get_reboot_count", self._link.api.get_reboot_count))
        for _ in range(3 if before is not None else 0):
            now = _count(self._optional("get_reboot_count", self._link.api.get_reboot_count))
            if now == before:
                return now
            before = now
        return None

    def _gripper(self) -> int | None:
        value = self._optional("get_gripper_value", self._link.api.get_gripper_value)
        return value if type(value) is int and 0 <= value <= 110 else None

    def _optional(self, call: str, function: Callable[[], Any]) -> Any:
        if self._unanswered.get(call, 0) >= GIVES_UP_AFTER:
            return None
        try:
            found = self._link.once(call, function, lambda found: "")
        except Suspect as suspect:
            if not (suspect.suspicion.kind == "no answer" and self._line_answers()):
                self._link.recover()
                return None
            self._unanswered[call] = self._unanswered.get(call, 0) + 1
            self._link.forgive_last()
            return None
        self._unanswered[call] = 0
        return found

    def _line_answers(self) -> bool:
        """Tell whether it is only this getter that does not answer."""
        try:
            self._link.once("is_power_on", self._link.api.is_power_on, flag)
        except Suspect:
            return False
        return True


def _unprinted(function: Callable[[], Any]) -> Any:
    """Call what prints a line for each bit it finds."""
    with contextlib.redirect_stdout(io.StringIO()):
        return function()


def meaning(error: int) -> str:
    """Return what an error code means."""
    return ERROR_MEANINGS.get(error, "not documented")


def _numbers(found: Any, word_unit: float, highest: float) -> tuple[float, ...] | None:
    """Return what a list of servo values says: one byte a servo, or two where there are twelve."""
    values = [found] if type(found) in (int, float) else found
    if not isinstance(values, list) or not values or any(type(v) not in (int, float) for v in values):
        return None
    if len(values) >= 2 * JOINTS:
        # The library has divided voltages by ten byte by byte.
        bytes_ = [round(value / word_unit) for value in values]
        values = [
            (256 * high + low) * word_unit for high, low in zip(bytes_[::2], bytes_[1::2], strict=False)
        ]
    numbers = tuple(round(float(value), 1) for value in values[:JOINTS])
    return numbers if all(0.0 <= number <= highest for number in numbers) else None


def _states(found: Any) -> tuple[int, ...] | None:
    values = [found] if type(found) is int else found
    if not isinstance(values, list) or not values:
        return None
    return tuple(len(value) if isinstance(value, list) else int(bool(value)) for value in values[:JOINTS])


def _count(found: Any) -> int | None:
    if type(found) is int and found >= 0:
        return found
    if type(found) is float and found >= 0:  # the library divides some lengths by ten
        return round(found * 10)
    if isinstance(found, list) and found and all(type(part) is int and part >= 0 for part in found):
        count = 0
        for part in found:
            count = count * 65536 + part
        return count if count < 2**62 else None
    return None
