"""Many questions as arrays: what each asks of every column, its target, its prices."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import inf

import numpy as np

from lib.lookup.column import COLUMNS, Column
from lib.lookup.condition import Between, Condition, Values, ends_of
from lib.lookup.family import Price
from lib.lookup.zones import Positions


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions (q,) that have prices on the same joints."""

    lows: Values
    """Smallest value of each column that can meet the conditions, of shape (9, q)."""
    highs: Values
    """Largest, of shape (9, q)."""
    centres: Values
    """What a value's difference is measured from, of shape (9, q)."""
    tolerances: Values
    """How large that difference may be, infinite where none is asked for, of shape (9, q)."""
    target_m: Values
    """Targets in x and z, of shape (2, q)."""
    reference_deg: Values
    """Where each joint that has a price costs nothing, of shape (joints, q)."""
    weights_m_per_deg: Values
    """What a degree from there costs, of shape (joints, q)."""
    joints: tuple[Column, ...]
    """Joints that have a price."""

    @classmethod
    def unasked(cls, count: int, joints: tuple[Column, ...]) -> Questions:
        """Make room for questions with prices on these joints; ``ask`` fills it.

        Arrays at once, not a list of what they are made of: the collector of garbage goes through
        such lists again and again, and took longer than the search.
        """
        # In memory a question's values stand together, since they are written together.
        lows, highs, centres, tolerances = np.empty((4, count, COLUMNS)).swapaxes(1, 2)
        reference_deg, weights_m_per_deg = np.empty((2, count, len(joints))).swapaxes(1, 2)
        targets_m = np.empty((count, 2)).T
        return cls(lows, highs, centres, tolerances, targets_m, reference_deg, weights_m_per_deg, joints)

    def ask(
        self, k: int, target_m: tuple[float, float], conditions: Sequence[Condition], prices: Sequence[Price]
    ) -> None:
        """Put a question in place ``k``; raises ValueError where it asks two differences of one column."""
        lows, highs = [-inf] * COLUMNS, [inf] * COLUMNS
        centres, tolerances = [0.0] * COLUMNS, [inf] * COLUMNS
        for condition in conditions:
            column = condition.column
            if isinstance(condition, Between):
                low, high = condition.low, condition.high
            else:
                if tolerances[column] < inf:
                    raise ValueError(f"two differences are asked of {column.name}; expected one")
                centres[column], tolerances[column] = condition.centre, condition.tolerance
                low, high = ends_of(condition)
            lows[column], highs[column] = max(lows[column], low), min(highs[column], high)
        self.lows[:, k], self.highs[:, k] = lows, highs
        self.centres[:, k], self.tolerances[:, k] = centres, tolerances
        self.target_m[:, k] = target_m
        for row, price in enumerate(prices):
            self.reference_deg[row, k] = price.reference_deg
            self.weights_m_per_deg[row, k] = price.weight_m_per_deg

    def __len__(self) -> int:
        return self.target_m.shape[1]

    def some(self, chosen: Positions | slice) -> Questions:
        """Return some of the questions."""
        return Questions(
            self.lows[:, chosen],
            self.highs[:, chosen],
            self.centres[:, chosen],
            self.tolerances[:, chosen],
            self.target_m[:, chosen],
            self.reference_deg[:, chosen],
            self.weights_m_per_deg[:, chosen],
            self.joints,
        )

    @property
    def span(self) -> list[Between]:
        """The range of every column outside of which no question has any row."""
        return [Between(c, float(self.lows[c].min()), float(self.highs[c].max())) for c in Column]

    @property
    def compared(self) -> list[Column]:
        """The columns whose differences must be looked at."""
        return [c for c in Column if self.tolerances[c].min() < inf]
