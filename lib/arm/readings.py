"""What the arm tells its owner: where it stands, and what a motion came to."""

from __future__ import annotations

from dataclasses import asdict, dataclass

from lib.arm.plausible import Angles


@dataclass(frozen=True)
class Reading:
    """Where the arm stands: two readings in a row agreed."""

    joints_deg: Angles
    """True joints, encoders and what homing found [deg]."""
    encoders_deg: Angles
    """What the encoders read [deg]."""


@dataclass(frozen=True)
class Moved:
    """A motion that is complete."""

    target_deg: Angles
    """What was asked for, true joints [deg]."""
    reached_deg: Angles
    """Where the arm says it is, true joints [deg]."""
    off_deg: float
    """How far the joint that is farthest from its target is from it [deg]."""
    speed: int
    duration_s: float
    """Real time from the first sending to the arrival [s]."""
    sends: int
    """How often the target was sent: 1 unless something was in the way."""

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick arm move --json` prints."""
        return asdict(self)
