"""What a user may set about homing."""

from __future__ import annotations

from dataclasses import dataclass

from lib.settings_reading import Named, setting


@dataclass(frozen=True)
class Homing:
    """When a homing is not to be believed."""

    board_limit_px: float = setting(
        "A camera whose board fits worse than this is left out: it was moved, or its lens is another [px].",
        2.0,
    )
    jump_limit_deg: float = setting(
        "A joint offset that jumped by more since the last homing is an alarm [deg].", 1.5
    )
    cameras: Named[str] = setting(
        "A real arm's cameras, by their names in the robot file: device, number or address of each.",
        Named({}),
    )
