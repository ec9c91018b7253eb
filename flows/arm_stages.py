"""The night's stages at the arm: home it, then run after run until none is left or a stop condition holds."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, datetime

from prefect.runtime import flow_run

from flows.approval import wait_for_approval
from flows.arm_lock import arm_name
from flows.cancelled import heeding_cancellation
from flows.home_arm import home_stage
from flows.trouble import Trouble
from lib.arm import Arm, cell_behind, connect
from lib.errors import BadInput, CheckFailed
from lib.homing.session import HomingRequest
from lib.place import Placing, RunOutcome, batch_end, open_placing
from lib.robot import Robot, load_robot
from lib.runlog import Night, record_night, run_log, runs_left, runs_of_night
from lib.settings import Settings
from tasks.lay_out_block import lay_out_block
from tasks.place_block import place_block
from tasks.progress import step
from tasks.rehearse_run import rehearse_run
from tasks.settle_runs import settle_runs


def work_at_the_arm(settings: Settings, due: Night, until: datetime | None, trouble: Trouble) -> None:
    """Home the arm and do what is left of the night's runs.

    Without a homing to stand on, or after a rehearsal that failed, none is begun.
    """
    if not due.runs:
        return
    settle_runs(settings, arm_name(settings))
    left = runs_left(runs_of_night(settings.data_dir, due.night_id), due.runs)
    if not left:
        return
    with trouble.noted():
        wait_for_approval(settings, due.night_id)
        robot = _robot(settings)
        if settings.batch.rehearse:
            rehearse_run(settings, robot, left[0])
        with the_arm(settings, robot) as arm:
            homing = home_stage(settings, arm, HomingRequest())
            with open_placing(
                settings,
                robot,
                arm,
                homing_id=homing.homing_id,
                calibration=homing.homing_id,  # each homing places the cameras anew
                say=step,
            ) as placing:
                place_blocks(settings, placing, due, left, until)


def place_blocks(
    settings: Settings, placing: Placing, due: Night, left: list[int], until: datetime | None
) -> None:
    """Do the runs that are left.

    Raises CheckFailed where a stop condition ends the batch before the last, or no run placed anything.
    """
    done: list[RunOutcome] = []
    for number in left:
        free_bytes = shutil.disk_usage(settings.data_dir).free
        end = batch_end(settings.batch, done, datetime.now(UTC), until, free_bytes)
        if end is not None:
            record_night(settings.data_dir, due, "unfinished", batch_end=end.message)
            raise CheckFailed(f"the batch ended before run {number} of {due.runs}: {end.message}")
        with heeding_cancellation():
            if cell_behind(settings) is not None:
                lay_out_block(settings, number)
            place_block(settings, placing, done, number, due.runs or 0)
    # Of a night that was cut off only the rest is known here.
    if len(done) == due.runs and not any(run.place == "yes" for run in done):
        count = f"{len(done)} run" + ("s" if len(done) > 1 else "")
        raise CheckFailed(f"no block came to lie in the box in {count}; the last: {done[-1].reason}")


@contextmanager
def the_arm(settings: Settings, robot: Robot) -> Iterator[Arm]:
    """Own the arm for a block.

    A worker that is killed leaves its flow alive: then the arm is stopped, and the flow ends.
    """
    works_for = os.getppid() if _is_a_workers(flow_run.get_id()) else None
    with connect(settings, robot, run_log(settings.data_dir), works_for=works_for) as arm:
        yield arm


def _is_a_workers(flow_run_id: str | None) -> bool:
    """Tell whether a worker started this process for its flow run."""
    return flow_run_id is not None and os.environ.get("PREFECT__FLOW_RUN_ID") == flow_run_id


def _robot(settings: Settings) -> Robot:
    robot = load_robot(settings.robot)
    if robot is None:
        raise BadInput("robot = none: no arm for a batch; set robot to its file, or batch.runs to 0")
    return robot
