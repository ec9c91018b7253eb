"""What a homing tells while it runs: a joint at a time, from root to tip."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class JointFound:
    """Progress: one variable has a value, on the way from root to tip."""

    name: str
    value: float
    """[unit]."""
    unit: str
    method: str


Progress = Callable[[JointFound], None]
