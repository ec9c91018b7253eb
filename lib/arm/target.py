"""What may be asked of the arm as a target and a speed: plain Python numbers, in degrees, six of them.

pymycobot takes a real ``list`` of Python numbers and a speed whose type is ``int``; it truncates to
hundredths. Everything else is refused here by name, before anything is computed with it.
"""

from __future__ import annotations

import math
from typing import Any

from lib.arm.path_check import Verdict
from lib.arm.plausible import Angles

JOINTS = 6
# Nobody types degrees finer than a tenth; what is finer and all of it below pi was meant as radians.
TYPED_DEG = 0.1
# A reading of the arm near its zero is fine and small too; sent back, it moves nothing,
STAYS_DEG = 0.5
# and with one joint farther, the others prove nothing.
SAME_DEG = 0.15
# One alone is told by being a sixth of a right angle, or several: 1.57, 0.7854.
TOLD_ALONE_RAD = math.pi / 12


def target_fault(target: Any, start_deg: Angles) -> Verdict | None:
    """Return the rule that a joint target breaks as a value, or None."""
    if not isinstance(target, list | tuple):
        return _fault("type", f"the target is {_kind(target)}; expected a list of six numbers")
    if len(target) != JOINTS:
        return _fault(
            "length", f"{len(target)} joint values; expected six, J1 to J6 [deg]", count=len(target)
        )
    for joint, value in enumerate(target):
        if type(value) not in (int, float):
            return _fault("type", f"J{joint + 1} is {_kind(value)}; expected a Python number", joint=joint)
        if not math.isfinite(value):
            return _fault("finite", f"J{joint + 1} is {value}; expected a finite number", joint=joint)
    return _radians(target, start_deg)


def _kind(value: Any) -> str:
    numpy = type(value).__module__.split(".")[0] == "numpy"
    return f"a {'NumPy ' if numpy else ''}{type(value).__name__}"


def speed_fault(speed: Any) -> Verdict | None:
    """Return the rule that a speed breaks, or None."""
    if type(speed) is not int:
        return _fault(
            "speed",
            f"the speed is {str(speed)[:20]}, a {type(speed).__name__}; expected a Python int from 1 to 100",
        )
    if not 1 <= speed <= 100:
        return _fault("speed", f"speed {speed}; expected 1 to 100", speed=speed)
    return None


def _radians(target: list[float] | tuple[float, ...], start_deg: Angles) -> Verdict | None:
    if max(abs(value) for value in target) > math.pi:
        return None
    away = [abs(value - start) for value, start in zip(target, start_deg, strict=True)]
    if max(away) <= STAYS_DEG:
        return None
    moves = [value for value, off in zip(target, away, strict=True) if off > SAME_DEG]
    fine = [value for value in moves if abs(value / TYPED_DEG - round(value / TYPED_DEG)) > 1e-6]
    if len(fine) < 2 and not any(map(_round_in_radians, fine)):
        return None
    listed = ", ".join(f"{value:.4g}" for value in target)
    return _fault("radians", f"[{listed}] looks like radians; expected degrees", target=list(target))


def _round_in_radians(value: float) -> bool:
    whole = round(value / TOLD_ALONE_RAD) * TOLD_ALONE_RAD
    return abs(value - whole) < 6e-4 or abs(value - round(whole, 2)) < 1e-9


def on_the_wire(target_deg: list[float] | tuple[float, ...]) -> list[float]:
    """Return the target in whole hundredths of a degree, as numbers that the library truncates to them."""
    sent = []
    for value in target_deg:
        hundredths = round(value * 100)
        number = hundredths / 100
        if int(number * 100) != hundredths:
            number = math.nextafter(number, math.inf if hundredths > 0 else -math.inf)
        sent.append(number)
    return sent


def _fault(rule: str, says: str, **numbers: object) -> Verdict:
    return Verdict(False, rule, says, numbers)
