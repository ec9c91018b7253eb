"""Flow home-arm: where the arm really is, by its cameras. Read `home_stage` as the table of contents.

Runs when asked for; a night runs its stage before anything moves.
"""

from __future__ import annotations

import os

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.arm_lock import arm_name, holding_the_arm
from flows.arm_slot import arm_slot
from flows.recorded import recorded_flow
from flows.stop_the_arm import stop_the_arm
from lib.arm import Arm, connect
from lib.homing.session import HomingRequest, HomingRun
from lib.robot import load_machine, load_robot
from lib.runlog import run_log
from lib.settings import Settings
from tasks.film_arm import film_arm
from tasks.find_joints import find_joints
from tasks.keep_offsets import keep_offsets


@flow(
    name="home-arm",
    flow_run_name="home-arm",
    persist_result=False,
    on_failure=[stop_the_arm],
    on_crashed=[stop_the_arm],
    on_cancellation=[stop_the_arm],
)
def home_arm(method: str | None = None, show_only: bool = False) -> State[None]:
    """Home the settings' arm by the cell's cameras.

    ``method``: instead of the robot file's. ``show_only``: find, but tell the arm nothing.
    """
    with recorded_flow("home-arm") as settings:
        name = arm_name(settings)
        robot = load_robot(settings.robot)
        request = HomingRequest(method=method, show_only=show_only)
        with (
            holding_the_arm(settings),
            arm_slot(name),
            connect(settings, robot, run_log(settings.data_dir), works_for=os.getpid()) as arm,
        ):
            run = home_stage(settings, arm, request)
        return Completed(message=f"{run.homing_id}: {run.state}")


def home_stage(settings: Settings, arm: Arm, request: HomingRequest) -> HomingRun:
    """Film the arm, find its joints, keep their offsets; what moves it afterwards has the same connection.

    Raises SaidNo where the arm could not be marked homed: a batch does not start then.
    """
    capture = film_arm(settings, arm)
    run = find_joints(settings, load_machine(settings.robot), [capture], request)
    if not request.show_only:
        keep_offsets(settings, arm, run)
    return run
