"""The best of many rows for a target, found by looking at few chunks of them.

Best first: a chunk's ranges give the smallest key that a row in it can have. Chunks are looked at in that
order until none that is left can hold a smaller key than the best row seen, nor as small a one. That bound
needs no slack: it is computed by the operations that compute a row's key, in their order, and each of
these, rounding included, never turns two values round.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.condition import Values
from lib.lookup.zones import Positions

# Chunks looked at together: enough to get near the best, then more and more.
_FIRST_CHUNKS = 16
_MOST_CHUNKS = 256


@dataclass(frozen=True)
class Best:
    """The row that was found."""

    position: int
    """Its position in the table."""
    key: float
    """Its score [m] where there are prices, else its squared distance [m^2]: roots can be equal where
    squares differ, and would tie."""


@dataclass(frozen=True, eq=False)
class Rows:
    """Rows that a key can be computed for."""

    positions: Positions
    """Their positions in the table, of shape (m,)."""
    xz_m: Values
    """Of shape (2, m)."""
    prices_m: Values
    """What each price adds to the distance, of shape (prices, m); no price: distances compare as squares."""


@dataclass(frozen=True, eq=False)
class Chunks:
    """Rows in k chunks, and what is known of each chunk before it is looked at."""

    lows_m: Values
    """Smallest x and z in each, of shape (2, k)."""
    highs_m: Values
    """Largest x and z in each, of shape (2, k)."""
    least_m: Values
    """The least that each price adds, of shape (prices, k)."""
    rows_of: Callable[[Positions], Rows]
    """Gives the rows of some chunks, in no order."""
    fk_rows: NDArray[np.int64]
    """Number of each row of the table."""

    def best(self, x_m: float, z_m: float) -> Best | None:
        """Return the row with the smallest key, of equal ones that of the smallest number.

        None where there is no row.
        """
        target_m = np.array([[x_m], [z_m]])
        floors = keys(gaps(self.lows_m, self.highs_m, target_m), self.least_m)
        now, waiting = np.arange(len(floors)), np.empty(0, dtype=np.intp)
        if len(floors) > _FIRST_CHUNKS:
            now = np.argpartition(floors, _FIRST_CHUNKS)[:_FIRST_CHUNKS]
        best_key, best_rows, step = np.inf, np.empty(0, dtype=np.intp), _FIRST_CHUNKS
        while len(now):
            rows = self.rows_of(now)
            if len(rows.positions):
                found = keys(rows.xz_m - target_m, rows.prices_m)
                key = found.min()
                if key <= best_key:
                    tied = rows.positions[found == key]
                    best_rows = tied if key < best_key else np.concatenate([best_rows, tied])
                    best_key = key
            if step == _FIRST_CHUNKS:
                # Only now, when most are out of the question, is the rest worth sorting.
                floors[now] = np.nan
                waiting = np.flatnonzero(floors <= best_key)
                waiting = waiting[floors[waiting].argsort()]
            waiting = waiting[: floors[waiting].searchsorted(best_key, side="right")]
            # Where nothing was found, perhaps there is nothing.
            step = min(2 * step, _MOST_CHUNKS) if len(best_rows) else _MOST_CHUNKS
            now, waiting = waiting[:step], waiting[step:]
        if not len(best_rows):
            return None
        first = best_rows[self.fk_rows[best_rows].argmin()]
        return Best(int(first), float(best_key))


def keys(xz_m: Values, prices_m: Values | Sequence[Values]) -> Values:
    """Compute keys from differences to the target (2, ...), changed in place, and prices (prices, ...)."""
    xz_m *= xz_m
    found: Values = xz_m[0] + xz_m[1]
    if len(prices_m):
        np.sqrt(found, out=found)
        for price_m in prices_m:
            found += price_m
    return found


def gaps(lows: Values, highs: Values, values: Values) -> Values:
    """Return how far values are from ranges, 0 inside."""
    beyond = np.maximum(lows - values, values - highs)
    return np.maximum(beyond, 0.0, out=beyond)
