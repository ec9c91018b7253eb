"""The chain, root to tip: each joint from its own link's markers, and which way that was possible.

primary     two or more markers of the link: the lines between them, turned about the axis from
            where they would be at zero (the closed-form best angle of a plane rotation), or the mean
            shift along a linear axis. The joint's origin has no part in it.
fallback 1  one marker: its centre seen from the joint; at the axis itself, its normal.
fallback 2  none: the joint is found together with the next link that has markers.

A marker that one camera saw alone is centimetres off along that camera's sight: where two others of
the link were seen by several, it is left out.

The result is the accumulated state that later stages begin from, and what is left when they fail.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from lib.homing.blocks import Block, blocks_of
from lib.homing.lens import Array
from lib.homing.marker_methods.residual import MarkerEvidence, residuals_mm
from lib.homing.marker_methods.starts import solve_block
from lib.robot import Machine, tree_frames

PRIMARY, FALLBACK_1, FALLBACK_2 = "primary", "fallback_1", "fallback_2"
_SHORTEST_LEVER_M = 0.010
"""A turn is not read from lines shorter than this across the axis: a millimetre would be six degrees."""


@dataclass(frozen=True)
class ChainJoint:
    """How one variable was found."""

    variable: int
    value: float
    """[rad or m]."""
    method: str
    """``primary``, ``fallback_1`` or ``fallback_2``."""
    markers: int
    """Markers of its block that were seen."""
    residual_mm: float
    """Root mean square distance of those markers' centres from where the state puts them [mm]."""


JointProgress = Callable[[ChainJoint], None]


def walk_chain(
    machine: Machine,
    evidence: MarkerEvidence,
    known: Mapping[int, float] | None = None,
    progress: JointProgress = lambda joint: None,
) -> tuple[Array, tuple[ChainJoint, ...]]:
    """Return joint values (variables,), those nobody sees at mid-range, and how each was found.

    A block whose variables are all ``known`` [rad or m] keeps them.
    """
    known = dict(known or {})
    values = np.array([(v.low + v.high) / 2 for v in machine.variables])
    values[list(known)] = list(known.values())
    found: list[ChainJoint] = []
    for block in blocks_of(machine, sorted(set(evidence.link.tolist()))):
        mine = evidence.rows(np.isin(evidence.link, block.links))
        method = "seed"
        if not set(block.variables) <= known.keys():
            method, values = settle_block(machine, mine, block, values)
        centres_mm = residuals_mm(mine, values[None])[0][0, :, :3]
        rms_mm = float(np.sqrt((centres_mm**2).sum(axis=1).mean()))
        for k in block.variables:
            joint = ChainJoint(k, float(values[k]), method, len(mine.link), rms_mm)
            found.append(joint)
            progress(joint)
    return values, tuple(found)


def settle_block(machine: Machine, mine: MarkerEvidence, block: Block, values: Array) -> tuple[str, Array]:
    """Return the method that served and the values with the block's set."""
    if len(block.variables) == 1 and _one_joint(machine, block):
        (k,) = block.variables
        read = _read_shift if machine.variables[k].kind == "linear" else _read_turn
        several = mine.num_cameras > 1
        reading = read(mine.rows(several) if several.sum() > 1 else mine, k, values)
        if reading is not None:
            method, value = reading
            settled = values.copy()
            settled[k] = _wrapped(machine, k, value)
            return method, settled
    return FALLBACK_2, solve_block(machine, mine, block, values)


def _one_joint(machine: Machine, block: Block) -> bool:
    """Tell whether the block's markers ride on the one joint its variable drives."""
    joints = np.flatnonzero(np.isin(machine.driven_by, block.variables))
    return len(joints) == 1


def _read_shift(mine: MarkerEvidence, variable: int, values: Array) -> tuple[str, float] | None:
    centres, axis, _ = _at_zero(mine, variable, values)
    shifts = (mine.position_m[0] - centres) @ axis
    return (PRIMARY if len(shifts) > 1 else FALLBACK_1), float(np.median(shifts))


def _read_turn(mine: MarkerEvidence, variable: int, values: Array) -> tuple[str, float] | None:
    centres, axis, pivot = _at_zero(mine, variable, values)
    measured = mine.position_m[0]
    if len(centres) > 1:
        angle = _turn(centres - centres.mean(axis=0), measured - measured.mean(axis=0), axis)
        if angle is not None:
            return PRIMARY, angle
    angle = _turn(centres - pivot, measured - pivot, axis)
    if angle is not None:
        return FALLBACK_1, angle
    return None


def _turn(before: Array, after: Array, axis: Array) -> float | None:
    """Return the angle about an axis that takes points best to others, None where they lie on it."""
    flat = before - np.outer(before @ axis, axis)
    if float(np.sqrt((flat**2).sum())) < _SHORTEST_LEVER_M:
        return None
    sine = float((np.cross(flat, after) @ axis).sum())
    cosine = float((flat * after).sum())
    return float(np.arctan2(sine, cosine))


def _at_zero(mine: MarkerEvidence, variable: int, values: Array) -> tuple[Array, Array, Array]:
    """Return the markers' centres [m] with the variable at zero, its joint's axis and place."""
    at_zero = values.copy()
    at_zero[variable] = 0.0
    _, centres, _ = residuals_mm(mine, at_zero[None])
    frames = tree_frames(mine.tree, at_zero[None])
    joint = int(np.flatnonzero(mine.tree.driven_by == variable)[0])
    return centres[0], frames.axes[0, joint], frames.pivots_m[0, joint]


def _wrapped(machine: Machine, variable: int, value: float) -> float:
    """Return a value with its angle in the full turn around the middle of its limits."""
    one = machine.variables[variable]
    if one.kind == "linear":
        return value
    middle = (one.low + one.high) / 2
    return float(value - 2 * np.pi * np.round((value - middle) / (2 * np.pi)))


def accumulated_state(machine: Machine, joints: Sequence[ChainJoint]) -> dict[str, float]:
    """Return what the chain found as a flat state: variable names to degrees or millimetres."""
    return {
        machine.variables[j.variable].name: j.value * machine.variables[j.variable].shown_per_internal
        for j in joints
    }
