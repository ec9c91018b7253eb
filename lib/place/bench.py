"""What all runs of a batch share: the table, the cameras, the things, and what the memory cells hold."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.arm import Arm
from lib.errors import NightpickError
from lib.lookup import Table
from lib.lookup.refine import KnownChain, foretell
from lib.place.aiming import NoPose, Refine
from lib.place.manner import Manner
from lib.place.memory import Memory, Vector, new_memory, under
from lib.place.memory_cell import CellKey, cell_of
from lib.place.memory_store import keep
from lib.place.sight import Looked, Spread, Thing, Watching
from lib.place.standing import Standing
from lib.place.waypoints import Waypoints
from lib.robot import Robot
from lib.scan import ScanRequest, read_request, requests_folder, write_request
from lib.settings import Settings

NO_ROWS_HELP = "more rows would not help"
"""How a refusal begins that no scan would lift."""
ASKED_FILE = "placing.csv"
"""The scan request that collects the targets no pose was near enough for."""
# Where the box is seen differs a little from run to run: such a pose was asked for already.
_SAME_DEG = 0.5


@dataclass
class Bench:
    """An arm with all that a run needs."""

    settings: Settings
    robot: Robot
    arm: Arm
    watch: Watching
    things: Mapping[str, Thing]
    table: Table
    chain: KnownChain
    refine: Refine
    waypoints: Waypoints
    manner: Manner
    memories: dict[CellKey, Memory]
    """What every cell holds, the one that learned last first."""
    calibration: str | None
    say: Callable[[str], None]
    homing_id: str | None = None
    pick_bias_m: Vector = (0.0, 0.0, 0.0)
    """Where the tip was last seen over a block against where the table says: x, height, z [m]."""
    spread: Spread = field(default_factory=Spread)
    box: Standing = field(default_factory=Standing)
    _used: list[CellKey] = field(default_factory=list)

    @property
    def axes(self) -> NDArray[np.float64]:
        """The vendor's frame to the twin's axes, of shape (3, 3)."""
        return self.robot.twin_axes

    @property
    def data_dir(self) -> Path:
        """The data folder."""
        return self.settings.data_dir

    def memory_for(self, target_m: tuple[float, float]) -> Memory:
        """Return what the cell of a target (x, z) holds under the present table and calibration."""
        cell = cell_of(*target_m, tuple(self._used or self.memories))
        version, calibration = self.table.version, self.calibration
        held = self.memories.get(cell)
        if held is None:
            memory = new_memory(cell, self.settings.place.memory, version, calibration)
        else:
            memory = under(held, self.settings.place.memory, version, calibration)
        if memory is not held:
            self.remember(memory, None)
        self._used = [cell, *(other for other in self.memories if other != cell)]
        return memory

    def remember(self, memory: Memory, run_stem: str | None) -> None:
        """Keep a revision, as made by a run."""
        keep(self.data_dir, memory, run_stem)
        self.memories[memory.cell] = memory

    def ask_for_scan(self, missed: NoPose) -> str:
        """Ask the twin for the pose that would meet a target; say what was asked, or why nothing was."""
        found = foretell(self.table, missed.request, missed.result, self.chain)
        if found.joints_deg is None:
            return f"{NO_ROWS_HELP}: {found.why_not}"
        path = requests_folder(self.data_dir) / ASKED_FILE
        pose = np.array([found.joints_deg])
        try:
            asked = read_request(path).bases if path.exists() else np.empty((0, 6))
            if not len(asked) or np.abs(asked - pose).max(axis=1).min() > _SAME_DEG:
                path.parent.mkdir(parents=True, exist_ok=True)
                write_request(path, ScanRequest(np.concatenate([asked, pose]), exact=True))
        except NightpickError as error:
            return f"the scan request could not be written: {error}"
        return f"its pose is asked for in {ASKED_FILE}"

    def marks(self, seen: Looked) -> dict[str, list[tuple[float, float]]]:
        """Return where in each camera's picture the things of a look are [px]."""
        places = np.array([sight.place_m for sight in seen.sights.values()]).reshape(-1, 3) @ self.axes
        return {
            camera.name: [(float(x), float(y)) for x, y in camera.pixels(places)] for camera in seen.cameras
        }
