"""The best of many rows for a target, found by looking at few chunks of them.

Best first: a chunk's ranges give the smallest key that a row in it can have. Chunks are looked at in that
order until none that is left can hold a smaller key than the best row seen, nor as small a one. That bound
needs no slack: it is computed by the operations that compute a row's key, in their order, and each of
these, rounding included, never turns two values round. Groups of chunks are ruled out in the same way
before their chunks are looked at, so that ten times the rows do not mean ten times the bounds.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.lookup.condition import Values
from lib.lookup.zones import Positions

# Groups whose chunks are looked at together, and chunks whose rows are: enough to get near the best, then
# more and more.
_FIRST_GROUPS = 16
_MOST_TOGETHER = 256
_MORE = 4
# Fewer chunks than this are one group: calls then cost more than values.
_GROUPED_FROM = 384
_GROUP = 16


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
class Bounds:
    """What is known of chunks, or of groups of them, before they are looked at."""

    numbers: Positions
    """What they are called, of shape (k,)."""
    lows_m: Values
    """Smallest x and z in each, of shape (2, k)."""
    highs_m: Values
    """Largest x and z in each, of shape (2, k)."""
    least_m: Values
    """The least that each price adds, of shape (prices, k)."""

    def __len__(self) -> int:
        return len(self.numbers)

    def floors(self, target_m: Values) -> Values:
        """Return the smallest key that a row in each can have, of shape (k,)."""
        return keys(gaps(self.lows_m, self.highs_m, target_m), self.least_m)


@dataclass(frozen=True, eq=False)
class Chunks:
    """Rows in chunks, and these in groups."""

    groups: Bounds
    chunks_of: Callable[[Positions], Bounds]
    """Gives what is known of the chunks of some groups, by the groups' numbers."""
    rows_of: Callable[[Positions], Rows]
    """Gives the rows of some chunks, by the chunks' numbers, in no order."""
    fk_rows: NDArray[np.int64]
    """Number of each row of the table."""
    first: int
    """How many chunks are looked at before any is ruled out."""

    @classmethod
    def of(
        cls, chunks: Bounds, rows_of: Callable[[Positions], Rows], fk_rows: NDArray[np.int64], first: int
    ) -> Chunks:
        """Group chunks of which neighbours stand together; ``rows_of`` takes their numbers."""
        count = len(chunks)
        if count < _GROUPED_FROM:
            everything = Bounds(np.zeros(min(count, 1), dtype=np.intp), *np.zeros((3, 2, min(count, 1))))
            return cls(everything, lambda _: chunks, rows_of, fk_rows, first)
        starts = np.arange(0, count, _GROUP)

        def chunks_of(groups: Positions) -> Bounds:
            some = (groups[:, None] * _GROUP + np.arange(_GROUP)).ravel()
            some = some if count % _GROUP == 0 else some.compress(some < count)
            return Bounds(
                chunks.numbers.take(some),
                chunks.lows_m.take(some, axis=1),
                chunks.highs_m.take(some, axis=1),
                chunks.least_m.take(some, axis=1),
            )

        groups = Bounds(
            np.arange(len(starts)),
            np.minimum.reduceat(chunks.lows_m, starts, axis=1),
            np.maximum.reduceat(chunks.highs_m, starts, axis=1),
            np.minimum.reduceat(chunks.least_m, starts, axis=1),
        )
        return cls(groups, chunks_of, rows_of, fk_rows, first)

    def best(self, x_m: float, z_m: float) -> Best | None:
        """Return the row with the smallest key, of equal ones that of the smallest number.

        None where there is no row.
        """
        target_m = np.array([[x_m], [z_m]])
        found = _Found(np.inf, np.empty(0, dtype=np.intp))
        for groups in _nearest_first(self.groups, target_m, found, _FIRST_GROUPS):
            chunks = self.chunks_of(groups)
            for some in _nearest_first(chunks, target_m, found, self.first):
                rows = self.rows_of(some)
                if len(rows.positions):
                    found.see(rows.positions, keys(rows.xz_m - target_m, rows.prices_m))
        if not len(found.positions):
            return None
        first = found.positions[self.fk_rows[found.positions].argmin()]
        return Best(int(first), float(found.key))


@dataclass
class _Found:
    """The best rows seen so far."""

    key: float
    positions: Positions
    """All that have this key."""

    def see(self, positions: Positions, found: Values) -> None:
        """Look at rows and their keys."""
        key = found.min()
        if key <= self.key:
            tied = positions[found == key]
            self.positions = tied if key < self.key else np.concatenate([self.positions, tied])
            self.key = key


def _nearest_first(bounds: Bounds, target_m: Values, found: _Found, first: int) -> Iterator[Positions]:
    """Give the numbers of those that may hold as small a key as was found, by and by, the nearest first.

    What is ``found`` meanwhile rules out those that follow.
    """
    if len(bounds) <= first and not len(found.positions):
        if len(bounds):
            yield bounds.numbers
        return
    floors = bounds.floors(target_m)
    step = first
    if not len(found.positions):
        now = floors.argpartition(first)[:first]
        yield bounds.numbers.take(now)
        floors[now] = np.nan
        step *= _MORE
    # Only now, when most are out of the question, is the rest worth sorting.
    waiting = np.flatnonzero(floors <= found.key)
    waiting = waiting[floors[waiting].argsort()]
    while len(waiting):
        # Where nothing was found, perhaps there is nothing.
        step = step if len(found.positions) else _MOST_TOGETHER
        yield bounds.numbers.take(waiting[:step])
        waiting = waiting[step:]
        waiting = waiting[: floors[waiting].searchsorted(found.key, side="right")]
        step = min(_MORE * step, _MOST_TOGETHER)


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
