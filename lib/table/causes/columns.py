"""Columns that hold something else than their names say: axes or joints swapped, negated, reversed."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from lib.robot import tips_in_flange
from lib.table.causes.suspects import Array, Explanation, Suspects, lengths
from lib.table.chain_fit import axes_name

JOINTS = 6
# So few rows tell a right order of the joints from 46,079 wrong ones; the best is then held against all.
SCREENED_ROWS = 24
# Orders tried at once: bounds the memory.
_AT_ONCE = 16
# Orders whose residual is this near [m] to the best one's are told apart by how little they change.
_SAME_M = 1e-5
# Each begins with the file's own.
_ORDERS = np.array(list(itertools.permutations(range(JOINTS))))
_SIGNS = np.array(list(itertools.product((1.0, -1.0), repeat=JOINTS)))


def axes(suspects: Suspects) -> list[Explanation]:
    """Try every signed permutation of the axes but the robot file's own, mirrored ones too."""
    found = []
    for order in itertools.permutations(range(3)):
        for signs in itertools.product((1.0, -1.0), repeat=3):
            twin_axes = np.zeros((3, 3))
            twin_axes[range(3), order] = signs
            if np.array_equal(twin_axes, suspects.robot.twin_axes):
                continue
            supposed = replace(suspects, robot=replace(suspects.robot, twin_axes=twin_axes))
            found.append((twin_axes, supposed.off_m(suspects.joints_deg, suspects.tips_m)))
    twin_axes, off_m = min(found, key=lambda candidate: float(np.median(candidate[1])))
    same_order = np.array_equal(np.abs(twin_axes), np.abs(suspects.robot.twin_axes))
    name = "negated axes" if same_order else "swapped axes"
    said = (
        f"the scan's columns are {axes_name(twin_axes)} of the vendor's frame, "
        f"expected {axes_name(suspects.robot.twin_axes)}"
    )
    return [Explanation(name, said, off_m)]


def joint_columns(suspects: Suspects) -> list[Explanation]:
    """Try every order of the joint columns, and every choice of signs."""
    return [_best(suspects, _ORDERS, _SIGNS[:1]), _best(suspects, _ORDERS[:1], _SIGNS)]


def joint_columns_and_signs(suspects: Suspects) -> list[Explanation]:
    """Try every order of the joint columns with every choice of signs."""
    return [_best(suspects, _ORDERS, _SIGNS)]


def _best(suspects: Suspects, orders: NDArray[np.int64], signs: Array) -> Explanation:
    """Take the order and the signs under which a few rows fit best, the least change among equals."""
    every = max(1, len(suspects.sample) // SCREENED_ROWS)
    joints_deg, tips_m = suspects.joints_deg[::every], suspects.tips_m[::every]
    left_m = np.concatenate(
        [
            _left(suspects, joints_deg, tips_m, orders[start : start + _AT_ONCE], signs)
            for start in range(0, len(orders), _AT_ONCE)
        ]
    )
    moved = (orders != np.arange(JOINTS)).sum(axis=1)
    changes = moved[:, None] + (signs < 0).sum(axis=1)[None, :]
    left_m[changes == 0] = np.inf  # the file's own columns are no mistake
    equal = left_m <= left_m.min() + _SAME_M
    k, s = np.unravel_index(np.argmin(np.where(equal, changes, 99)), left_m.shape)
    order, sign = orders[k], signs[s]
    off_m = suspects.off_m(suspects.joints_deg[:, order] * sign, suspects.tips_m)
    return Explanation(_name(order, sign), _said(order, sign), off_m)


def _left(
    suspects: Suspects, joints_deg: Array, tips_m: Array, orders: NDArray[np.int64], signs: Array
) -> Array:
    """Return the median residual [m] of the rows under each order and choice of signs, (orders, signs)."""
    supposed = joints_deg[:, orders].transpose(1, 0, 2)[:, None] * signs[None, :, None, :]
    shape = supposed.shape[:3]
    tips = np.broadcast_to(tips_m, (*shape[:2], *tips_m.shape)).reshape(-1, 3)
    implied_m = tips_in_flange(suspects.robot, supposed.reshape(-1, JOINTS), tips).reshape(*shape, 3)
    centre = np.median(implied_m, axis=2, keepdims=True) if suspects.tip_m is None else suspects.tip_m
    off_m = lengths((implied_m - centre).reshape(-1, 3)).reshape(shape)
    return np.median(off_m, axis=2)


def _name(order: NDArray[np.int64], sign: Array) -> str:
    what = []
    if np.array_equal(order, np.arange(JOINTS)[::-1]):
        what.append("reversed")
    elif not np.array_equal(order, np.arange(JOINTS)):
        what.append("permuted")
    if (sign < 0).any():
        what.append("negated")
    return f"{' and '.join(what)} joint columns"


def _said(order: NDArray[np.int64], sign: Array) -> str:
    holds = [""] * JOINTS
    for joint, column in enumerate(order.tolist()):
        holds[column] = f"{'-' if sign[joint] < 0 else ''}j{joint}"
    return f"the columns called j0 to j5 hold {' '.join(holds)}"
