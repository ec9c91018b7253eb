"""Rows that meet the same conditions, and the best of them for a target, found by reading few blocks.

Best first: a block's ranges give the smallest key that a row in it can have. Blocks are read in that
order until none that is left can hold a smaller key than the best row read, nor as small a one.
The bound needs no slack: it is computed by the operations that compute a row's key, in their order, and
each of these, rounding included, never turns two values round.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lib.lookup.blocks import Positions, Zones
from lib.lookup.column import Column
from lib.lookup.condition import Between, Condition, Values, ranges_of
from lib.lookup.table import Table

# Blocks read at once: a few to get near the best, then all that may hold a better one.
_FIRST_BLOCKS = 16
_MORE = 2
_MOST_BLOCKS = 256

# How much of a column a block spans, about [m, deg]: the narrower a range beside it, the fewer rows are in.
_BLOCK_SPANS = (0.020, 0.015, 0.020, 30.0, 30.0, 30.0, 30.0, 30.0, 30.0)


@dataclass(frozen=True)
class Price:
    """What a joint adds to the score: metres for every degree it leaves the reference."""

    joint: Column
    reference_deg: float
    weight_m_per_deg: float


Prices = tuple[Price, ...]


@dataclass(frozen=True)
class Best:
    """The row that was found."""

    position: int
    """Its position in the table."""
    key: float
    """Its score [m] where there are prices, else its squared distance [m^2]: roots can be equal where
    squares differ, and would tie."""


class Family:
    """The rows of a table that meet some conditions; what was read for one target serves the next."""

    def __init__(self, table: Table, conditions: Sequence[Condition]) -> None:
        self._blocks = table.blocks
        ranges, self._remaining = ranges_of(conditions)
        self._ranges = sorted(filter(self._blocks.zones.cut, ranges), key=_relative_width)
        self._near = self._blocks.zones.meeting(self._ranges)
        self._members: list[Positions | None] = [None] * len(self._near)
        self._floors: dict[tuple[tuple[Condition, ...], Prices], _Floors] = {}

    def best(
        self, x_m: float, z_m: float, wanted: tuple[Condition, ...] = (), prices: Prices = ()
    ) -> Best | None:
        """Return the row with the smallest key among those that also meet what is ``wanted``.

        Ties go to the smaller fk_row. None where no row does.
        """
        near = self._floors.get((wanted, prices))
        if near is None:
            near = self._floors[wanted, prices] = _Floors.of(self._blocks.zones, self._near, wanted, prices)
        floors = near.smallest_keys(x_m, z_m)
        waiting = np.argsort(floors)
        best_key, best_rows, step = np.inf, np.empty(0, dtype=np.intp), _FIRST_BLOCKS
        while len(waiting):
            now, waiting = waiting[:step], waiting[step:]
            rows = self._members_of(near.chosen[now])
            for condition in wanted:
                rows = rows[condition.holds(self._blocks.columns[condition.column][rows])]
            if len(rows):
                keys = self._keys(rows, x_m, z_m, prices)
                key = keys.min()
                if key <= best_key:
                    tied = rows[keys == key]
                    best_rows = tied if key < best_key else np.concatenate([best_rows, tied])
                    best_key = key
            waiting = waiting[: np.searchsorted(floors[waiting], best_key, side="right")]
            step = min(_MORE * step, _MOST_BLOCKS)
        if not len(best_rows):
            return None
        first = best_rows[np.argmin(self._blocks.fk_rows[best_rows])]
        return Best(int(first), float(best_key))

    def _members_of(self, chosen: Positions) -> Positions:
        """Return the rows of some of the near blocks that meet the conditions, in no order."""
        new = sorted(k for k in chosen.tolist() if self._members[k] is None)
        if new:
            blocks = self._near[new]
            rows = self._blocks.rows_in(blocks, self._ranges)
            for condition in self._remaining:
                rows = rows[condition.holds(self._blocks.columns[condition.column][rows])]
            # Blocks ascend and so do their rows: each block's members end where its rows do.
            start = 0
            for k, end in zip(new, np.searchsorted(rows, self._blocks.stops[blocks]).tolist(), strict=True):
                self._members[k] = rows[start:end]
                start = end
            if len(new) == len(chosen):
                return rows
        return np.concatenate([self._members[k] for k in chosen.tolist()])

    def _keys(self, rows: Positions, x_m: float, z_m: float, prices: Prices) -> Values:
        columns = self._blocks.columns
        dx, dz = columns[Column.EE_X][rows] - x_m, columns[Column.EE_Z][rows] - z_m
        keys: Values = dx * dx + dz * dz
        if prices:
            keys = np.sqrt(keys)
            for price in prices:
                change_deg = np.abs(columns[price.joint][rows] - price.reference_deg)
                keys += price.weight_m_per_deg * change_deg
        return keys


@dataclass(frozen=True, eq=False)
class _Floors:
    """The smallest key that a row of each block can have, for one way to compute keys."""

    chosen: Positions
    """Which of the family's blocks may have a row that is wanted."""
    x_m: tuple[Values, Values]
    z_m: tuple[Values, Values]
    """Smallest and largest values in each of them."""
    prices_m: tuple[Values, ...]
    """The least that each price adds in each of them."""

    @classmethod
    def of(cls, zones: Zones, blocks: Positions, wanted: Sequence[Condition], prices: Prices) -> _Floors:
        """Gather what does not depend on the target."""
        chosen = np.arange(len(blocks))
        for wish in ranges_of(wanted)[0]:
            lows, highs = zones.lows[wish.column][blocks], zones.highs[wish.column][blocks]
            chosen = chosen[((highs >= wish.low) & (lows <= wish.high))[chosen]]
        near = blocks[chosen]

        def ends(column: Column) -> tuple[Values, Values]:
            return zones.lows[column][near], zones.highs[column][near]

        prices_m = tuple(p.weight_m_per_deg * _gaps(ends(p.joint), p.reference_deg) for p in prices)
        return cls(chosen, ends(Column.EE_X), ends(Column.EE_Z), prices_m)

    def smallest_keys(self, x_m: float, z_m: float) -> Values:
        """Return a number for each block that no row's key in it is smaller than."""
        dx, dz = _gaps(self.x_m, x_m), _gaps(self.z_m, z_m)
        keys: Values = dx * dx + dz * dz
        if self.prices_m:
            keys = np.sqrt(keys)
            for price_m in self.prices_m:
                keys += price_m
        return keys


def _gaps(ends: tuple[Values, Values], value: float) -> Values:
    """Return how far a value is from each range, 0 inside."""
    lows, highs = ends
    gaps: Values = np.maximum(np.maximum(lows - value, value - highs), 0.0)
    return gaps


def _relative_width(wanted: Between) -> float:
    return (wanted.high - wanted.low) / _BLOCK_SPANS[wanted.column]
