"""What Prefect calls when a flow that drives the arm fails, crashes or is cancelled: the arm stands still."""

from __future__ import annotations

from typing import Any

from lib.arm import device_of, looking
from lib.errors import Busy, NightpickError
from lib.settings import load
from tasks.progress import PROGRESS


def stop_the_arm(flow: Any, flow_run: Any, state: Any) -> None:
    """Stop the arm of the settings, unless another process drives it: that one answers for it."""
    try:
        settings = load()
        if device_of(settings) is not None:
            with looking(settings) as arm:
                arm.stop()
    except Busy:
        return
    except NightpickError as error:
        PROGRESS.info("the arm was not reached to be stopped: %s", error)
