"""Flow calibrate: cameras' lenses and places from photos; an arm's axes, origins and offsets from readings.

Runs when asked for; the same as `nightpick calibrate`, with its evidence in the UI.
"""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.recorded import recorded_flow
from lib.errors import BadInput
from lib.robot import load_machine
from tasks.calibrate_arm_axes import calibrate_arm_axes
from tasks.calibrate_fixed_camera import calibrate_fixed_camera
from tasks.calibrate_robot_joints import calibrate_robot_joints
from tasks.place_cameras_together import place_cameras_together


@flow(name="calibrate", flow_run_name="calibrate", persist_result=False)
def calibrate(
    images: str | None = None,
    poses: str | None = None,
    board: str | None = None,
    readings: str | None = None,
    robot: str | None = None,
) -> State[None]:
    """Calibrate cameras or an arm.

    ``images`` and ``board`` with ``poses``: a fixed camera; without them: the cameras of ``robot``, or of the
    settings' robot file, together. ``readings``: an arm's axes; with ``robot`` its origins and offsets.
    """
    with recorded_flow("calibrate") as settings:
        if readings is not None and robot is not None:
            said = calibrate_robot_joints(settings, Path(readings), load_machine(robot))
        elif readings is not None:
            said = calibrate_arm_axes(settings, Path(readings))
        elif images is not None and board is not None and poses is not None:
            said = calibrate_fixed_camera(settings, Path(images), Path(poses), board)
        elif images is not None and board is not None:
            said = place_cameras_together(
                settings, Path(images), board, load_machine(robot or settings.robot)
            )
        else:
            raise BadInput("calibrate: expected images and board, perhaps poses, or readings")
        return Completed(message=said)
