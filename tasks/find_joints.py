"""Find the joint values in a homing's pictures, and show everything they rest on."""

from __future__ import annotations

from collections.abc import Sequence

from prefect.context import TaskRunContext
from prefect.events import emit_event

from lib.homing import JointFound
from lib.homing.session import Capture, HomingRequest, HomingRun, run_homing
from lib.report.homings import homing_headline, homing_markdown, write_homing_reports
from lib.robot import Machine
from lib.settings import Settings
from tasks.artifacts import Image, Markdown
from tasks.evidence import Evidence, evidence_task
from tasks.progress import PROGRESS, step


@evidence_task("find joints")
def find_joints(
    settings: Settings, machine: Machine, captures: Sequence[Capture], request: HomingRequest
) -> Evidence[HomingRun]:
    """Home, telling each joint as it is found; a homing the batch cannot stand on is told, not refused."""
    run = run_homing(settings, machine, captures, request, _Telling(machine, len(captures)))
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
            Image(
                "homing-chain",
                reports.chain,
                "the chain as homed, with how sure each link's place is",
                run.homing_id,
            ),
            *(
                Image(
                    f"homing-image-{camera}",
                    path,
                    f"what {camera} saw, and where the result puts it",
                    run.homing_id,
                )
                for camera, path in reports.images.items()
            ),
        ),
    )


class _Telling:
    """Tells of each joint as it is found: a line, a step of the bar, an event of the task run."""

    def __init__(self, machine: Machine, captures: int) -> None:
        context = TaskRunContext.get()
        assert context is not None, "a task's function runs inside its Prefect task run"
        self._task_run = {
            "prefect.resource.id": f"prefect.task-run.{context.task_run.id}",
            "prefect.resource.name": context.task_run.name,
        }
        self._machine, self._told, self._in_all = machine, 0, captures * len(machine.variables)

    def __call__(self, joint: JointFound) -> None:
        self._told += 1
        said = f"{joint.name} = {joint.value:.2f} {joint.unit} ({joint.method})"
        PROGRESS.info("homing: %s", said)
        step(said, min(1.0, self._told / self._in_all))
        emit_event(
            "nightpick.joint-found",
            self._task_run,
            payload={
                "robot": self._machine.name,
                "variable": joint.name,
                "value": joint.value,
                "unit": joint.unit,
                "method": joint.method,
            },
        )
