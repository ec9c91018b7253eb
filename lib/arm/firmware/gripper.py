"""The emulated gripper: goes to a value at a speed, holds what is between its fingers, and misbehaves."""

from __future__ import annotations

from lib.arm.firmware.faults import Faults
from lib.cell import Body, KinematicBody

# From open to closed in one second at speed 50.
FULL_SPEED_PER_S = 200.0
CLOSED_BELOW = 50.0
"""Whoever asks for less than this means to close."""
_SLACK = 30.0
_SLACK_S = 1.0


class Gripper:
    """Its commanded value, and the value its servo is driven to."""

    def __init__(self, body: Body) -> None:
        self._body = body
        self._commanded = self.setpoint = body.gripper_value()
        self._rate_per_s = 0.0
        self._holds_for_s: float | None = None
        self._slack_for_s: float | None = None

    @property
    def moving(self) -> bool:
        """Whether it is on its way."""
        return self.setpoint != self._commanded

    def go_to(self, value: float, speed: int, faults: Faults) -> bool:
        """Take a command; return whether it closes."""
        closes = value < CLOSED_BELOW
        if not faults.gripper_stuck:
            self._commanded = min(100.0, max(0.0, float(value)))
            self._rate_per_s = FULL_SPEED_PER_S * max(1, speed) / 100.0
            self._holds_for_s = 0.0 if closes else None
            self._slack_for_s = None
        return closes

    def advance(self, step_s: float, faults: Faults) -> None:
        """Go on for a step of the emulated time."""
        if self._holds_for_s is not None and faults.gripper_drops_after_s is not None:
            self._holds_for_s += step_s
            if self._holds_for_s >= faults.gripper_drops_after_s:
                self._holds_for_s, self._slack_for_s = None, 0.0
                self.setpoint = min(100.0, self._body.gripper_value() + _SLACK)
        if self._slack_for_s is not None:
            self._slack_for_s += step_s
            if self._slack_for_s < _SLACK_S:
                return
            self._slack_for_s = None
            if isinstance(self._body, KinematicBody):
                self._body.object_value = None
        step = self._rate_per_s * step_s
        self.setpoint += min(step, max(-step, self._commanded - self.setpoint))

    def relax(self) -> None:
        """Stay where the fingers are: the power went."""
        self._commanded = self.setpoint = self._body.gripper_value()
        self._holds_for_s = self._slack_for_s = None
