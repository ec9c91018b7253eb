"""Between a joint's encoder and the joint itself: offset, play, sag, and what no move repeats.

The encoder sits on the motor. The joint behind it is where the motor is, plus the encoder's offset,
plus the play that the last direction left, plus the sag under the arm's weight, plus a small turn
that every move draws anew.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from lib.cell.flaws import Flaws, stream
from lib.settings_cell import CellErrors

Joints = NDArray[np.float64]

# A move of this many degrees draws its own repeatability; a shorter one keeps part of the last move's.
_FRESH_AFTER_DEG = 5.0


class JointErrors:
    """Six joints' errors, stepped along with the motors."""

    def __init__(self, flaws: Flaws, errors: CellErrors, seed: int, motors_deg: Joints) -> None:
        self._errors = errors
        self._offsets_deg = flaws.joint_offsets_deg
        self._sag_deg = errors.sag_deg * flaws.sag_shares
        self._random = stream(seed, "moves")
        self._play_deg = np.zeros_like(motors_deg)
        self._motors_deg = motors_deg.copy()
        self._wobble_deg = np.zeros_like(motors_deg)
        self._next_wobble_deg = np.zeros_like(motors_deg)

    def begin_move(self, tip_jacobian_m: NDArray[np.float64]) -> None:
        """Draw the turn by which this move will miss; ``tip_jacobian_m`` [m/rad] has shape (3, 6).

        Independent turns of equal size, scaled so that the tip's root mean square miss is the
        repeatability: E |J q|^2 = s^2 |J|_F^2.
        """
        scale_rad = self._errors.repeatability_m / max(float(np.linalg.norm(tip_jacobian_m)), 1e-6)
        self._next_wobble_deg = np.degrees(scale_rad) * self._random.standard_normal(len(self._motors_deg))

    def step(self, motors_deg: Joints, weight_share: Joints) -> Joints:
        """Move the motors there; return how far each joint is from its motor [deg], of shape (6,).

        ``weight_share`` is the weight's torque on each joint, as a share of the largest there is.
        """
        moved_deg = motors_deg - self._motors_deg
        self._motors_deg = motors_deg.copy()
        half = self._errors.backlash_deg / 2
        self._play_deg = np.clip(self._play_deg - moved_deg, -half, half)
        fresh = min(float(np.abs(moved_deg).max()) / _FRESH_AFTER_DEG, 1.0)
        self._wobble_deg += fresh * (self._next_wobble_deg - self._wobble_deg)
        return self._offsets_deg + self._play_deg + self._sag_deg * weight_share + self._wobble_deg
