"""Flow calibrate: a camera's lens and place from photos, or an arm's axes from readings.

Runs when asked for; the same as `nightpick calibrate`, with its evidence in the UI.
"""

from __future__ import annotations

from pathlib import Path

from prefect import flow
from prefect.client.schemas.objects import State
from prefect.states import Completed

from flows.recorded import recorded_flow
from lib.errors import BadInput
from tasks.calibrate_arm_axes import calibrate_arm_axes
from tasks.calibrate_fixed_camera import calibrate_fixed_camera


@flow(name="calibrate", flow_run_name="calibrate", persist_result=False)
def calibrate(
    images: str | None = None, poses: str | None = None, board: str | None = None, readings: str | None = None
) -> State[None]:
    """Calibrate a camera by ``images``, ``poses`` and ``board``, or an arm by ``readings``."""
    with recorded_flow("calibrate") as settings:
        if readings is not None:
            said = calibrate_arm_axes(settings, Path(readings))
        elif images is not None and poses is not None and board is not None:
            said = calibrate_fixed_camera(settings, Path(images), Path(poses), board)
        else:
            raise BadInput("calibrate: expected images, poses and board, or readings")
        return Completed(message=said)
