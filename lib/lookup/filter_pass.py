"""One pass of a request's filters over the table: what the lookup selects from, and what explains it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.filters import Filter
from lib.lookup.table import Table


@dataclass(frozen=True, eq=False)
class Stage:
    """The table after one filter."""

    filter: Filter
    inside: int
    """How many of the rows before meet the filter."""
    rows: NDArray[np.intp]
    """Positions in the table of the rows that go on: those inside, or all where the filter stepped aside."""

    @property
    def stepped_aside(self) -> bool:
        """Whether no row met the filter and it gave way."""
        return self.inside == 0 and len(self.rows) > 0


def filter_pass(table: Table, filters: Sequence[Filter]) -> tuple[Stage, ...]:
    """Apply the filters in order, each to the rows that the one before left."""
    stages: list[Stage] = []
    before: NDArray[np.intp] | None = None
    for step in filters:
        inside = before
        for condition in step.conditions:
            column = table.column(condition.column)
            if inside is None:
                inside = np.flatnonzero(condition.holds(column))
            else:
                inside = inside[condition.holds(column[inside])]
        assert inside is not None
        if len(inside) or not step.steps_aside:
            before = inside
        elif before is None:
            before = np.arange(len(table))
        stages.append(Stage(step, len(inside), before))
    return tuple(stages)
