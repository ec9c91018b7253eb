"""What stops an arm: one class a kind, each one line that a person can act on, exit code 3."""

from __future__ import annotations

from typing import ClassVar

from lib.arm.path_check import Verdict
from lib.errors import Refused


class ArmFailure(Refused):
    """The arm could not do what was asked; it was told to stop."""

    outcome: ClassVar[str] = "failed"
    """What a run that ends with this is recorded as: ``failed``, or ``unknown`` where nobody saw."""


class GateRefused(ArmFailure):
    """The safety gate refused; nothing was sent."""

    def __init__(self, verdict: Verdict, advice: str = "") -> None:
        self.verdict = verdict
        hint = f"; {advice}" if advice else ""
        super().__init__(f"the safety gate refused ({verdict.rule}): {verdict.says}{hint}")


class LinkLost(ArmFailure):
    """The line to the arm cannot be trusted any more."""

    outcome = "unknown"


class Deviated(ArmFailure):
    """The arm was not where the asked motion leads."""


class NotMoved(ArmFailure):
    """The arm did not go on, or did not get there in time."""


class NotBelieved(ArmFailure):
    """The arm says that it is where it cannot be yet."""

    outcome = "unknown"


class ErrorReported(ArmFailure):
    """The arm's error register is not 0."""


class Rebooted(ArmFailure):
    """The controller has started anew: nobody knows what it did; never resume mid-cycle."""

    outcome = "unknown"


class PowerLost(ArmFailure):
    """The servos are without power."""

    outcome = "unknown"


class GripFailed(ArmFailure):
    """The gripper did not do what it acknowledged, or holds nothing."""


class GuardianGone(ArmFailure):
    """The process that would stop the arm if this one died is gone; the arm was stopped."""
