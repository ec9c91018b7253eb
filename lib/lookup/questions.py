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

_FIRST_JOINT = 4 * COLUMNS + 2


@dataclass(frozen=True, eq=False)
class Questions:
    """Questions (q,) that have prices on the same joints."""

    cells: Values
    """All of what follows, a row for each value, of shape (38 + 2 joints, q)."""
    joints: tuple[Column, ...]
    """Joints that have a price."""

    @classmethod
    def unasked(cls, count: int, joints: tuple[Column, ...]) -> Questions:
        """Make room for questions with prices on these joints; ``ask`` fills it.

        An array at once, not a list of what it is made of: the collector of garbage goes through
        such lists again and again, and took longer than the search.
        """
        # In memory a question's values stand together, since they are written together.
        return cls(np.empty((count, _FIRST_JOINT + 2 * len(joints))).T, joints)

    @property
    def lows(self) -> Values:
        """Smallest value of each column that can meet the conditions, of shape (9, q)."""
        return self.cells[:COLUMNS]

    @property
    def highs(self) -> Values:
        """Largest, of shape (9, q)."""
        return self.cells[COLUMNS : 2 * COLUMNS]

    @property
    def centres(self) -> Values:
        """What a value's difference is measured from, of shape (9, q)."""
        return self.cells[2 * COLUMNS : 3 * COLUMNS]

    @property
    def tolerances(self) -> Values:
        """How large that difference may be, infinite where none is asked for, of shape (9, q)."""
        return self.cells[3 * COLUMNS : 4 * COLUMNS]

    @property
    def target_m(self) -> Values:
        """Targets in x and z, of shape (2, q)."""
        return self.cells[4 * COLUMNS : _FIRST_JOINT]

    @property
    def reference_deg(self) -> Values:
        """Where each joint that has a price costs nothing, of shape (joints, q)."""
        return self.cells[_FIRST_JOINT::2]

    @property
    def weights_m_per_deg(self) -> Values:
        """What a degree from there costs, of shape (joints, q)."""
        return self.cells[_FIRST_JOINT + 1 :: 2]

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
        values = [*lows, *highs, *centres, *tolerances, *target_m]
        for price in prices:
            values += price.reference_deg, price.weight_m_per_deg
        self.cells[:, k] = values

    def __len__(self) -> int:
        return self.target_m.shape[1]

    def some(self, chosen: Positions | slice) -> Questions:
        """Return some of the questions."""
        return Questions(np.ascontiguousarray(self.cells[:, chosen]), self.joints)

    @property
    def span(self) -> list[Between]:
        """The range of every column outside of which no question has any row."""
        return [Between(c, float(self.lows[c].min()), float(self.highs[c].max())) for c in Column]

    @property
    def compared(self) -> list[Column]:
        """The columns whose differences must be looked at."""
        return [c for c in Column if self.tolerances[c].min() < inf]
