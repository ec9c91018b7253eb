"""Filming the simulated cell: a picture from each of its cameras while its arm stands still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lib.cell import CellLink
from lib.errors import BadInput, Refused
from lib.homing.session.capture import Capture
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.arm import Arm


def film_cell(settings: Settings, arm: Arm) -> Capture:
    """Take a picture from each camera of the emulated arm's cell, and the encoders' reading.

    The encoders are read before and after: pictures of an arm that moved are of several instants.
    Raises BadInput for a real arm, whose cameras are not ours to ask, and Refused where the arm moved.
    """
    from lib.arm import running_cell

    if settings.arm.kind != "emulated":
        raise BadInput(
            f'arm.kind = "{settings.arm.kind}": the cameras of a real arm take their own pictures; '
            "expected --images DIR with one from each"
        )
    arm.prepare()
    before = arm.read().encoders_deg
    with CellLink(running_cell(settings)) as cell:
        images = {name: cell.frame(name) for name in cell.cameras()}
    after = arm.read().encoders_deg
    moved_deg = max(abs(a - b) for a, b in zip(before, after, strict=True))
    if moved_deg > settings.arm.tolerance_deg:
        raise Refused(f"the arm moved by {moved_deg:.1f} deg while it was filmed; let it come to rest")
    source = f"simulated cell {settings.cell.seed}"
    return Capture(images, source, tuple((a + b) / 2 for a, b in zip(before, after, strict=True)))
