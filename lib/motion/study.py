"""A motion study: the variants planned and written, played in shuffled repeats, ranked."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import numpy as np

from lib.arm import gate_context, nearest
from lib.errors import BadInput
from lib.motion.job import Job, Outcome
from lib.motion.ranking import Ranked, rank
from lib.motion.scores import known_beforehand
from lib.motion.variant_csv import write_variant
from lib.motion.variants import (
    PlannedVariant,
    Variant,
    peak_joint_speed,
    plan_variant,
    variant_named,
    variants,
)
from lib.motion.whole_file import write_whole
from lib.robot import Robot
from lib.runlog import run_log
from lib.settings import Settings


@dataclass(frozen=True, eq=False)
class Study:
    """What is going to be played."""

    study_id: str
    folder: Path
    """Where its files are: variants/, frames/, the figure, the page, the ranking."""
    robot: Robot
    planned: tuple[PlannedVariant, ...]
    jobs: tuple[Job, ...]
    """Every repeat of every feasible variant, each repeat's variants in an order of their own."""

    @property
    def frames_folder(self) -> Path:
        """Where the frame logs go."""
        return self.folder / "frames"

    @property
    def feasible(self) -> tuple[PlannedVariant, ...]:
        """The variants that may be played."""
        return tuple(planned for planned in self.planned if planned.feasibility.ok)

    @property
    def infeasible(self) -> tuple[PlannedVariant, ...]:
        """Those that break a rule."""
        return tuple(planned for planned in self.planned if not planned.feasibility.ok)

    def jobs_of(self, name: str) -> tuple[Job, ...]:
        """Return the repeats of one variant, in the order they are played."""
        return tuple(job for job in self.jobs if job.variant.name == name)


@dataclass(frozen=True, eq=False)
class StudyResult:
    """How a study came out."""

    study: Study
    ranked: tuple[Ranked, ...]
    """Best first."""
    outcomes: tuple[Outcome, ...]
    """Every repeat of every variant."""

    @property
    def best(self) -> Ranked | None:
        """The first of those that passed the gates in every repeat, None where none did."""
        return next((ranked for ranked in self.ranked if ranked.passed == ranked.repeats), None)

    def outcomes_of(self, name: str) -> tuple[Outcome, ...]:
        """Return a variant's outcomes by repeat."""
        of_it = [outcome for outcome in self.outcomes if outcome.variant_name == name]
        return tuple(sorted(of_it, key=lambda outcome: outcome.repeat))

    def as_json(self) -> dict[str, object]:
        """Return what ``motions --json`` prints and ``ranking.json`` holds."""
        return {
            "study_id": self.study.study_id,
            "folder": str(self.study.folder),
            "ranking": [ranked.as_json() for ranked in self.ranked],
            "infeasible": [
                {
                    "variant": planned.variant.name,
                    "rule": planned.feasibility.rule,
                    "says": planned.feasibility.says,
                    "numbers": dict(planned.feasibility.numbers),
                }
                for planned in self.study.infeasible
            ],
            "runs": [outcome.as_json() for outcome in self.outcomes],
        }


def motions_folder(data_dir: Path) -> Path:
    """Return the folder of all studies."""
    return data_dir / "motions"


def begin_study(
    settings: Settings,
    repeats: int | None = None,
    seed: int | None = None,
    names: Sequence[str] | None = None,
) -> Study:
    """Plan the variants, ask the gate about each, write those that are feasible as CSV, record the others.

    ``repeats`` and ``seed`` (of the first repeat's cell) instead of the settings'; ``names``: only these
    variants. Raises BadInput for an unknown variant and where there is no robot.
    """
    gate = gate_context(settings)
    repeats = settings.motion.repeats if repeats is None else repeats
    seed = settings.cell.seed if seed is None else seed
    planned = tuple(plan_variant(variant, settings, gate) for variant in _chosen(settings, names))
    study_id, folder = _new_folder(motions_folder(settings.data_dir))
    jobs: dict[str, list[Job]] = {}
    for item in planned:
        if item.plan is None or not item.feasibility.ok:
            continue
        write_variant(folder / "variants" / f"{item.variant.name}.csv", item.plan)
        speed_deg_s, _ = peak_joint_speed(item.plan)
        clearance_m = nearest(gate, item.plan.targets_deg).clearance_m
        known = known_beforehand(
            item.plan,
            gate.robot,
            clearance_m,
            speed_deg_s,
            settings.motion.joint_speed_limit_deg_s,
        )
        jobs[item.variant.name] = [
            Job(study_id, item.variant, repeat, seed + repeat - 1, item.plan, known)
            for repeat in range(1, repeats + 1)
        ]
    study = Study(study_id, folder, gate.robot, planned, tuple(_shuffled(jobs, repeats, seed)))
    _record_infeasible(settings, study)
    return study


def end_study(settings: Settings, study: Study, outcomes: Sequence[Outcome]) -> StudyResult:
    """Rank what was played, record every place and write ``ranking.json``."""
    result = StudyResult(study, (), tuple(outcomes))
    runs = {
        planned.variant.name: [outcome.scores for outcome in result.outcomes_of(planned.variant.name)]
        for planned in study.feasible
    }
    ranked = rank(runs)
    rows = [
        {
            "study_id": study.study_id,
            "variant": place.name,
            "place": place.place,
            "tied_with": list(place.tied_with),
            "median_rank": place.median_rank,
            "low_rank": place.low_rank,
            "high_rank": place.high_rank,
            "passed": place.passed,
            "repeats": place.repeats,
            "on_front": place.on_front,
        }
        for place in ranked
    ]
    run_log(settings.data_dir).append_all("motion_rank", rows)
    result = StudyResult(study, ranked, tuple(outcomes))
    write_whole(study.folder / "ranking.json", json.dumps(_finite(result.as_json()), indent=2) + "\n")
    return result


def _finite(value: Any) -> Any:
    """Return a document with null in place of what is not a finite number."""
    if isinstance(value, float) and not math.isfinite(value):
        return None
    if isinstance(value, Mapping):
        return {name: _finite(item) for name, item in value.items()}
    return [_finite(item) for item in value] if isinstance(value, list | tuple) else value


def _chosen(settings: Settings, names: Sequence[str] | None) -> list[Variant]:
    if not names:
        return list(variants(settings.motion))
    return [variant_named(settings.motion, name) for name in dict.fromkeys(names)]


def _shuffled(jobs: Mapping[str, Sequence[Job]], repeats: int, seed: int) -> list[Job]:
    """Order the jobs repeat by repeat, the variants of each in an order of its own."""
    rng = np.random.default_rng([seed, repeats])
    names = list(jobs)
    return [jobs[names[i]][repeat] for repeat in range(repeats) for i in rng.permutation(len(names))]


def _record_infeasible(settings: Settings, study: Study) -> None:
    log = run_log(settings.data_dir)
    for planned in study.infeasible:
        variant = planned.variant
        log.append(
            "motion_run",
            run_stem=f"{study.study_id}_{variant.name}",
            study_id=study.study_id,
            variant=variant.name,
            approach=variant.approach_name,
            move_s=variant.move_s,
            state="infeasible",
            rule=planned.feasibility.rule,
            reason=planned.feasibility.says,
        )


def _new_folder(parent: Path) -> tuple[str, Path]:
    """Make the folder of a new study, called by the time; a second one in a second gets a number."""
    stem = f"motions_{datetime.now(UTC):%Y%m%d_%H%M%S}"
    for number in range(1, 1000):
        study_id = stem if number == 1 else f"{stem}_{number}"
        try:
            (parent / study_id).mkdir(parents=True)
        except FileExistsError:
            continue
        return study_id, parent / study_id
    raise BadInput(f"{parent}: a thousand studies began in one second; wait and begin again")
