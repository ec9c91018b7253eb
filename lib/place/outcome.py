"""What came of one run of the batch."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from lib.place.verdict import Answer

RunState = Literal["finished", "refused", "aborted", "unknown"]


@dataclass(frozen=True)
class RunOutcome:
    """One run of the batch as it ended."""

    run_stem: str
    run_number: int
    state: RunState
    """``finished``: let go and judged; ``refused``: no block was let go because none could be placed well;
    ``aborted``: something failed or somebody asked to stop; ``unknown``: nobody knows what the arm did."""
    reason: str
    """Why it ended so, one line."""
    place: Answer | None = None
    """Whether the block lies in the box; None where none was let go."""
    confidence: float | None = None
    in_box_dist_mm: float | None = None
    """How far the block lies from the box's centre [mm]; None where that was not seen."""
    memory_cell: str | None = None
    rule: str | None = None
    """Which rule refused, where one did."""
    link_lost: bool = False
    """Whether the line to the arm cannot be trusted any more."""
    warmest_c: float | None = None
    """Warmest servo [deg C]; None where the arm did not say."""
    duration_s: float = 0.0
    """Real time from the first look to the end [s]."""
    looks: int = 0
    """How often the held block was looked at over the box."""
    pictures: tuple[Path, ...] = ()
    """What the cameras saw, kept in the data folder."""
    explanation: Mapping[str, object] | None = None
    """Funnel and culprits of the lookup, where no row was near enough."""
