"""What one run writes down: its course, its placement, its memory; and what it only observes.

A run that cannot be recorded must not go on: those rows raise. Observations are another matter: one that
fails is counted, warned of once, and the arm goes on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from pathlib import Path

from lib.arm import Moved
from lib.place.aiming import Aimed, NoPose
from lib.place.memory import Vector
from lib.place.outcome import RunOutcome
from lib.place.states import Transition
from lib.runlog import run_log

PLACE_TAG = "stage8"
PICK_TAG = "pick"


def servo_tag(step: int) -> str:
    """Return the tag of a servo's lookup, the first step being 1."""
    return f"zservo_i{step}"


class Book:
    """The rows of one run."""

    def __init__(self, data_dir: Path, run_stem: str, warn: Callable[[str], None]) -> None:
        self._log = run_log(data_dir)
        self._stem, self._warn = run_stem, warn
        self.failures = 0
        """How many observations could not be written."""
        self._before: dict[str, Aimed] = {}
        self._moves = 0

    # --- what must be written ---

    def started(self, run_number: int, **values: object) -> None:
        """Record the run before its first motion."""
        self._log.append(
            "run",
            run_stem=self._stem,
            run_number=run_number,
            state="unfinished",
            started_utc=datetime.now(UTC),
            **values,
        )

    def transition(self, transition: Transition) -> None:
        """Record a step of the run's course."""
        self._log.append(
            "run_state",
            run_stem=self._stem,
            from_state=transition.from_state.value,
            state=transition.to_state.value,
            reason=transition.reason,
            at_s=transition.at_s,
        )

    def placed(self, values: Mapping[str, object]) -> None:
        """Record the placement."""
        self._log.append("place", run_stem=self._stem, **values)

    def ended(self, outcome: RunOutcome) -> None:
        """Record how the run ended."""
        self._log.append(
            "run",
            run_stem=self._stem,
            run_number=outcome.run_number,
            state=outcome.state,
            reason=outcome.reason,
            rule=outcome.rule,
            ended_utc=datetime.now(UTC),
        )

    # --- what is only observed ---

    def looked_up(self, tag: str, found: Aimed | NoPose) -> None:
        """Observe a lookup, and how it differs from the one before of its kind."""
        kind = "pick" if tag == PICK_TAG else "place"
        self._observed("lookup_observation", lambda: self._lookup_row(kind, tag, found))

    def moved(self, step: str, moved: Moved, commanded_m: Vector, reported_m: Vector) -> None:
        """Observe a motion: where the arm was told to go and where it says it is."""
        self._moves += 1
        self._observed("arm_move", lambda: self._move_row(step, moved, commanded_m, reported_m))

    def seen_after_move(self, seen_m: Vector, not_moved: bool) -> None:
        """Observe where the held block was seen after the latest motion."""
        self._observed(
            "arm_move",
            lambda: {
                "move_number": self._moves,
                "not_moved": not_moved,
                **dict(zip(("seen_x_m", "seen_y_m", "seen_z_m"), seen_m, strict=True)),
            },
        )

    def measured(self, name: str, value: float, unit: str) -> None:
        """Observe a figure."""
        self._observed("observation", lambda: {"name": name, "value": value, "unit": unit})

    def _observed(self, relation: str, row: Callable[[], Mapping[str, object]]) -> None:
        try:
            of_run = {} if relation == "observation" else {"run_stem": self._stem}
            self._log.append(relation, **of_run, **row())
        except Exception as error:  # whatever it is, it is no reason to stop an arm
            self.failures += 1
            if self.failures == 1:
                self._warn(f"{self._stem}: {relation} could not be written ({error}); the arm goes on")

    def _lookup_row(self, kind: str, tag: str, found: Aimed | NoPose) -> dict[str, object]:
        aimed = found if isinstance(found, Aimed) else None
        before = self._before.get(kind)
        row: dict[str, object] = {
            "tag": tag,
            "method": found.result.method,
            "fk_row": found.result.fk_row,
            "aim_x_m": found.aim_m[0],
            "aim_z_m": found.aim_m[1],
            "table_version": found.result.table_version,
            "binding_filter": found.result.binding_filter,
            "xz_distance_m": found.off_m,
        }
        if aimed is None:
            return row
        self._before[kind] = aimed
        row |= {"ee_y_m": aimed.tip_m[1], "target_deg": list(aimed.pose_deg)}
        if before is not None:
            row["d_ee_y_vs_prev_mm"] = (aimed.tip_m[1] - before.tip_m[1]) * 1e3
            row["max_dj_deg"] = max(abs(a - b) for a, b in zip(aimed.pose_deg, before.pose_deg, strict=True))
        return row

    def _move_row(
        self, step: str, moved: Moved, commanded_m: Vector, reported_m: Vector
    ) -> dict[str, object]:
        return {
            "move_number": self._moves,
            "run_step": step,
            "commanded_deg": list(moved.target_deg),
            "reported_deg": list(moved.reached_deg),
            "off_deg": moved.off_deg,
            "speed": moved.speed,
            "sends": moved.sends,
            "duration_s": moved.duration_s,
            **dict(zip(("commanded_x_m", "commanded_y_m", "commanded_z_m"), commanded_m, strict=True)),
            **dict(zip(("reported_x_m", "reported_y_m", "reported_z_m"), reported_m, strict=True)),
        }
