"""The smallest joint step that brings the tip to a place, inside a box.

Damped least squares (Wampler 1986; Nakamura and Hanafusa 1986): with the tip's Jacobian J at the
pose so far, find the step d from the start with the least |S (J d - b)|^2 + lambda^2 |d|^2 in the box,
and repeat. The damping picks, of all poses that reach the place, the one that moves the joints least;
the last steps are damped from where the pose is, so that damping leaves no residual.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

Array = NDArray[np.float64]
Tips = Callable[[Array], Array]
"""Tool tips [m] (n, 3) of poses [deg] (n, 6)."""

# A degree of any joint moves this arm's tip by up to 5 mm: a thousandth of that damps only what is useless.
_DAMPING_M_PER_DEG = 5e-6
_DIFFERENCE_DEG = 1e-3
_SETTLED_DEG = 1e-7
_STEPS = 20
_CLOSING_STEPS = 4


def smallest_step(tips: Tips, start: Array, place_m: Array, weights: Array, low: Array, high: Array) -> Array:
    """Return the pose [deg] (6,) nearest to ``start`` whose tip is at ``place_m`` (3,), or next to it.

    ``weights`` (3,) say how much each coordinate of the place matters; ``low`` and ``high`` (6,) are
    the box. Where the place cannot be reached, the weighted distance to it is the least in the box.
    """
    pose = np.clip(start, low, high)
    for anchored, steps in ((True, _STEPS), (False, _CLOSING_STEPS)):
        for _ in range(steps):
            moved = _step(tips, pose, start if anchored else pose, place_m, weights, low, high)
            settled = np.abs(moved - pose).max() < _SETTLED_DEG
            pose = moved
            if settled:
                break
    return pose


def _step(
    tips: Tips, pose: Array, anchor: Array, place_m: Array, weights: Array, low: Array, high: Array
) -> Array:
    tip, jacobian = _linearised(tips, pose)
    # The step d counts from the anchor: J d = place - tip + J (pose - anchor).
    wanted = weights * (place_m - tip + jacobian @ (pose - anchor))
    damped = np.vstack([weights[:, None] * jacobian, _DAMPING_M_PER_DEG * np.eye(6)])
    right = np.concatenate([wanted, np.zeros(6)])
    step = np.linalg.lstsq(damped, right, rcond=None)[0]
    if (anchor + step < low).any() or (anchor + step > high).any():
        from scipy.optimize import lsq_linear  # a quarter of a second to import, and not needed by every step

        # An empty width is no bound that lsq_linear takes.
        step = lsq_linear(
            damped, right, bounds=(low - anchor - 1e-12, high - anchor + 1e-12), method="bvls"
        ).x
    return np.clip(anchor + step, low, high)


def _linearised(tips: Tips, pose: Array) -> tuple[Array, Array]:
    """Return the tip [m] (3,) and its Jacobian [m/deg] (3, 6) by central differences."""
    shifts = _DIFFERENCE_DEG * np.eye(6)
    found = tips(np.vstack([pose, pose + shifts, pose - shifts]))
    return found[0], ((found[1:7] - found[7:13]) / (2 * _DIFFERENCE_DEG)).T
