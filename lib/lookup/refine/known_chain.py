"""What is known of the robot's chain: the robot, the tip that was fitted to the table, how well they fit."""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from lib.robot import Robot, tip_points

# The chain explains the table where its fit is this good and leaves out no more rows than a scan may
# have suspects: a tool that moved half way fits half of the rows perfectly.
RMS_LIMIT_M = 3e-4
EXPLAINED_SHARE = 0.999


@dataclass(frozen=True, eq=False)
class KnownChain:
    """A version's chain fit as the lookup sees it."""

    robot: Robot | None = None
    """The robot in the settings; None where there is none."""
    tip_m: tuple[float, float, float] | None = None
    """Tool tip in the last link that was fitted to the version [m]; None where the version keeps no fit."""
    rms_m: float = 0.0
    """Root mean square distance of the fitted rows to it [m]."""
    explained_share: float = 1.0
    """Share of the version's rows that the fit is of; the others are suspects."""
    fitted_with: str | None = None
    """md5 of the robot file that the fit was made with; None where that is not known."""

    @property
    def why_not(self) -> str | None:
        """Say why the chain is not trusted for this table; None where it is."""
        if self.robot is None:
            return "no robot is set, so there is no chain"
        if self.tip_m is None:
            return "the table version keeps no chain fit"
        if self.fitted_with is not None and self.fitted_with != self.robot.file_md5:
            return f"the table's fit was made with another robot file than {self.robot.name}'s"
        if not self.rms_m <= RMS_LIMIT_M:
            return f"the chain fits the table to {self.rms_m * 1e3:.2f} mm only"
        if not self.explained_share >= EXPLAINED_SHARE:
            return (
                f"{1 - self.explained_share:.1%} of the table's rows are off the chain: "
                "another tool, another robot, or a tool that moved"
            )
        return None

    def tips(self, joints_deg: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return the tool tip [m] (n, 3) that chain and fitted tip give for poses [deg] (n, 6)."""
        assert self.robot is not None and self.tip_m is not None
        return tip_points(replace(self.robot, tip_m=np.array(self.tip_m)), joints_deg)
