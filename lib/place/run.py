"""One run of the batch: look, pick, place, look again, learn; nothing of it needs an orchestrator."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from lib.place.outcome import RunOutcome
from lib.robot import Robot
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.arm import Arm


class Placing:
    """An arm, its table, cameras and memories, ready for run after run; made by ``open_placing``."""

    def run(self, run_stem: str, run_number: int) -> RunOutcome:
        """Do one run and record it: what fails is an outcome, not an error.

        Raises Stopped and its like where somebody interrupts it: its row then stays ``unfinished``.
        """
        raise NotImplementedError


@contextmanager
def open_placing(
    settings: Settings,
    robot: Robot,
    arm: Arm,
    *,
    homing_id: str | None,
    calibration: str | None,
    say: Callable[[str], None] = lambda line: None,
) -> Iterator[Placing]:
    """Open table, memories and cameras for a batch with a prepared, homed arm.

    ``say`` is told one line a state of a run. Raises BadInput where there is no table yet, Refused where
    no camera can be asked.
    """
    yield Placing()
