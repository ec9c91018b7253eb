"""Planning a scan: how many of its poses are new, and the fewest of its poses or grids that still do."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.scan.repeats import count_repeats
from lib.scan.request import Poses, ScanRequest


@dataclass(frozen=True)
class PoseCounts:
    """What a request would have the twin measure."""

    bases: int
    """Poses in the request."""
    poses: int
    """Rows of the scan."""
    distinct: int
    """Different poses among them: the rest is measured more than once."""
    known: int
    """Different poses that the table has already, as it stores them."""

    @property
    def repeated(self) -> int:
        """Rows that the request's grids have in common with each other."""
        return self.poses - self.distinct

    @property
    def new(self) -> int:
        """Different poses that the table has not."""
        return self.distinct - self.known

    def as_json(self) -> dict[str, int]:
        """Return what `table plan-scan --json` prints of it."""
        return {
            "bases": self.bases,
            "poses": self.poses,
            "distinct": self.distinct,
            "repeated": self.repeated,
            "known": self.known,
            "new": self.new,
        }


def count_poses(request: ScanRequest, table_joints: NDArray[np.float64]) -> PoseCounts:
    """Count a request's poses, and those among the table's joints [deg] (n, 6): exact, as they are stored."""
    poses = request.poses()
    # Few of the table's rows share every single joint value with the request: only those are compared.
    near = np.ones(len(table_joints), dtype=np.bool_)
    for joint, values in zip(table_joints.T, poses.T, strict=True):
        near[near] = np.isin(joint[near], np.unique(values))
    known = table_joints[near] + 0.0  # -0.0 is the same angle as 0.0
    distinct = _distinct(poses)
    in_both = distinct + _distinct(known) - _distinct(np.vstack([poses, known]))
    return PoseCounts(len(request.bases), len(poses), distinct, in_both)


def smallest_set(candidates: int, served: Callable[[Sequence[int]], int]) -> list[int]:
    """Return the fewest candidates, by number, that a greedy search needs to serve as many as it can.

    ``served`` tells how many targets a set of candidates serves together. The candidate that adds most
    comes first (Chvatal 1979: of a plain cover at most ln n times the fewest), ties to the first; one
    that the later ones made needless is dropped again.
    """
    chosen: list[int] = []
    reached = 0
    while True:
        gains = [-1 if k in chosen else served([*chosen, k]) - reached for k in range(candidates)]
        if not gains or max(gains) <= 0:
            break
        chosen.append(gains.index(max(gains)))
        reached = served(chosen)
    for candidate in list(chosen):
        others = [k for k in chosen if k != candidate]
        if others and served(others) >= reached:
            chosen, reached = others, served(others)
    return sorted(chosen)


def _distinct(poses: Poses) -> int:
    return len(poses) - count_repeats(poses)
