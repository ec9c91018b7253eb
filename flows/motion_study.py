"""Flow motion-study: every variant of the pick-place motion planned, played in the twin, ranked.

Runs when asked for. Read `motion_study` as the table of contents.
"""

from __future__ import annotations

from prefect import flow, unmapped
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.recorded import recorded_flow
from lib.motion import Outcome, Players, Study, playing
from lib.settings import Settings
from tasks.plan_motions import plan_motions
from tasks.play_variant import play_variant
from tasks.rank_motions import rank_motions


@flow(name="motion-study", flow_run_name="motion-study", persist_result=False)
def motion_study(repeats: int | None = None, seed: int | None = None) -> State[None]:
    """Play every feasible variant, several at once, and rank them.

    ``repeats`` and ``seed`` (of the first repeat's cell) instead of the settings'.
    """
    with recorded_flow("motion-study") as settings:
        study = plan_motions(settings, repeats, seed)
        with playing(settings, study.robot, study.frames_folder) as players:
            outcomes = play_all(settings, study, players)
        rank_motions(settings, study, outcomes)
        return Completed(message=f"{study.study_id}: {len(study.feasible)} variants played and ranked")


def play_all(settings: Settings, study: Study, players: Players) -> list[Outcome]:
    """Play every feasible variant, a task each, side by side."""
    names = [planned.variant.name for planned in study.feasible]
    if not names:  # Prefect maps over nothing with an error
        return []
    jobs = [study.jobs_of(name) for name in names]
    played = play_variant.map(unmapped(settings), unmapped(players), names, jobs).result()
    return [outcome for outcomes in played for outcome in outcomes]
