"""The best row for each of many questions that all have bounds of their own, found in one search.

Prepared one by one, such questions cost most for what each is asked once. Here the rows between the
outermost bounds of all are brought together in chunks, and the questions are answered in lots: best first
as in nearest.py, whose bound holds here for the same reason, but a round for all of a lot at a time.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from lib.lookup.blocks import BLOCK_ROWS, Blocks
from lib.lookup.column import COLUMNS, Column
from lib.lookup.condition import Values
from lib.lookup.nearby import halved_order
from lib.lookup.nearest import Best, gaps, keys
from lib.lookup.questions import Questions
from lib.lookup.zones import Positions, Zones

# More rows than this are not brought together: a copy of them costs memory.
_MOST_ROWS = 8_000_000
# Rows are arranged by what keys are made of where that costs less than it saves.
_ARRANGED_ROWS_A_QUESTION = 20
# Chunks are looked at one by one for every question, and so are the rows of a few: about a root of all each.
_SMALLEST_CHUNK_ROWS = 32
# A lot's questions times chunks: what stays in a processor's cache.
_LOT_CELLS = 200_000
_FIRST_CHUNKS = 8
_MORE_CHUNKS = 4
_MOST_ROWS_A_ROUND = 4_096

_XZ = (Column.EE_X, Column.EE_Z)


def best_of_each(blocks: Blocks, questions: Questions) -> list[Best | None] | None:
    """Return each question's row with the smallest key, of equal ones that of the smallest number.

    None in place of a row where there is none; None for all where too many rows would be needed.
    """
    ranges = [wanted for wanted in questions.span if blocks.zones.cut(wanted)]
    near = blocks.zones.meeting(ranges)
    if len(near) * BLOCK_ROWS > _MOST_ROWS:
        return None
    best: list[Best | None] = [None] * len(questions)
    rows = blocks.rows_in(near, ranges)
    if not len(rows):
        return best
    pool = _pool(blocks, rows, questions)
    order = np.lexsort(questions.target_m)  # near targets look at the same chunks
    size = max(1, _LOT_CELLS // pool.chunks)
    for start in range(0, len(questions), size):
        lot = order[start : start + size]
        found_keys, found_rows = _search(pool, questions.some(lot))
        for k, key, row in zip(lot.tolist(), found_keys.tolist(), found_rows.tolist(), strict=True):
            if row >= 0:
                best[k] = Best(int(pool.positions[row]), key)
    return best


@dataclass(frozen=True, eq=False)
class _Pool:
    """Rows that some question may want, in chunks of equal size."""

    positions: Positions
    """Their positions in the table."""
    columns: Values
    """Of shape (9, rows)."""
    fk_rows: Positions
    zones: Zones
    """Of the chunks."""
    tested: list[Column]
    """Columns that some row fails by, the one that most fail by first."""

    @property
    def chunks(self) -> int:
        return self.zones.lows.shape[1]

    def floors(self, lot: Questions) -> Values:
        """Return the smallest key that a row of each chunk can have, (q, chunks); NaN where none can be."""
        lows, highs = self.zones.lows, self.zones.highs
        off_m = np.stack(
            [gaps(lows[c], highs[c], t[:, None]) for c, t in zip(_XZ, lot.target_m, strict=True)]
        )
        prices_m = [
            weight[:, None] * gaps(lows[joint], highs[joint], reference[:, None])
            for joint, weight, reference in zip(
                lot.joints, lot.weights_m_per_deg, lot.reference_deg, strict=True
            )
        ]
        floors = keys(off_m, prices_m)
        out = np.zeros(floors.shape, dtype=np.bool_)
        for c in self.tested:
            out |= highs[c] < lot.lows[c][:, None]
            out |= lows[c] > lot.highs[c][:, None]
        np.copyto(floors, np.nan, where=out)
        return floors

    def met(self, lot: Questions, asked: Positions, chunks: Positions) -> tuple[Positions, Positions]:
        """Return the rows in each question's chunk that meet its conditions: questions as given, and rows."""
        size = len(self.positions) // self.chunks
        first, *others = self.tested or [Column.EE_X]
        values = self.columns[first].reshape(self.chunks, size)[chunks]
        found = np.flatnonzero(
            (values >= lot.lows[first][asked, None]) & (values <= lot.highs[first][asked, None])
        )
        pair = found // size
        questions, rows = asked[pair], found + ((chunks - np.arange(len(chunks))) * size)[pair]
        for c in others:
            values = self.columns[c].take(rows)
            inside = np.flatnonzero(
                (values >= lot.lows[c].take(questions)) & (values <= lot.highs[c].take(questions))
            )
            questions, rows = questions.take(inside), rows.take(inside)
        for c in lot.compared:
            off = np.abs(self.columns[c].take(rows) - lot.centres[c].take(questions))
            near = off <= lot.tolerances[c].take(questions)
            questions, rows = questions.compress(near), rows.compress(near)
        return questions, rows

    def keys(self, lot: Questions, questions: Positions, rows: Positions) -> Values:
        """Return what each row costs each question."""
        off_m = np.stack(
            [self.columns[c].take(rows) - t.take(questions) for c, t in zip(_XZ, lot.target_m, strict=True)]
        )
        prices_m = [
            weight.take(questions) * np.abs(self.columns[joint].take(rows) - reference.take(questions))
            for joint, weight, reference in zip(
                lot.joints, lot.weights_m_per_deg, lot.reference_deg, strict=True
            )
        ]
        return keys(off_m, prices_m)


def _pool(blocks: Blocks, rows: Positions, questions: Questions) -> _Pool:
    size = _SMALLEST_CHUNK_ROWS
    while size * size * 16 < len(rows):
        size *= 2
    if questions.joints and len(rows) <= _ARRANGED_ROWS_A_QUESTION * len(questions):
        # In metres, as keys are.
        made_of_m = [blocks.columns[c][rows] for c in _XZ]
        for joint, weights in zip(questions.joints, questions.weights_m_per_deg, strict=True):
            made_of_m.append(weights.mean() * blocks.columns[joint][rows])
        rows = rows[halved_order(np.array(made_of_m, dtype=np.float32), size)]
    # The last row once more, as often as fills the last chunk, changes no answer.
    chunks = math.ceil(len(rows) / size)
    rows = np.concatenate([rows, np.repeat(rows[-1:], chunks * size - len(rows))])
    columns = np.array([column.take(rows) for column in blocks.columns])
    cut = columns.reshape(COLUMNS, chunks, size)
    zones = Zones(cut.min(axis=2), cut.max(axis=2))
    return _Pool(rows, columns, blocks.fk_rows[rows], zones, _tested(zones, questions))


def _tested(zones: Zones, questions: Questions) -> list[Column]:
    """List the columns that rows can fail by, the narrowest ranges among what there is first."""
    lowest, highest = zones.lows.min(axis=1), zones.highs.max(axis=1)
    inside = np.minimum(questions.highs, highest[:, None]) - np.maximum(questions.lows, lowest[:, None])
    share = inside.mean(axis=1) / np.maximum(highest - lowest, 1e-6)
    cut = (questions.lows.max(axis=1) > lowest) | (questions.highs.min(axis=1) < highest)
    return sorted((c for c in Column if cut[c]), key=lambda c: float(share[c]))


def _search(pool: _Pool, lot: Questions) -> tuple[Values, Positions]:
    """Return each question's smallest key and its row in the pool, -1 where there is none."""
    floors = pool.floors(lot)
    best_keys, best_rows = np.full(len(lot), np.inf), np.full(len(lot), -1)
    step, most = _FIRST_CHUNKS, max(_FIRST_CHUNKS, _MOST_ROWS_A_ROUND * pool.chunks // len(pool.positions))
    while True:
        worth = floors <= best_keys[:, None]
        left = worth.sum(axis=1)
        if not left.any():
            return best_keys, best_rows
        many = np.flatnonzero(left > step)
        if len(many):
            nearest = floors[many].argpartition(step, axis=1)[:, :step]
            worth[many] = False
            worth[many[:, None], nearest] = True
        asked, chunks = np.nonzero(worth)
        floors[asked, chunks] = np.nan
        questions, rows = pool.met(lot, asked, chunks)
        if len(questions):
            _improve(pool, best_keys, best_rows, questions, rows, pool.keys(lot, questions, rows))
        step = min(_MORE_CHUNKS * step, most)


def _improve(
    pool: _Pool, best_keys: Values, best_rows: Positions, questions: Positions, rows: Positions, found: Values
) -> None:
    """Put better rows in place; ``questions`` ascend."""
    starts = np.flatnonzero(np.diff(questions, prepend=-1))
    whose = questions[starts]
    least = np.minimum.reduceat(found, starts)
    smaller = least < best_keys[whose]
    best_rows[whose[smaller]] = -1
    best_keys[whose] = np.minimum(best_keys[whose], least)
    tied = np.flatnonzero(found == best_keys.take(questions))
    tied = tied[np.lexsort((pool.fk_rows[rows[tied]], questions[tied]))]
    first = tied[np.flatnonzero(np.diff(questions[tied], prepend=-1))]
    before = best_rows[questions[first]]
    better = (before < 0) | (pool.fk_rows[rows[first]] < pool.fk_rows[before])
    best_rows[questions[first[better]]] = rows[first[better]]
