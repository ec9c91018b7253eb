"""Tell the driver what homing found: the offsets between encoders and true joints."""

from __future__ import annotations

from lib.arm import Arm
from lib.homing.session import HomingRun, sendable_offsets
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("keep offsets")
def keep_offsets(settings: Settings, arm: Arm, run: HomingRun) -> Evidence[bool]:
    """Mark the arm homed where every joint is sure enough; else leave it as it is, and fail.

    Nothing that was not seen is ever sent, and nothing at all where an offset jumped.
    """
    offsets_deg = sendable_offsets(run.offsets)
    if run.state != "confident" or offsets_deg is None:
        unsure = [m.name for m in run.homing.movements if not m.sendable]
        why = "; ".join(run.alarms) or f"{', '.join(unsure) or 'the arm'} not seen surely enough"
        said = f"{run.homing_id}: the arm stays as it is, not homed: {why}"
        return Evidence(False, headline=said, refusal=said)
    arm.mark_homed(offsets_deg)  # type: ignore[arg-type]  # six joints, six offsets
    largest = max(abs(offset) for offset in offsets_deg)
    return Evidence(
        True,
        headline=f"{run.homing_id}: homed, largest offset {largest:.2f} deg",
        metrics={"homing_largest_offset": (largest, "deg")},
    )
