"""What a night's page tells of the batch, gathered from the run log; what was not seen stays None."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Row = Mapping[str, Any]
Rows = Callable[..., list[Row]]

WORST_SHOWN = 3
_Z = 1.96
"""Of a 95 % interval."""


@dataclass(frozen=True)
class BatchFacts:
    """The pick-place runs of one night, beside those of the nights before."""

    runs: list[Row]
    """In the order they started, unfinished ones too."""
    nights: list[Row]
    """The figures of the last nights with runs, the oldest first, this one last."""
    cells: list[Row]
    """Of this night, a row a memory cell."""
    cells_before: list[Row]
    """Of the night before."""
    memory: list[Row]
    """What each cell that changed held before and after."""
    homings: list[Row]
    joints: list[Row]
    """Of the homing that the runs stand on, else of the night's last."""
    refusals: list[Row]
    moves: Mapping[str, Row]
    """Run_stem to how its motions went."""
    worst: list[Row]
    """The worst runs, the worst first."""
    lookups: Mapping[str, list[Row]]
    """Of the worst runs: run_stem to its lookups."""

    @property
    def ended(self) -> list[Row]:
        """The runs that count: all but those that still go on."""
        return [run for run in self.runs if run["state"] != "unfinished"]

    @property
    def tonight(self) -> Row | None:
        """The figures of this night; None before its first run ended."""
        return self.nights[-1] if self.nights and self.ended else None

    @property
    def yesterday(self) -> Row | None:
        """The figures of the last night before it that had runs."""
        others = self.nights[:-1] if self.tonight else self.nights
        return others[-1] if others else None


def gather_batch(night: Row, rows: Rows) -> BatchFacts:
    """Read the batch of a night; ``rows`` answers a statement of sql/report by its name."""
    night_id = night["night_id"]
    runs = rows("batch_runs", night_id=night_id)
    nights = rows("batch_nights", night_id=night_id) if runs else []
    before = next((n["night_id"] for n in reversed(nights) if n["night_id"] != night_id), None)
    cells = rows("batch_cells", night_id=night_id, before_id=before) if runs else []
    homing_id = next((run["homing_id"] for run in reversed(runs) if run["homing_id"]), None)
    homings = rows("batch_homings", night_id=night_id, homing_id=homing_id)
    homing_id = homing_id or (homings[-1]["homing_id"] if homings else None)
    worst = worst_runs(runs)
    lookups: dict[str, list[Row]] = {run["run_stem"]: [] for run in worst}
    for row in rows("batch_lookups", stems=list(lookups)) if worst else ():
        lookups[row["run_stem"]].append(row)
    return BatchFacts(
        runs,
        nights,
        [cell for cell in cells if cell["night_id"] == night_id],
        [cell for cell in cells if cell["night_id"] == before],
        rows("batch_memory", night_id=night_id),
        homings,
        rows("batch_homing", homing_id=homing_id) if homing_id else [],
        rows("batch_refusals", night_id=night_id),
        {row["run_stem"]: row for row in rows("batch_moves", night_id=night_id)},
        worst,
        lookups,
    )


def worst_runs(runs: Sequence[Row]) -> list[Row]:
    """Return the runs to look at first: beside the box, not known, aborted, refused, then the farthest.

    A rule that refused several runs counts once; runs that still go on are not judged.
    """
    ended = [run for run in runs if run["state"] != "unfinished"]
    told: set[str | None] = set()
    worst: list[Row] = []
    for run in sorted(ended, key=_badness, reverse=True):
        rule = run["rule"] or run["reason"]
        if run["state"] != "refused" or rule not in told:
            worst.append(run)
            told.add(rule)
    return worst[:WORST_SHOWN]


def kind(run: Row) -> str:
    """Return what became of a run: yes, no, unknown, refused or aborted."""
    if run["state"] in ("refused", "aborted"):
        return str(run["state"])
    return run["place"] or "unknown"


def wilson(placed: int, runs: int) -> tuple[float, float]:
    """Return the 95 % interval of a share of successes (E. B. Wilson 1927); of no run it is (0, 1)."""
    if not runs:
        return 0.0, 1.0
    share, z2_n = placed / runs, _Z * _Z / runs
    half = math.sqrt(z2_n * (share * (1 - share) + z2_n / 4))
    low, high = ((share + z2_n / 2 + side * half) / (1 + z2_n) for side in (-1, 1))
    return max(low, 0.0), min(high, 1.0)


def _badness(run: Row) -> tuple[int, float]:
    rank = ("yes", "refused", "aborted", "unknown", "no").index(kind(run))
    distance_mm = run["in_box_dist_mm"]
    return rank, -1.0 if distance_mm is None else distance_mm
