"""Film the arm where it stands: a picture from each camera, and what its encoders read."""

from __future__ import annotations

from lib.arm import Arm
from lib.homing.session import Capture, film_cell
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("film arm")
def film_arm(settings: Settings, arm: Arm) -> Evidence[Capture]:
    """Take the pictures a homing looks at; the arm stands still meanwhile."""
    capture = film_cell(settings, arm)
    return Evidence(
        capture,
        headline=f"{len(capture.images)} pictures: {', '.join(capture.images)}",
        metrics={"homing_pictures": (len(capture.images), "pictures")},
    )
