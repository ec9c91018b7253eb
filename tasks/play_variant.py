"""Play one motion variant in the twin, all its repeats."""

from __future__ import annotations

from statistics import median

from lib.motion import Job, Outcome, Players
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("play variant", run_name="play {name}")
def play_variant(
    settings: Settings, players: Players, name: str, jobs: tuple[Job, ...]
) -> Evidence[list[Outcome]]:
    """Play a variant's repeats; players are shared by all variants that play at the same time."""
    outcomes = players.play(jobs)
    passed = sum(outcome.scores.gates_passed for outcome in outcomes)
    troubles = sorted({outcome.reason for outcome in outcomes if not outcome.scores.complete})
    return Evidence(
        outcomes,
        headline="; ".join([f"{name}: {passed} of {len(outcomes)} repeats passed the gates", *troubles]),
        metrics={
            "motion_passed": (passed, "repeats"),
            "motion_cycle": (median(outcome.scores.cycle_s for outcome in outcomes), "s"),
            "motion_spectral_arc_length": (
                median(outcome.scores.spectral_arc_length for outcome in outcomes),
                "1",
            ),
        },
    )
