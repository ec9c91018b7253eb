"""The gripper: a command, then what its value says, since its acknowledgement says nothing."""

from __future__ import annotations

import time
from dataclasses import dataclass

from lib.arm.failures import GripFailed
from lib.arm.link import Link, small_whole

HIGHEST_VALUE = 110
"""Some grippers read a little beyond 100."""
UNMOVED = 2
OPEN_WITHIN = 8
# So long it stays where it is before that is believed; real time too, a busy computer stands still.
STEADY_S = 0.8
STEADY_AT_SPEED_1_S = 3.0
STEADY_REAL_S = 0.4
POLL_S = 0.1
POLL_REAL_S = 0.02
LONGEST_S = 6.0
# The slowest gripper that still is one: a fifth of what the emulated one does at the same speed.
SLOWEST_PER_S = 0.4
LONGEST_REAL_S = 2.0
# Users report controllers that hear nothing for 40 s after a gripper close.
DEAF_S = 60.0
DEAF_REAL_S = 8.0


@dataclass(frozen=True)
class Gripped:
    """What the gripper's value says after a command."""

    value: int
    """How far it is open, 0 to 100."""
    holds: bool
    """Whether something is between its fingers: closed, and its value above the empty-close value."""


class GripReader:
    """Reads one gripper's value, and knows what it means."""

    def __init__(self, link: Link, empty_value: float, time_scale: float) -> None:
        self._link = link
        self._empty_value = empty_value
        self._time_scale = time_scale
        self._holds = False

    def value(self) -> int:
        """Read how far it is open, 0 to 100; raises LinkLost."""
        api = self._link.api
        return int(self._link.read("get_gripper_value", api.get_gripper_value, small_whole(HIGHEST_VALUE)))

    def settle(self, commanded: int, speed: int, before: int) -> Gripped:
        """Wait until it has come to rest after a command; raises GripFailed where it did not obey."""
        self._link.be_patient(max(DEAF_REAL_S, DEAF_S / self._time_scale))
        value = self._steady(commanded, speed)
        moved = abs(value - before) > UNMOVED
        if abs(commanded - before) > OPEN_WITHIN and not moved and not self._holds:
            raise GripFailed(
                f"{self._link.name}: the gripper was told {commanded} and stayed at {value}, whatever it "
                "acknowledged; check its plug, then its type"
            )
        closing = commanded < before or (self._holds and commanded <= before)
        if not closing and value < commanded - OPEN_WITHIN:
            raise GripFailed(
                f"{self._link.name}: the gripper opened to {value}, not {commanded}; look what blocks it"
            )
        self._holds = closing and value > max(self._empty_value, commanded + UNMOVED)
        return Gripped(value, self._holds)

    def check_held(self) -> Gripped:
        """Look again whether what was gripped is still there; raises GripFailed where it is not."""
        value = self.value()
        if not self._holds or value <= self._empty_value:
            was = "dropped what it held" if self._holds else "holds nothing"
            self._holds = False
            raise GripFailed(
                f"{self._link.name}: the gripper {was}: its value is {value}, empty it closes to "
                f"{self._empty_value:g} or less"
            )
        return Gripped(value, True)

    def _steady(self, commanded: int, speed: int) -> int:
        """Read until it is exactly where it was told to be, or has stayed where it is for a while.

        Near is not there: what is two units from its end may still be on its way.
        """
        value, since_s = self.value(), time.monotonic()
        steady_s = max(STEADY_REAL_S, max(STEADY_S, STEADY_AT_SPEED_1_S / speed) / self._time_scale)
        longest_s = LONGEST_S + abs(commanded - value) / (SLOWEST_PER_S * speed)
        until_s = since_s + max(LONGEST_REAL_S, longest_s / self._time_scale)
        while value != commanded and time.monotonic() - since_s <= steady_s:
            if time.monotonic() > until_s:
                raise GripFailed(
                    f"{self._link.name}: the gripper was told {commanded} and does not come to rest, "
                    f"its value is {value}; look what it slips on"
                )
            time.sleep(max(POLL_REAL_S, POLL_S / self._time_scale))
            before, value = value, self.value()
            if value != before:
                since_s = time.monotonic()
        return value
