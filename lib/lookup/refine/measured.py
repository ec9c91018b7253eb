"""The measured rows around a pose: what a prediction there can be judged by."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.column import Column
from lib.lookup.condition import Between
from lib.lookup.table import Table

Array = NDArray[np.float64]

LARGEST = 400
_JOINTS = [Column(Column.J0 + k) for k in range(6)]
_ANGLE_UNIT = 1e4  # poses that agree to 1e-4 degrees, all that the twin writes, are one pose
_SPREAD = np.uint64(0x9E3779B97F4A7C15)  # odd, every bit spread upwards (Knuth, TAOCP 3, 6.4)
_NEAREST = 48
_STATED_SHARE = 0.95

# What the twin writes of an angle moves the tip by up to a micrometre: no prediction is better than that.
SMALLEST_ERROR_M = 1e-6


@dataclass(frozen=True, eq=False)
class Measured:
    """Different poses around one, each with its measured tip."""

    joints_deg: Array
    """Poses, of shape (n, 6)."""
    points_m: Array
    """Tool tip of each, the mean where it was measured more than once, of shape (n, 3)."""
    spread_m: Array
    """How far the farthest of its measurements is from that mean [m], of shape (n,)."""

    def __len__(self) -> int:
        return len(self.joints_deg)


def measured_near(table: Table, pose_deg: Array, half_width_deg: float) -> Measured:
    """Return the rows whose six joints are all within ``half_width_deg`` of a pose (6,).

    At most LARGEST poses, thinned evenly and always alike.
    """
    joints, points = _rows_near(table, pose_deg, half_width_deg)
    _, first, group = np.unique(_keys(joints), return_index=True, return_inverse=True)
    counts = np.bincount(group, minlength=len(first))[:, None]
    means = (
        np.column_stack([np.bincount(group, points[:, k], minlength=len(first)) for k in range(3)]) / counts
    )
    spread = np.zeros(len(first))
    np.maximum.at(spread, group, np.linalg.norm(points - means[group], axis=1))
    kept = _thinned(len(first))
    return Measured(joints[first[kept]], means[kept], spread[kept])


def stated_error(measured: Measured, errors_m: Array, pose_deg: Array) -> tuple[float, int]:
    """Return the error [m] that 95 % of the poses around one have or stay below, and how many they are.

    ``errors_m`` (n,) tell how far each measured tip is from its prediction without it.
    """
    distances = np.abs(measured.joints_deg - pose_deg).max(axis=1)
    nearest = np.argsort(distances, kind="stable")[:_NEAREST]
    if not len(nearest):
        return np.inf, 0
    error_m = np.quantile((errors_m + measured.spread_m)[nearest], _STATED_SHARE, method="higher")
    return max(float(error_m), SMALLEST_ERROR_M), len(nearest)


def _rows_near(table: Table, pose_deg: Array, half_width_deg: float) -> tuple[Array, Array]:
    """Return the joints (n, 6) and tips (n, 3) of the rows in a box around a pose."""
    box = [
        Between(joint, pose_deg[k] - half_width_deg, pose_deg[k] + half_width_deg)
        for k, joint in enumerate(_JOINTS)
    ]
    rows = table.blocks.rows_in(table.blocks.zones.meeting(box), box)
    values = table.blocks.columns[:, rows]
    return values[Column.J0 :].T, values[: Column.J0].T


def _keys(joints_deg: Array) -> NDArray[np.uint64]:
    """Return one number for each pose (n, 6), the same for poses that agree to 1e-4 degrees.

    Six angles do not fit in 64 bits: they are hashed, and one neighbourhood in 10^10 takes two poses for one.
    """
    keys = np.zeros(len(joints_deg), dtype=np.uint64)
    for joint in np.rint(joints_deg.T * _ANGLE_UNIT).astype(np.int64):
        keys = (keys ^ joint.view(np.uint64)) * _SPREAD
        keys ^= keys >> np.uint64(32)
    return keys


def _thinned(count: int) -> NDArray[np.intp]:
    if count <= LARGEST:
        return np.arange(count)
    return np.sort(np.random.default_rng(0).permutation(count)[:LARGEST])
