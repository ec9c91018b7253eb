"""Plan a motion study: every variant by the robot's reach, each asked about at the gate."""

from __future__ import annotations

from lib.motion import Study, begin_study
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("plan motions")
def plan_motions(settings: Settings, repeats: int | None, seed: int | None) -> Evidence[Study]:
    """Plan the variants and write them as files; infeasible ones are recorded with the rule they break."""
    study = begin_study(settings, repeats, seed)
    for_all = f"{len(study.feasible)} of {len(study.planned)} variants are feasible"
    broken = [f"{p.variant.name}: {p.feasibility.says}" for p in study.infeasible]
    return Evidence(
        study,
        headline="; ".join([f"{study.study_id}: {for_all}", *broken]),
        metrics={
            "variants_feasible": (len(study.feasible), "variants"),
            "variants_infeasible": (len(study.infeasible), "variants"),
        },
    )
