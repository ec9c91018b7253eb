"""One pass of a request's filters over the table: what the lookup selects from, and what explains it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.condition import ranges_of
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
    blocks = table.blocks
    # What the first filter leaves is all that the others look at: no more is read.
    first, _ = ranges_of(filters[0].conditions)
    before = blocks.rows_in(blocks.zones.meeting(first), first)
    stages: list[Stage] = []
    for step in filters:
        inside = before
        for condition in step.conditions:
            inside = inside[condition.holds(blocks.columns[condition.column][inside])]
        if len(inside) or not step.steps_aside:
            before = inside
        elif not stages:
            blocks.load_all()
            before = np.arange(len(table))
        stages.append(Stage(step, len(inside), before))
    return tuple(stages)
