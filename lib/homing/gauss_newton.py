"""Least squares by Gauss and Newton, damped where a step does not help (Levenberg 1944)."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

import numpy as np

from lib.homing.lens import Array

_SMALLEST_STEP = 1e-9
"""Below it, in every unknown's own unit, nothing is gained."""
_SMALLEST_GAIN = 1e-9
"""Of the cost: a thousandth of what the noise leaves open in any unknown."""
_MOST_STEPS = 60
_GAVE_UP = 1e8

X = TypeVar("X")


class Equations(Protocol):
    """Sum of squares, J^T J and J^T r somewhere."""

    @property
    def cost(self) -> float:
        """What is minimised."""

    @property
    def normal(self) -> Array:
        """J^T J, of shape (u, u)."""

    @property
    def pull(self) -> Array:
        """J^T r, of shape (u,)."""


E = TypeVar("E", bound=Equations)


@dataclass(frozen=True, eq=False)
class Rest(Generic[X, E]):
    """Where the descent came to rest."""

    at: X
    equations: E


def descend_to_rest(
    equations: Callable[[X], E],
    stepped: Callable[[X, Array], X],
    start: X,
    most_steps: int = _MOST_STEPS,
) -> Rest[X, E]:
    """Return where the cost has its nearest minimum.

    ``stepped`` adds a step (u,) to the unknowns, on whatever manifold they live.
    """
    at, here = start, equations(start)
    damping = 0.0
    for _ in range(most_steps):
        diagonal = np.diag(here.normal)
        step = -np.linalg.solve(here.normal + damping * np.diag(diagonal), here.pull)
        tried = stepped(at, np.asarray(step))
        there = equations(tried)
        if there.cost <= here.cost * (1 + 1e-12):
            gained = here.cost - there.cost
            at, here = tried, there
            damping = 0.0 if damping < 1e-6 else damping / 10
            if gained <= _SMALLEST_GAIN * here.cost or np.abs(step).max(initial=0.0) < _SMALLEST_STEP:
                break
        else:
            damping = max(10 * damping, 1e-4)
            if damping > _GAVE_UP:
                break
    return Rest(at, here)
