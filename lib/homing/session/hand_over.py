"""From a homing to the arm: what it may be told, and what it must forget.

An arm is told offsets only where every joint was seen surely enough and none of them jumped. A homing
that merely saw too little leaves an earlier one in force; a joint that jumped makes it worthless.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from lib.homing.session.offsets import sendable_offsets
from lib.homing.session.run import HomingRun

if TYPE_CHECKING:
    from lib.arm import Arm


@dataclass(frozen=True)
class HandOver:
    """What the arm was told."""

    offsets_deg: tuple[float, ...] | None
    """True = encoder + offset, a joint each; None where nothing was told."""
    refusal: str | None
    """Why nothing was told; None where the arm is homed now."""


def hand_over(arm: Arm, run: HomingRun) -> HandOver:
    """Mark the arm homed where every joint is sure; else say why not, and send nothing.

    Nothing that was not seen is ever sent.
    """
    offsets_deg = sendable_offsets(run.offsets)
    if run.state == "confident" and offsets_deg is not None:
        arm.mark_homed(offsets_deg)  # type: ignore[arg-type]  # six joints, six offsets
        return HandOver(offsets_deg, None)
    if run.alarms:
        arm.forget_homing()
        return HandOver(None, f"{run.homing_id}: the arm counts as not homed: {'; '.join(run.alarms)}")
    unsure = [m.name for m in run.homing.movements if not m.sendable]
    why = f"{', '.join(unsure) or 'the arm'} not seen surely enough"
    return HandOver(None, f"{run.homing_id}: the arm stays as it is, nothing was sent to it: {why}")
