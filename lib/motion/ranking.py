"""Which variant is best: the median of its ranks over repeats, ties where the evidence does not tell.

In each repeat every score of RANKED ranks the variants that passed the gates; the mean of a variant's
ranks orders them, and its place in that order is its rank. A variant that did not pass comes last. The
median's interval comes from resampling the repeats; variants whose intervals overlap share a place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass

import numpy as np

from lib.motion.minimum_jerk import Values
from lib.motion.scores import RANKED, Scores

RESAMPLES = 2_000
CONFIDENCE = 0.95
_SEED = 2026
_SAME_SHARE = 1e-6
"""Scores that differ by less than this share are the same."""


@dataclass(frozen=True)
class Ranked:
    """One variant's place."""

    name: str
    place: int
    """1 is best; variants that cannot be told apart share a place."""
    tied_with: tuple[str, ...]
    """The others in the same place."""
    median_rank: float
    low_rank: float
    """Lower end of the median's 95 % interval."""
    high_rank: float
    """Upper end of it."""
    passed: int
    """In how many repeats it passed the gates."""
    repeats: int
    on_front: bool
    """Whether no other variant is both faster and smoother."""
    medians: Mapping[str, float]
    """Median of every score over the repeats that passed the gates."""

    def as_json(self) -> dict[str, object]:
        """Return it as ``--json`` shows it."""
        return asdict(self)


def rank(runs: Mapping[str, Sequence[Scores]]) -> tuple[Ranked, ...]:
    """Rank variants by their runs, one a repeat, best first; all have the same number of repeats.

    Raises ValueError where they have not.
    """
    names = list(runs)
    repeats = {len(scores) for scores in runs.values()}
    if len(repeats) > 1:
        raise ValueError(f"variants have {sorted(repeats)} repeats; expected as many of each")
    if not names:
        return ()
    ranks = np.array([repeat_ranks([runs[name][i] for name in names]) for i in range(repeats.pop())])
    medians = np.median(ranks, axis=0)
    low, high = _interval_of_median(ranks)
    scores = {name: median_scores(runs[name]) for name in names}
    front = pareto_front({name: scores[name] for name in names if scores[name]})
    order = sorted(range(len(names)), key=lambda i: (medians[i], ranks[:, i].mean(), names[i]))
    groups = _tied([(float(low[i]), float(high[i])) for i in order])
    placed = []
    for position, i in enumerate(order):
        group = [names[order[other]] for other in groups[position]]
        placed.append(
            Ranked(
                name=names[i],
                place=groups[position][0] + 1,
                tied_with=tuple(name for name in group if name != names[i]),
                median_rank=float(medians[i]),
                low_rank=float(low[i]),
                high_rank=float(high[i]),
                passed=sum(run.gates_passed for run in runs[names[i]]),
                repeats=len(ranks),
                on_front=names[i] in front,
                medians=scores[names[i]],
            )
        )
    return tuple(placed)


def repeat_ranks(scores: Sequence[Scores]) -> Values:
    """Return the rank of each variant in one repeat, of shape (v,); the same rank where none is better."""
    passed = np.array([run.gates_passed for run in scores])
    ranks = np.full(len(scores), float(len(scores)))
    if passed.any():
        columns = [
            _ranks(np.array([sign * getattr(run, name) for run in scores])[passed])
            for name, sign in RANKED.items()
        ]
        ranks[passed] = _ranks(np.mean(columns, axis=0))
    return ranks


def median_scores(runs: Sequence[Scores]) -> dict[str, float]:
    """Return the median of every number over the runs that passed the gates; empty where none did."""
    passed = [run.as_json() for run in runs if run.gates_passed]
    if not passed:
        return {}
    numbers = [name for name, value in passed[0].items() if not isinstance(value, bool)]
    return {name: float(np.median([float(str(run[name])) for run in passed])) for name in numbers}


def pareto_front(medians: Mapping[str, Mapping[str, float]]) -> set[str]:
    """Return the variants to which no other is at least as fast and as smooth and better in one of them."""
    points = {name: (m["cycle_s"], -m["spectral_arc_length"]) for name, m in medians.items()}
    return {
        name
        for name, (time, rough) in points.items()
        if not any(t <= time and r <= rough and (t < time or r < rough) for t, r in points.values())
    }


def _ranks(values: Values) -> Values:
    """Return ranks from 1, less is better, the mean rank for the same; NaN comes last."""
    values = np.where(np.isnan(values), np.inf, values)
    same = _SAME_SHARE * np.abs(np.where(np.isinf(values), 0.0, values))
    below = (values[None, :] < values[:, None] - same[:, None]).sum(axis=1)
    at_most = (values[None, :] <= values[:, None] + same[:, None]).sum(axis=1)
    return (below + 1 + at_most) / 2.0


def _interval_of_median(ranks: Values) -> tuple[Values, Values]:
    rng = np.random.default_rng(_SEED)
    picks = rng.integers(len(ranks), size=(RESAMPLES, len(ranks)))
    medians = np.median(ranks[picks], axis=1)
    tail = (1.0 - CONFIDENCE) / 2.0
    low, high = np.quantile(medians, [tail, 1.0 - tail], axis=0)
    return low, high


def _tied(intervals: Sequence[tuple[float, float]]) -> list[list[int]]:
    """Return for each place, best first, the places it shares: all whose interval meets its leader's."""
    groups: list[list[int]] = []
    leader = 0
    for place, (low, _) in enumerate(intervals):
        if place == 0 or low > intervals[leader][1]:
            leader = place
            groups.append([])
        groups[-1].append(place)
    return [group for group in groups for _ in group]
