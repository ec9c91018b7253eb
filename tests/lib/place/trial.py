"""A batch on a cell in this process: homed by its cameras, run after run at an infinite clock."""

from __future__ import annotations

import math
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import numpy as np

from lib.cell import Cell, Stagehand
from lib.homing import detect, home
from lib.homing.session import lenses_of
from lib.lookup.refine import Refinement
from lib.place import Placing, RunOutcome
from lib.place.run import bench_for
from lib.place.sight import Picture, Watch, Watching
from lib.robot import Machine, load_machine, load_robot
from lib.settings import Settings
from tests.lib.place.in_process import InProcessArm
from tests.lib.place.projected import ProjectedWatch

VARIANTS = ("whole", "no servo", "no memory", "no refine")


class CellEyes:
    """A cell's cameras without a socket between."""

    def __init__(self, cell: Cell) -> None:
        self._cell = cell

    def cameras(self) -> list[str]:
        return list(self._cell.film.eyes)

    def frame(self, camera: str, colour: bool = False) -> Picture:
        return self._cell.frame(camera, colour)


@dataclass
class Trial:
    """One cell with one arm, its batch, and the truth."""

    settings: Settings
    cell: Cell
    arm: InProcessArm
    watch: Watching
    placing: Placing
    bench: Any
    said: list[str]

    def run(self, number: int) -> RunOutcome:
        """Lay out the next block and do one run."""
        Stagehand(self.cell.things, self.settings.cell).set_for(number)
        return self.placing.run(f"run_{number:04d}_20261130_221500", number)

    def true_distance_mm(self, number: int) -> float:
        """How far the block of a run really lies from the box's centre [mm]."""
        block = self.cell.pose(f"block{number % self.settings.cell.blocks + 1}").place_m
        box = self.cell.pose("box").place_m
        return 1e3 * math.hypot(block[0] - box[0], block[2] - box[2])


def with_table(table: Path, data_dir: Path) -> None:
    """Give a new data folder the table of another."""
    data_dir.mkdir(parents=True, exist_ok=True)
    (data_dir / "fk.duckdb").symlink_to(table / "fk.duckdb")
    shutil.copytree(table / "index", data_dir / "index", copy_function=lambda a, b: Path(b).symlink_to(a))


@contextmanager
def trial(
    settings: Settings,
    seed: int,
    *,
    box_m: tuple[float, float] | None = None,
    drawn: bool = True,
    noise_m: float = 0.0,
    variant: str = "whole",
) -> Iterator[Trial]:
    """Set a trial up; ``drawn``: with rendered pictures, else with projected markers and their noise."""
    cell_settings = replace(settings.cell, seed=seed, box_centre_m=box_m or settings.cell.box_centre_m)
    settings = _as(variant, replace(settings, cell=cell_settings))
    robot, machine = load_robot(settings.robot), load_machine(settings.robot)
    assert robot is not None
    cell = Cell(robot, settings.cell)
    arm = InProcessArm(settings, robot, cell)
    if drawn:
        arm.mark_homed(_homed_by_pictures(machine, cell))
        watch: Any = Watch(machine, CellEyes(cell), settings.homing.board_limit_px)
    else:
        # What homing leaves: a tenth of a degree, and the sag and play of the pose it was done in.
        random = np.random.default_rng([seed, 78])
        arm.mark_homed((cell.flaws.joint_offsets_deg + 0.15 * random.standard_normal(6)).tolist())
        watch = ProjectedWatch(cell, machine, seed, noise_m)
    said: list[str] = []
    bench = bench_for(settings, robot, arm, watch, f"homing-{seed}", f"homing-{seed}", said.append)  # type: ignore[arg-type]
    if variant == "no refine":
        bench.refine = lambda request, result: Refinement(why_not="switched off")
    yield Trial(settings, cell, arm, watch, Placing(bench), bench, said)


def _homed_by_pictures(machine: Machine, cell: Cell) -> list[float]:
    pictures = {name: cell.frame(name) for name in cell.film.eyes}
    found = home(machine, lenses_of(machine), detect(pictures, machine.dictionary, lenses_of(machine)).views)
    joints = [m.value for m in found.movements[:6] if m.value is not None]
    return [joint - encoder for joint, encoder in zip(joints, cell.encoders_deg(), strict=True)]


def _as(variant: str, settings: Settings) -> Settings:
    """Return the settings without one of the three things that make a batch better."""
    place = settings.place
    if variant == "no servo":
        place = replace(place, servo=replace(place.servo, most_looks=1))
    if variant == "no memory":
        place = replace(place, memory=replace(place.memory, largest_m=1e-9))
    if variant == "no refine":
        # Rows are five degrees apart: what is not refined is up to a guard away from its aim.
        place = replace(place, farthest_m=0.015)
    return replace(settings, place=place)


def percentile(values: list[float], share: float) -> float:
    """Return a percentile, infinity for what has no value."""
    return float(np.quantile(values, share, method="higher")) if values else math.inf
