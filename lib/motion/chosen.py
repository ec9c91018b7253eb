"""The variant the batch moves by: chosen by name, kept beside the studies, the same until chosen anew."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path

from lib.errors import BadInput, CheckFailed, Refused
from lib.motion.study import motions_folder
from lib.motion.variants import Variant, variant_named
from lib.motion.whole_file import write_whole
from lib.runlog import connect, sql_text
from lib.settings import Settings
from lib.settings_motion import Approach

FILE = "chosen.json"


@dataclass(frozen=True)
class LastRank:
    """How a variant came out in the last study that had it."""

    study_id: str
    variant: str
    place: int | None
    """None: infeasible."""
    passed: int
    repeats: int
    median_rank: float | None
    low_rank: float | None
    high_rank: float | None
    on_front: bool
    infeasible_because: str | None
    cycle_s: float | None
    """Medians over the repeats that put the cup down, this and the following."""
    spectral_arc_length: float | None
    peak_jerk_deg_s3: float | None
    tracking_rms_mm: float | None
    slip_mm: float | None

    def as_json(self) -> dict[str, object]:
        """Return it as ``--json`` shows it."""
        return asdict(self)


def choose_variant(settings: Settings, name: str) -> Variant:
    """Make a variant the batch's by name.

    Raises BadInput for a name there is not or one that no study has played, Refused for one the gate
    would not let move, CheckFailed for one that did not put the cup down in every repeat.
    """
    variant = variant_named(settings.motion, name)
    last = {rank.variant: rank for rank in last_ranks(settings.data_dir)}.get(name)
    if last is None:
        raise BadInput(f'variant "{name}": no study has played it; run `nightpick motions run` first')
    if last.place is None:
        raise Refused(f'variant "{name}" is infeasible: {last.infeasible_because}; choose another')
    if last.passed < last.repeats:
        raise CheckFailed(
            f'variant "{name}" passed the gates in {last.passed} of {last.repeats} repeats '
            f"of {last.study_id}; choose one that passed in all"
        )
    document = {
        "approach_name": variant.approach_name,
        "speed_name": variant.speed_name,
        "approach": asdict(variant.approach),
        "move_s": variant.move_s,
        "study_id": last.study_id,
        "chosen_utc": datetime.now(UTC).isoformat(),
    }
    write_whole(motions_folder(settings.data_dir) / FILE, json.dumps(document, indent=2) + "\n")
    return variant


def chosen_variant(data_dir: Path) -> Variant | None:
    """Return the variant the batch moves by as it was when chosen, None where none was.

    Raises BadInput where the file is damaged.
    """
    path = motions_folder(data_dir) / FILE
    if not path.exists():
        return None
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
        return Variant(
            str(document["approach_name"]),
            str(document["speed_name"]),
            Approach(**{name: float(value) for name, value in document["approach"].items()}),
            float(document["move_s"]),
        )
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise BadInput(
            f"{path}: not a chosen variant: {type(error).__name__}: {error}; "
            "choose again with `nightpick motions --winner NAME`"
        ) from error


def last_ranks(data_dir: Path) -> Sequence[LastRank]:
    """Return every variant's outcome in the last study that had it, best place first."""
    with connect(data_dir) as con:
        rows = con.execute(sql_text("queries/motion_ranking")).fetchall()
    return [LastRank(*row) for row in rows]
