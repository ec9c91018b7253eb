"""Find a known arm's joint origins and offsets from pairs of encoder readings and seen poses."""

from __future__ import annotations

from pathlib import Path

from lib.homing.calibrate import calibrate_robot, read_readings
from lib.report.calibration_markdown import robot_markdown
from lib.robot import Machine
from lib.settings import Settings
from tasks.artifacts import Markdown
from tasks.evidence import Evidence, evidence_task


@evidence_task("calibrate joints", run_name="calibrate {readings.name}")
def calibrate_robot_joints(settings: Settings, readings: Path, machine: Machine) -> Evidence[str]:
    """Fit origins and offsets to all readings; the proof is half of them foretold by the other half."""
    del settings
    found = calibrate_robot(machine, read_readings(readings))
    said = (
        f"{readings.name}: {found.before_mm:.2f} mm off by the robot file, {found.off_mm.mean():.2f} mm now; "
        f"held out {found.held_out_mm.mean():.2f} mm, {found.held_out_deg.mean():.3f} deg"
    )
    return Evidence(
        said,
        headline=said,
        metrics={
            "calibration_left": (float(found.off_mm.mean()), "mm"),
            "calibration_held_out_place": (float(found.held_out_mm.mean()), "mm"),
        },
        artifacts=(Markdown("joint-calibration", robot_markdown(found), said),),
    )
