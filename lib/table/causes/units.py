"""Numbers in another unit than they were read as: lengths by one factor, angles by another."""

from __future__ import annotations

import numpy as np

from lib.robot import flange_poses
from lib.table.causes.suspects import Array, Explanation, Suspects, lengths

# How many of each a metre has.
_LENGTHS = {
    "metres": 1.0,
    "decimetres": 10.0,
    "centimetres": 100.0,
    "millimetres": 1_000.0,
    "inches": 1 / 0.0254,
    "feet": 1 / 0.3048,
}
# A scan is read as one of these.
_READ_AS = ("metres", "millimetres")
_ANGLES = {
    "radians read as degrees": 180 / np.pi,
    "degrees read as radians": np.pi / 180,
    "gons read as degrees": 0.9,
}
# A factor this near to a unit's is that unit.
_NEAR_SHARE = 0.005


def unit_of_length(suspects: Suspects) -> list[Explanation]:
    """Suppose that all tips are one factor too long."""
    if suspects.tip_m is not None:
        expected_m = suspects.expected_m(suspects.joints_deg)
        sizes_m2 = (expected_m**2).sum(axis=1)
        factor = float(np.median((suspects.tips_m * expected_m).sum(axis=1) / sizes_m2))
        if factor <= 0:
            return []
        off_m = lengths(suspects.tips_m / factor - expected_m)
    else:
        factor, off_m = _factor_and_tip(suspects)
    return [Explanation("another unit of length", _said(factor), off_m)]


def unit_of_angle(suspects: Suspects) -> list[Explanation]:
    """Suppose that the joints are in another unit."""
    found = [
        Explanation(
            "another unit of angle", name, suspects.off_m(suspects.joints_deg * factor, suspects.tips_m)
        )
        for name, factor in _ANGLES.items()
    ]
    return [min(found, key=lambda explanation: explanation.left_m)]


def _said(factor: float) -> str:
    names = [
        f"{actual} read as {read_as}"
        for read_as in _READ_AS
        for actual in _LENGTHS
        if abs(_LENGTHS[actual] / _LENGTHS[read_as] / factor - 1) < _NEAR_SHARE
    ]
    said = f"the tips are {factor:.4g} times as far from the base as the chain puts them"
    return f"{said}: {' or '.join(names)}" if names else said


def _factor_and_tip(suspects: Suspects) -> tuple[float, Array]:
    """Solve axes^-1 x = factor p + R (factor tip) for both by least squares, leaving wrong rows out.

    Returns (factor, how far off each row of the sample is (m,) [m]).
    """
    rotations, places_m = flange_poses(suspects.robot, suspects.joints_deg)
    seen_m = suspects.tips_m @ suspects.robot.twin_axes  # the inverse of a rotation is its .T
    system = np.concatenate([places_m[:, :, None], rotations], axis=2)
    kept = np.ones(len(seen_m), dtype=bool)
    off_m, factor = np.full(len(seen_m), np.inf), 1.0
    for _ in range(10):
        solution = np.linalg.lstsq(system[kept].reshape(-1, 4), seen_m[kept].ravel(), rcond=None)[0]
        factor = float(solution[0])
        if factor <= 0:
            return 1.0, np.full(len(seen_m), np.inf)
        off_m = lengths(seen_m - system @ solution) / factor
        kept = off_m <= max(suspects.limit_m, float(np.median(off_m)))
    return factor, off_m
