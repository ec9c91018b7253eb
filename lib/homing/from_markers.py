"""A homing from marker poses: by one of the original's methods, or by the chain where all else failed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from lib.homing.blocks import Block, blocks_of
from lib.homing.lens import Array
from lib.homing.marker_deviation import marker_deviations
from lib.homing.marker_methods import (
    ChainJoint,
    MarkerEvidence,
    estimate,
    evidence_of,
    residuals_mm,
    walk_chain,
)
from lib.homing.marker_pose import MarkerPose
from lib.homing.placing import Placing
from lib.homing.progress import JointFound, Progress
from lib.homing.result import Homing
from lib.homing.state import LOW, MEDIUM, movement, unseen
from lib.robot import Machine

_CHAIN_RESIDUAL_MM = 3.0
"""Of a chain's joint that may be called medium; the real captures left 2.4 to 4.5 mm."""


def by_markers(
    machine: Machine,
    poses: Sequence[MarkerPose],
    method: str,
    seed: Mapping[int, float] | None,
    progress: Progress,
    placing: Placing | None,
    warnings: list[str],
) -> Homing:
    """Estimate the joint values by ``method``, telling the chain's joints as they are found."""
    evidence = evidence_of(machine, poses)

    def tell(joint: ChainJoint) -> None:
        variable = machine.variables[joint.variable]
        shown = joint.value * variable.shown_per_internal
        progress(JointFound(variable.name, shown, variable.unit, joint.method))

    _, chain = walk_chain(machine, evidence, seed, tell)
    values = estimate(machine, evidence, method, seed)
    deviations = marker_deviations(machine, evidence, values)
    counts = {j.variable: j.markers for j in chain}
    movements = tuple(
        movement(v, float(values[k]), float(deviations[k]), counts.get(k, 0), method)
        for k, v in enumerate(machine.variables)
    )
    blocks = blocks_of(machine, sorted(set(evidence.link.tolist())))
    return Homing(
        machine=machine,
        method=method,
        fallback=None,
        found=movements,
        chain=chain,
        marker_poses=tuple(poses),
        placing=placing,
        solution=None,
        residuals=(),
        rms_px=float("nan"),
        rms_mm=centres_rms_mm(evidence, values),
        warnings=tuple(warnings + out_of_limits(machine, values, blocks)),
    )


def by_chain(
    machine: Machine,
    poses: Sequence[MarkerPose],
    seed: Mapping[int, float] | None,
    failure: str,
    placing: Placing,
    warnings: list[str],
) -> Homing:
    """Stand on the chain's state: its joints by two or more markers that agree are medium at best."""
    evidence = evidence_of(machine, poses)
    values, chain = walk_chain(machine, evidence, seed)
    deviations = marker_deviations(machine, evidence, values)
    how = {joint.variable: joint for joint in chain}
    movements = []
    for k, variable in enumerate(machine.variables):
        joint = how.get(k)
        if joint is None:
            movements.append(unseen(variable))
            continue
        good = joint.method == "primary" and joint.residual_mm <= _CHAIN_RESIDUAL_MM
        movements.append(
            movement(
                variable,
                joint.value,
                float(deviations[k]),
                joint.markers,
                joint.method,
                MEDIUM if good else LOW,
            )
        )
    return Homing(
        machine=machine,
        method="chain",
        fallback=failure,
        found=tuple(movements),
        chain=chain,
        marker_poses=tuple(poses),
        placing=placing,
        solution=None,
        residuals=(),
        rms_px=float("nan"),
        rms_mm=centres_rms_mm(evidence, values),
        warnings=(*warnings, f"{failure}; the chain's state stands in its place"),
    )


def centres_rms_mm(evidence: MarkerEvidence, values: Array) -> float:
    """Return the root mean square distance of all marker centres from where values put them [mm]."""
    if not len(evidence.link):
        return float("nan")
    centres = residuals_mm(evidence, values[None])[0][0, :, :3]
    return float(np.sqrt((centres**2).sum(axis=1).mean()))


def out_of_limits(machine: Machine, values: Array, blocks: Sequence[Block]) -> list[str]:
    """Say which seen variables are outside their limits by more than a twentieth of their range."""
    said = []
    for k in sorted(k for block in blocks for k in block.variables):
        v = machine.variables[k]
        slack = 0.05 * (v.high - v.low)
        if not v.low - slack <= values[k] <= v.high + slack:
            low, high, value = (x * v.shown_per_internal for x in (v.low, v.high, float(values[k])))
            said.append(f"{v.name} = {value:.2f} {v.unit} is outside its limits {low:g} to {high:g}")
    return said
