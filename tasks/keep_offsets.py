"""Tell the driver what homing found: the offsets between encoders and true joints."""

from __future__ import annotations

from lib.arm import Arm
from lib.homing.session import HomingRun, hand_over
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("keep offsets")
def keep_offsets(settings: Settings, arm: Arm, run: HomingRun) -> Evidence[bool]:
    """Mark the arm homed where every joint is sure enough; else send it nothing, and fail."""
    told = hand_over(arm, run)
    if told.offsets_deg is None:
        return Evidence(False, headline=str(told.refusal), refusal=told.refusal)
    largest = max(abs(offset) for offset in told.offsets_deg)
    return Evidence(
        True,
        headline=f"{run.homing_id}: homed, largest offset {largest:.2f} deg",
        metrics={"homing_largest_offset": (largest, "deg")},
    )
