"""Place several cameras together by photos of a board that lies or is held."""

from __future__ import annotations

from pathlib import Path

from lib.homing.calibrate import BoardSpec, place_rig_by_photos
from lib.homing.session import lenses_of
from lib.report.calibration_markdown import rig_markdown
from lib.robot import Machine
from lib.settings import Settings
from tasks.artifacts import Markdown
from tasks.evidence import Evidence, evidence_task


@evidence_task("place cameras", run_name="place cameras by {images.name}")
def place_cameras_together(settings: Settings, images: Path, board: str, machine: Machine) -> Evidence[str]:
    """Place the robot file's cameras in one bundle; one that shares no photo with the others fails it."""
    del settings
    rig = place_rig_by_photos(images, BoardSpec.parse(board), lenses_of(machine))
    said = f"{images.name}: {len(rig.cameras)} cameras placed, corners {rig.rms_px:.2f} px off"
    refusal = f"{said}; {', '.join(rig.unplaced)} not" if rig.unplaced else None
    return Evidence(
        said,
        headline=refusal or said,
        metrics={"calibration_rms": (rig.rms_px, "px")},
        artifacts=(Markdown("camera-places", rig_markdown(rig), said),),
        refusal=refusal,
    )
