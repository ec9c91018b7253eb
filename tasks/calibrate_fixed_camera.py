"""Calibrate a fixed camera from photos of a board on the flange."""

from __future__ import annotations

from pathlib import Path

from lib.homing.calibrate import BoardSpec, calibrate_photos
from lib.report.calibration_markdown import camera_markdown
from lib.settings import Settings
from tasks.artifacts import Markdown
from tasks.evidence import Evidence, evidence_task


@evidence_task("calibrate camera", run_name="calibrate {images.name}")
def calibrate_fixed_camera(settings: Settings, images: Path, poses: Path, board: str) -> Evidence[str]:
    """Find lens, place and what the arm itself is off by; the proof is each photo left out in turn."""
    del settings
    found = calibrate_photos(images, poses, BoardSpec.parse(board))
    said = (
        f"{images.name}: {len(found.used)} photos, {found.rms_px:.2f} px; left out in turn "
        f"{found.off_mm.mean():.2f} mm, {found.off_deg.mean():.3f} deg"
    )
    return Evidence(
        said,
        headline=said,
        metrics={
            "calibration_rms": (found.rms_px, "px"),
            "calibration_left_out": (float(found.off_mm.mean()), "mm"),
            "calibration_left_out_turn": (float(found.off_deg.mean()), "deg"),
        },
        artifacts=(Markdown("camera-calibration", camera_markdown(found), said),),
    )
