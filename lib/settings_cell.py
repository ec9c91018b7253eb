"""What a user may set about the simulated cell."""

from __future__ import annotations

from dataclasses import dataclass

from lib.settings_reading import Range, setting


@dataclass(frozen=True)
class Cell:
    """The simulated cell."""

    seed: int = setting("Seed of everything random in the simulated cell.", 0)
    time_scale: float = setting(
        "Clock factor of the emulated arm: 1 is real time, up to 50 runs that many times faster.", 1.0
    )
    pick_area_x_m: Range = setting("PICK area, x [m].", (0.10, 0.18))
    pick_area_z_m: Range = setting("PICK area, z [m].", (0.15, 0.24))
    box_centre_m: Range = setting("Centre (x, z) of the PLACE box [m].", (-0.170, 0.190))
    box_outer_m: Range = setting("Outer size (x, z) of the PLACE box [m].", (0.140, 0.140))
