"""Try every cause on the rows that are off; name the one that leaves least, and those as good."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from lib.table.causes.columns import axes, joint_columns, joint_columns_and_signs
from lib.table.causes.displaced import another_tool, joint_zero, moved_base, skipped_pose, turned_base
from lib.table.causes.suspects import Explanation, Suspects
from lib.table.causes.units import unit_of_angle, unit_of_length

# A cause is named only when it explains nearly all of what is wrong.
EXPLAINS_SHARE = 0.9
# Causes fit equally when the worse one leaves at most this much more than the best: a share and a length [m].
EQUAL_SHARE, EQUAL_M = 0.5, 1e-5

# Of causes that fit equally the first is named first. Those of a later group are asked only where none
# before explains anything: two mistakes at once, and a base that turned, which fits whatever moved bases do.
_CAUSES: tuple[tuple[Callable[[Suspects], list[Explanation]], ...], ...] = (
    (
        another_tool,
        moved_base,
        axes,
        unit_of_length,
        unit_of_angle,
        skipped_pose,
        joint_columns,
        joint_zero,
    ),
    (joint_columns_and_signs,),
    (turned_base,),
)


@dataclass(frozen=True)
class Cause:
    """What went wrong."""

    name: str
    """A few words that are the same every time; of equal causes the first."""
    said: str
    """One line for a person, other causes that fit as well included."""
    of_whole_scan: bool
    """Whether every row has it, found where nothing was known to be right."""
    left_m: float
    """How far off the middle row still is when the cause is undone [m]."""


def name_cause(suspects: Suspects) -> Cause | None:
    """Name what explains the suspects; None where nothing does."""
    for causes in _CAUSES:
        tried = [explanation for cause in causes for explanation in cause(suspects)]
        if fitting := [explanation for explanation in tried if _explains(explanation, suspects)]:
            return _named(fitting, of_whole_scan=suspects.tip_m is None)
    return None


def _explains(explanation: Explanation, suspects: Suspects) -> bool:
    near = explanation.off_m <= suspects.limit_m
    return len(near) > 0 and float(near.mean()) >= EXPLAINS_SHARE


def _named(fitting: Sequence[Explanation], *, of_whole_scan: bool) -> Cause:
    least_m = min(explanation.left_m for explanation in fitting)
    equal = [e for e in fitting if e.left_m <= least_m * (1 + EQUAL_SHARE) + EQUAL_M]
    said = "; fits as well: ".join([equal[0].said, *(f"{e.name}: {e.said}" for e in equal[1:])])
    return Cause(equal[0].name, said, of_whole_scan, equal[0].left_m)
