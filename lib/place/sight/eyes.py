"""Where pictures come from: cameras by name that can be asked for one now."""

from __future__ import annotations

from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Picture = NDArray[np.uint8]


class Eyes(Protocol):
    """Fixed cameras."""

    def cameras(self) -> list[str]:
        """Return their names, as the robot file has them."""

    def frame(self, camera: str, colour: bool = False) -> Picture:
        """Return what one sees now: grey (height, width), or (height, width, 3) in blue, green, red."""
