"""Record what was cut off: runs that never said how they ended."""

from __future__ import annotations

from lib.runlog import settle_interrupted
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task


@evidence_task("settle runs")
def settle_runs(settings: Settings, arm: str) -> Evidence[int]:
    """Record the interrupted runs of an arm as unknown: where their block is nobody can say."""
    stems = settle_interrupted(settings.data_dir, arm)
    said = f"{', '.join(stems)}: cut off, so unknown" if stems else "no run was cut off"
    return Evidence(len(stems), headline=said, metrics={"runs_cut_off": (len(stems), "runs")})
