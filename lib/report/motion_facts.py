"""What the figure, the page and the report of a motion study show, gathered from its result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from lib.cell import Box, layout
from lib.motion import (
    FRAMES_PER_S,
    Outcome,
    Plan,
    PlannedVariant,
    Ranked,
    StudyResult,
    commanded_cup,
    cup_start_m,
    skeleton,
)
from lib.robot import Robot, tip_points
from lib.settings import Settings

Values = NDArray[np.float64]


@dataclass(frozen=True, eq=False)
class Shown:
    """One repeat as it is drawn; n frames."""

    time_s: Values
    """Of shape (n,)."""
    states: NDArray[np.str_]
    """Of shape (n,)."""
    tip_m: Values
    """Measured, of shape (n, 3)."""
    speed_m_s: Values
    """Of the measured tip, of shape (n,)."""
    told_speed_m_s: Values
    """Of the commanded tip, of shape (n,)."""
    points_m: Values
    """The arm's chain, its fingers, the cup's axis, as ``skeleton`` gives them, of shape (n, 13, 3)."""
    told_cup_m: Values
    """Foot and rim of the cup where the plan wants it, of shape (n, 2, 3)."""
    ended: str
    """Where the cup ended, or why the run did."""
    wrong: tuple[str, ...]
    """What the diagnoses say is wrong."""


@dataclass(frozen=True, eq=False)
class VariantFacts:
    """One variant of the study."""

    name: str
    approach: str
    speed: str
    move_s: float
    rank: Ranked | None
    """None where it was not played."""
    infeasible: str | None
    """The rule it breaks, with the numbers."""
    shown: Shown | None
    """Its first repeat."""

    @property
    def place(self) -> str:
        """Its place as people write it: ``1``, ``2=`` where others cannot be told from it, ``-`` for none."""
        if self.rank is None or not self.rank.passed:
            return "-"
        return f"{self.rank.place}{'=' if self.rank.tied_with else ''}"

    @property
    def passed(self) -> bool:
        """Whether it passed the gates in every repeat."""
        return self.rank is not None and self.rank.passed == self.rank.repeats

    @property
    def medians(self) -> Mapping[str, float]:
        """Its scores; empty where it never passed the gates."""
        return {} if self.rank is None else self.rank.medians


@dataclass(frozen=True, eq=False)
class MotionFacts:
    """One study."""

    study_id: str
    repeats: int
    variants: tuple[VariantFacts, ...]
    """In the order of the settings: approach by approach, speed by speed."""
    best: str | None
    cup_radius_m: float
    boxes: tuple[Box, ...]
    """What stands on the table and is drawn."""

    @property
    def ranked(self) -> tuple[VariantFacts, ...]:
        """The variants that were played, best first."""
        played = [(v.rank.place, v.rank.median_rank, v.name, v) for v in self.variants if v.rank is not None]
        return tuple(variant for *_, variant in sorted(played, key=lambda row: row[:3]))


def motion_facts(settings: Settings, result: StudyResult) -> MotionFacts:
    """Gather a study's facts."""
    places = {ranked.name: ranked for ranked in result.ranked}
    here = layout(settings.cell)
    best = result.best
    return MotionFacts(
        study_id=result.study.study_id,
        repeats=max((ranked.repeats for ranked in result.ranked), default=0),
        variants=tuple(
            _variant(settings, result, planned, places.get(planned.variant.name))
            for planned in result.study.planned
        ),
        best=best.name if best else None,
        cup_radius_m=settings.cell.cup_radius_m,
        boxes=(here.support, here.stand),
    )


def _variant(
    settings: Settings, result: StudyResult, planned: PlannedVariant, rank: Ranked | None
) -> VariantFacts:
    variant = planned.variant
    played = result.outcomes_of(variant.name)
    return VariantFacts(
        name=variant.name,
        approach=variant.approach_name,
        speed=variant.speed_name,
        move_s=variant.move_s,
        rank=rank,
        infeasible=None if planned.feasibility.ok else planned.feasibility.says,
        shown=_shown(settings, result.study.robot, planned.plan, played[0])
        if played and planned.plan is not None
        else None,
    )


def _shown(settings: Settings, robot: Robot, plan: Plan, outcome: Outcome) -> Shown:
    log = outcome.log
    height_m = settings.cell.cup_height_m
    start_m = cup_start_m(layout(settings.cell))
    told = commanded_cup(plan, robot, start_m, settings.motion.sequence.floor_m)
    told_cup_m = np.stack([told.foot_m, told.foot_m + height_m * told.axes[:, :, 1]], axis=1)
    return Shown(
        time_s=log.time_s,
        states=log.states,
        tip_m=log.tip_m,
        speed_m_s=_speed(log.tip_m),
        told_speed_m_s=_speed(tip_points(robot, log.targets_deg)),
        points_m=skeleton(robot, log.joints_deg, outcome.gripper_value, log.cup_m, outcome.cup_up, height_m),
        told_cup_m=told_cup_m[: len(log)],
        ended=outcome.placed.says if outcome.scores.complete else outcome.reason,
        wrong=tuple(diagnosis.says for diagnosis in outcome.diagnoses if not diagnosis.ok),
    )


def _speed(places_m: Values) -> Values:
    """Return the speed [m/s] (n,) along a path (n, 3); the first frame has the second's."""
    steps_m = np.linalg.norm(np.diff(places_m, axis=0), axis=1)
    return np.concatenate([steps_m[:1], steps_m]) * FRAMES_PER_S
