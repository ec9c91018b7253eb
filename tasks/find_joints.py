"""Find the joint values in a homing's pictures, and show everything they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from lib.homing import JointFound
from lib.homing.session import Capture, HomingRequest, HomingRun, run_homing
from lib.report.homings import homing_headline, homing_markdown, write_homing_reports
from lib.robot import Machine
from lib.settings import Settings
from tasks.artifacts import Image, Markdown
from tasks.evidence import Evidence, evidence_task
from tasks.progress import PROGRESS


@evidence_task("find joints")
def find_joints(
    settings: Settings, machine: Machine, captures: Sequence[Capture], request: HomingRequest
) -> Evidence[HomingRun]:
    """Home, telling each joint as it is found; a homing the batch cannot stand on is told, not refused."""
    run = run_homing(settings, machine, captures, request, _tell)
    reports = write_homing_reports(run)
    headline = homing_headline(run)
    metrics = {f"homing_{m.name}_std": (m.std, m.unit) for m in run.homing.movements if m.std is not None} | {
        "homing_seen": (sum(m.observable for m in run.homing.movements), "variables")
    }
    if run.homing.residuals:
        metrics["homing_residual"] = (run.homing.rms_px, "px")
    return Evidence(
        run,
        headline=headline,
        metrics=metrics,
        artifacts=(
            Markdown("homing-state", homing_markdown(run), headline),
            Image("homing-chain", reports.chain, "the chain as homed, with how sure each link's place is"),
            *(
                Image(f"homing-image-{camera}", path, f"what {camera} saw, and where the result puts it")
                for camera, path in reports.images.items()
            ),
        ),
    )


def _tell(joint: JointFound) -> None:
    PROGRESS.info("homing: %s = %.2f %s (%s)", joint.name, joint.value, joint.unit, joint.method)
