"""The safety gate: one function, the only caller of the library's motion methods.

No flag, setting or argument goes around it: whoever wants the arm to move builds a request, and the gate
sends it or refuses it by rule. What it refuses is logged with the rule and the numbers, and nothing of it
has been sent.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from lib.arm.failures import GateRefused
from lib.arm.path_check import FINE, GateContext, Verdict, check_way
from lib.arm.plausible import Angles
from lib.arm.target import on_the_wire, speed_fault, target_fault

# What the gripper is: the library's number for the adaptive one, without which its calls raise.
ADAPTIVE_GRIPPER = 1
UNHOMED_SPEED = 20
"""Fastest speed before the arm was homed since its power-on."""


class LookedUp(Protocol):
    """What the gate must know of a lookup that gave a target."""

    @property
    def sendable(self) -> bool:
        """Whether the arm may be sent there."""

    @property
    def why_not_sendable(self) -> str | None:
        """Why it may not."""


@dataclass(frozen=True)
class Move:
    """A request to go to a joint pose [deg], straight in joint space."""

    target_deg: Any
    speed: Any
    lookup: LookedUp | None = None
    """The lookup that the target comes from."""
    in_batch: bool = False
    """Whether no person stands by."""


@dataclass(frozen=True)
class Grip:
    """A request to the gripper: 0 closes, 100 opens."""

    value: Any
    speed: Any
    in_batch: bool = False


@dataclass(frozen=True)
class Release:
    """A request to let the joints go, for a person who holds the arm."""


@dataclass(frozen=True, eq=False)
class GateState:
    """What the gate judges a request by."""

    context: GateContext
    start_deg: Angles
    """Where the path begins: the arm's true joints [deg]."""
    found_deg: Angles
    """Where the arm was found after its power-on [deg]."""
    homed: bool
    """Whether it was homed since."""
    envelope_deg: float
    """How far from where it was found each joint may go before that [deg]."""
    envelope_height_m: float
    """How far above the table everything stays before that [m]."""
    offsets_deg: Angles
    """What homing found: true joint = encoder + offset [deg]."""
    refused: Callable[[Verdict, Move | Grip | Release], None]
    """Told of every refusal."""
    passed: Callable[[Angles, Angles], None]
    """Told start and target, true joints [deg], of every path that passes, before it is sent."""


def through_the_gate(api: Any, state: GateState, request: Move | Grip | Release) -> list[float] | bool:
    """Send a request, or refuse it; return the angles sent [deg], or whether the gripper acknowledged.

    Raises GateRefused with the rule and the numbers; then nothing was sent.
    """
    verdict = judged(state, request)
    if not verdict.ok:
        state.refused(verdict, request)
        raise GateRefused(verdict, _advice(verdict.rule))
    if isinstance(request, Move):
        angles = _encoder_target(state, request)
        state.passed(state.start_deg, _true_target(state, angles))
        # Never acknowledged, never repeated by the library: whoever sent it looks where the arm goes.
        api.send_angles(angles, request.speed, _async=True)
        return angles
    if isinstance(request, Grip):
        return bool(api.set_gripper_value(request.value, request.speed, gripper_type=ADAPTIVE_GRIPPER) == 1)
    return bool(api.release_all_servos() == 1)


def judged(state: GateState, request: Move | Grip | Release) -> Verdict:
    """Return what the gate says about a request, without sending or logging anything."""
    if isinstance(request, Release):
        return FINE
    if isinstance(request, Grip):
        return _grip_fault(request) or _batch_fault(state, request) or FINE
    return (
        target_fault(request.target_deg, state.start_deg)
        or speed_fault(request.speed)
        or _lookup_fault(request)
        or _batch_fault(state, request)
        or _path_fault(state, request)
        or FINE
    )


def _grip_fault(request: Grip) -> Verdict | None:
    value = request.value
    if type(value) is not int or not 0 <= value <= 100:
        says = (
            f"gripper value {str(value)[:20]}, a {type(value).__name__}; expected a Python int from 0 to 100"
        )
        return Verdict(False, "gripper value", says, {"value": str(value)[:20]})
    return speed_fault(request.speed)


def _lookup_fault(request: Move) -> Verdict | None:
    if request.lookup is None or request.lookup.sendable is True:
        return None
    why = request.lookup.why_not_sendable or "the lookup does not say that it is sendable"
    return Verdict(False, "sendable", f"the lookup's target may not be sent: {why}", {})


def _batch_fault(state: GateState, request: Move | Grip) -> Verdict | None:
    if not request.in_batch or state.homed:
        return None
    return Verdict(False, "homing", "a batch needs a homing since the arm's power-on, and there is none", {})


def _path_fault(state: GateState, request: Move) -> Verdict | None:
    sent_deg = _encoder_target(state, request)
    low, high = state.context.limits_deg.T
    for joint, value in enumerate(sent_deg):
        if not low[joint] <= value <= high[joint]:
            bounds = f"[{low[joint]:g}, {high[joint]:g}]"
            says = f"J{joint + 1} would be sent {value:g} deg, outside its limits {bounds}"
            return Verdict(False, "limits", says, {"joint": joint, "value_deg": value})
    path = np.array([state.start_deg, _true_target(state, sent_deg)])
    verdict = check_way(state.context, path)
    if not verdict.ok:
        return verdict
    return None if state.homed else _unhomed_fault(state, request, path)


def _unhomed_fault(state: GateState, request: Move, path: np.ndarray) -> Verdict | None:
    """Return the rule for an arm of which only its own encoders say where it is."""
    if request.speed > UNHOMED_SPEED:
        says = f"speed {request.speed} without a homing since power-on; at most {UNHOMED_SPEED}"
        return Verdict(False, "homing", says, {"speed": request.speed, "at_most": UNHOMED_SPEED})
    away_deg = np.abs(path - np.array(state.found_deg))
    if away_deg.max() > state.envelope_deg:
        joint = int(away_deg.max(axis=0).argmax())
        says = (
            f"J{joint + 1} would be {away_deg[:, joint].max():.1f} deg from where it was found at power-on "
            f"({state.found_deg[joint]:.1f}), at most {state.envelope_deg:g} without a homing"
        )
        numbers = {
            "joint": joint,
            "away_deg": float(away_deg[:, joint].max()),
            "at_most_deg": state.envelope_deg,
        }
        return Verdict(False, "homing", says, numbers)
    volumes = replace(
        state.context.volumes,
        table_margin_m=max(state.envelope_height_m, state.context.volumes.table_margin_m),
    )
    low = check_way(replace(state.context, volumes=volumes), path)
    if low.ok:
        return None
    says = f"without a homing everything stays high above the table: {low.says}"
    return Verdict(False, "homing", says, low.numbers)


def _encoder_target(state: GateState, request: Move) -> list[float]:
    """Return what is sent for a true target: less the offsets, to the hundredth of a degree."""
    return on_the_wire(
        [value - offset for value, offset in zip(request.target_deg, state.offsets_deg, strict=True)]
    )


def _true_target(state: GateState, sent_deg: list[float]) -> Angles:
    return tuple(  # type: ignore[return-value]
        value + offset for value, offset in zip(sent_deg, state.offsets_deg, strict=True)
    )


def _advice(rule: str) -> str:
    return {
        "homing": "`nightpick home` finds by camera where the arm stands, and lifts this; without cameras "
        "lead it by hand with `nightpick arm teach NAME`: where it is then held counts as found",
        "radians": "give degrees",
    }.get(rule, "")
