"""A run of the batch in a cell of its own before the arm moves: what would stop it there is known beforehand.

The table, the settings and the program are those of the night; arm, cameras and things are simulated, and
everything that is recorded goes with the folder it was recorded in.
"""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

from lib.arm import connect, running_cell
from lib.cell import CellLink, Stagehand
from lib.errors import CheckFailed
from lib.homing.session import HomingRequest, film_cell, hand_over, run_homing
from lib.place.outcome import RunOutcome
from lib.place.run import open_placing
from lib.robot import Robot, load_machine
from lib.runlog import run_log, run_stem
from lib.settings import Settings

# As fast as the emulated firmware keeps up with.
_TIME_SCALE = 50.0
# The table, its index, and which motion variant was chosen.
_GIVEN = ("fk.duckdb", "index", "motions")


def rehearse(
    settings: Settings, robot: Robot, number: int, say: Callable[[str], None] = lambda line: None
) -> RunOutcome:
    """Return what a run of this number comes to in the simulated cell.

    Raises CheckFailed where the simulated arm could not be homed, BadInput where there is no table.
    """
    with tempfile.TemporaryDirectory(prefix="nightpick-rehearsal-") as folder:
        aside = _aside(settings, Path(folder) / "data")
        with connect(aside, robot, run_log(aside.data_dir)) as arm:
            homing = run_homing(aside, load_machine(aside.robot), [film_cell(aside, arm)], HomingRequest())
            refusal = hand_over(arm, homing).refusal
            if refusal is not None:
                raise CheckFailed(f"the rehearsal: {refusal}")
            ids = {"homing_id": homing.homing_id, "calibration": homing.homing_id}
            with (
                open_placing(aside, robot, arm, say=say, **ids) as placing,
                CellLink(running_cell(aside)) as cell,
            ):
                Stagehand(cell, aside.cell).set_for(number)
                return placing.run(run_stem(number, datetime.now(UTC)), number)


def _aside(settings: Settings, data_dir: Path) -> Settings:
    """Return settings for a simulated cell in a folder of its own, with the night's table and variant."""
    data_dir.mkdir()
    for name in _GIVEN:
        if (settings.data_dir / name).exists():
            (data_dir / name).symlink_to(settings.data_dir.absolute() / name)
    return replace(
        settings,
        data_dir=data_dir,
        arm=replace(settings.arm, kind="emulated"),
        cell=replace(settings.cell, time_scale=_TIME_SCALE),
    )
