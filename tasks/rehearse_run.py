"""Do a run in a simulated cell before the arm moves, and show what came of it."""

from __future__ import annotations

from lib.errors import CheckFailed
from lib.place import rehearse
from lib.report import outcome_line
from lib.robot import Robot
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task
from tasks.progress import step


@evidence_task("rehearse run", run_name="rehearse run {number}")
def rehearse_run(settings: Settings, robot: Robot, number: int) -> Evidence[None]:
    """Rehearse a run; raises CheckFailed where no block comes to lie in the simulated box."""
    run = rehearse(settings, robot, number, say=step)
    if run.place != "yes":
        raise CheckFailed(f"the rehearsal in the simulated cell failed, so no run was begun: {run.reason}")
    metrics = {"rehearsal_duration": (run.duration_s, "s")}
    if run.in_box_dist_mm is not None:
        metrics["rehearsal_in_box_dist"] = (run.in_box_dist_mm, "mm")
    return Evidence(None, headline=f"rehearsed: {outcome_line(run)}", metrics=metrics)
