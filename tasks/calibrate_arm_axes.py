"""Find an arm's axes from pairs of encoder readings and seen poses."""

from __future__ import annotations

from pathlib import Path

from lib.homing.calibrate import calibrate_arm, read_readings
from lib.report.calibration_markdown import arm_markdown
from lib.settings import Settings
from tasks.artifacts import Markdown
from tasks.evidence import Evidence, evidence_task


@evidence_task("calibrate arm", run_name="calibrate {readings.name}")
def calibrate_arm_axes(settings: Settings, readings: Path) -> Evidence[str]:
    """Fit the axes to all readings; the proof is half of them foretold by the other half."""
    del settings
    found = calibrate_arm(read_readings(readings))
    held = ", ".join(f"{mean:.3f}" for mean in found.held_out_deg.mean(axis=0))
    said = f"{readings.name}: {len(found.off_mm)} readings, held out {held} deg"
    return Evidence(
        said,
        headline=said,
        metrics={
            "calibration_left": (float(found.off_mm.mean()), "mm"),
            "calibration_held_out": (float(found.held_out_deg.mean()), "deg"),
        },
        artifacts=(Markdown("arm-calibration", arm_markdown(found), said),),
    )
