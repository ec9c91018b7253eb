"""Filming an arm: a picture from each of its cameras while it stands still."""

from __future__ import annotations

from typing import TYPE_CHECKING

from lib.errors import Refused
from lib.homing.session.capture import Capture
from lib.homing.session.eyes import open_eyes
from lib.robot import load_machine
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.arm import Arm


def film_cell(settings: Settings, arm: Arm) -> Capture:
    """Take a picture from each camera of the arm's cell, simulated or real, and the encoders' reading.

    The encoders are read before and after: pictures of an arm that moved are of several instants.
    Raises as ``open_eyes`` does, and Refused where the arm moved.
    """
    from lib.arm import cell_behind

    arm.prepare()
    before = arm.read().encoders_deg
    with open_eyes(settings, load_machine(settings.robot)) as eyes:
        images = {name: eyes.frame(name) for name in eyes.cameras()}
    after = arm.read().encoders_deg
    moved_deg = max(abs(a - b) for a, b in zip(before, after, strict=True))
    if moved_deg > settings.arm.tolerance_deg:
        raise Refused(f"the arm moved by {moved_deg:.1f} deg while it was filmed; let it come to rest")
    source = "cameras" if cell_behind(settings) is None else f"simulated cell {settings.cell.seed}"
    return Capture(images, source, tuple((a + b) / 2 for a, b in zip(before, after, strict=True)))
