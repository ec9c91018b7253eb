"""The variants of a study: every approach at every speed, planned, and checked before anything plays."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

import numpy as np

from lib.arm import GateContext, check_path
from lib.errors import BadInput, one_of
from lib.motion.approach import Unreachable, approached
from lib.motion.plan import Plan, plan
from lib.settings_motion import Approach, Motion


@dataclass(frozen=True)
class Variant:
    """One way to do it."""

    approach_name: str
    speed_name: str
    approach: Approach
    move_s: float
    """How long a move takes [s]."""

    @property
    def name(self) -> str:
        """What it is called by: ``high-slow``."""
        return f"{self.approach_name}-{self.speed_name}"


@dataclass(frozen=True)
class Feasibility:
    """Whether a variant may be played, or the rule it breaks with the numbers."""

    ok: bool
    rule: str = ""
    says: str = ""
    numbers: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True, eq=False)
class PlannedVariant:
    """A variant with its run; the run is None where a waypoint is out of reach."""

    variant: Variant
    plan: Plan | None
    feasibility: Feasibility


def variants(motion: Motion) -> tuple[Variant, ...]:
    """Return every approach at every speed, in the order of the settings."""
    return tuple(
        Variant(approach_name, speed_name, approach, move_s)
        for approach_name, approach in motion.approaches.items()
        for speed_name, move_s in motion.speeds_s.items()
    )


def variant_named(motion: Motion, name: str) -> Variant:
    """Return a variant by its name; raises BadInput that lists the names."""
    known = {variant.name: variant for variant in variants(motion)}
    if name not in known:
        raise BadInput(f'variant "{name}": no such variant; expected {one_of(list(known))}')
    return known[name]


def published_variant(motion: Motion) -> Variant:
    """Return the published sequence: its own time a move, from the front."""
    name, approach = next(iter(motion.approaches.items()))
    return Variant(name, "published", approach, motion.sequence.move_s)


def plan_variant(variant: Variant, motion: Motion, gate: GateContext) -> PlannedVariant:
    """Plan a variant by the robot's reach and ask the gate about every frame of it.

    What is not feasible comes back with the rule: ``reach``, ``joint speed`` or the gate's own.
    """
    try:
        sequence, waypoints = approached(gate.robot, motion.sequence, variant.approach)
    except Unreachable as reason:
        return PlannedVariant(variant, None, Feasibility(False, "reach", str(reason), reason.numbers))
    planned = plan(sequence, variant.move_s, waypoints, motion.overlap_share)
    return PlannedVariant(variant, planned, _feasibility(planned, motion, gate))


def peak_joint_speed(planned: Plan) -> tuple[float, int]:
    """Return the fastest commanded joint speed [deg/s] and the number of that joint."""
    peaks = np.max([np.abs(move.speed_deg_s).max(axis=0) for move in planned.moves], axis=0)
    return float(peaks.max()), int(peaks.argmax())


def _feasibility(planned: Plan, motion: Motion, gate: GateContext) -> Feasibility:
    speed_deg_s, joint = peak_joint_speed(planned)
    limit = motion.joint_speed_limit_deg_s
    if speed_deg_s > limit:
        return Feasibility(
            False,
            "joint speed",
            f"j{joint} (J{joint + 1}) would turn at {speed_deg_s:.0f} deg/s; the arm does {limit:g} at most",
            {"joint": joint, "speed_deg_s": speed_deg_s, "limit_deg_s": limit},
        )
    verdict = check_path(gate, planned.targets_deg)
    return Feasibility(verdict.ok, verdict.rule, verdict.says, verdict.numbers)
