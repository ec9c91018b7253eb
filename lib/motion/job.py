"""One repeat of one variant: played in a process of its own, recorded, scored."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from lib.motion.diagnoses import Diagnosis, diagnose
from lib.motion.frame_log import FrameLog, write_frame_log
from lib.motion.minimum_jerk import Values
from lib.motion.plan import Plan
from lib.motion.playback import Placed, play
from lib.motion.scores import Known, Scores, score
from lib.motion.states import State, Transition
from lib.motion.variants import Variant
from lib.robot import Robot
from lib.runlog import RunLog, run_log, tied
from lib.settings import Settings


@dataclass(frozen=True, eq=False)
class Job:
    """What is to be played."""

    study_id: str
    variant: Variant
    repeat: int
    """Which repeat, from 1."""
    seed: int
    """Seed of the cell it is played in."""
    plan: Plan
    known: Known

    @property
    def run_stem(self) -> str:
        """What the run is called in the log and in file names."""
        return f"{self.study_id}_{self.variant.name}_r{self.repeat}"


@dataclass(frozen=True, eq=False)
class Outcome:
    """How one repeat went."""

    run_stem: str
    variant_name: str
    repeat: int
    seed: int
    state: State
    reason: str
    """Why it ended so."""
    placed: Placed
    scores: Scores
    diagnoses: tuple[Diagnosis, ...]
    frame_log: Path
    log: FrameLog
    cup_up: Values
    """The direction of the cup's axis at each frame, of shape (n, 3)."""
    gripper_value: Values
    """How far the fingers were open at each frame, 0 to 100, of shape (n,)."""

    def as_json(self) -> dict[str, object]:
        """Return it as ``--json`` shows it."""
        return {
            "run_stem": self.run_stem,
            "variant": self.variant_name,
            "repeat": self.repeat,
            "seed": self.seed,
            "state": self.state.value,
            "reason": self.reason,
            "placed": self.placed.says,
            "frame_log": str(self.frame_log),
            "scores": self.scores.as_json(),
            "diagnoses": [diagnosis.as_json() for diagnosis in self.diagnoses],
        }


def play_job(
    settings: Settings,
    robot: Robot,
    folder: Path,
    job: Job,
    ids: Mapping[str, str],
    stop: Callable[[], bool] = lambda: False,
) -> Outcome:
    """Play one job, write its frame log into ``folder``, record it and every transition in the run log.

    ``ids`` are the night, flow run and task run that the records belong to; ``stop`` ends the run early.
    """
    log = run_log(settings.data_dir)
    with tied(**ids):
        _record(log, job, state="unfinished")

        def transition(step: Transition) -> None:
            log.append(
                "run_state",
                run_stem=job.run_stem,
                variant=job.variant.name,
                from_state=step.from_state.value,
                state=step.to_state.value,
                reason=step.reason,
                at_s=step.at_s,
            )

        run = play(job.plan, robot, settings.cell, job.seed, transition, stop)
        diagnoses = diagnose(run.log, robot, settings.motion.sequence, settings.motion.diagnosis)
        height_m = next(d.value_m for d in diagnoses if d.name == "dropped from above")
        scores = score(
            run.log, robot, job.known, run.placed.ok, float("nan") if height_m is None else height_m
        )
        file = write_frame_log(folder / f"{job.variant.name}-r{job.repeat}.csv", run.log)
        outcome = Outcome(
            job.run_stem, job.variant.name, job.repeat, job.seed, run.state, run.reason, run.placed, scores,
            diagnoses, file, run.log, run.cup_up, run.gripper_value,
        )  # fmt: skip
        _record_end(log, job, outcome, file.relative_to(settings.data_dir))
        return outcome


def _record(log: RunLog, job: Job, **values: object) -> None:
    log.append(
        "motion_run",
        run_stem=job.run_stem,
        study_id=job.study_id,
        variant=job.variant.name,
        approach=job.variant.approach_name,
        move_s=job.variant.move_s,
        repeat=job.repeat,
        seed=job.seed,
        **values,
    )


def _record_end(log: RunLog, job: Job, outcome: Outcome, file: Path) -> None:
    numbers = {
        name: value
        for name, value in outcome.scores.as_json().items()
        if isinstance(value, float) and np.isfinite(value)
    }
    _record(
        log,
        job,
        state="complete" if outcome.state is State.COMPLETE else "aborted",
        reason=outcome.placed.says if outcome.state is State.COMPLETE else outcome.reason,
        placed=outcome.placed.ok,
        place_distance_m=outcome.placed.distance_m,
        diagnoses=[diagnosis.as_json() for diagnosis in outcome.diagnoses],
        frame_log=file,
        **numbers,
    )
