"""A batch's runs, one after the other: look, pick, place, look again, learn; no orchestrator needed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from lib.homing.session import open_eyes
from lib.place.aiming import Aims
from lib.place.album import Album
from lib.place.bench import Bench
from lib.place.book import Book
from lib.place.ending import Ending
from lib.place.hand import Hand
from lib.place.manner import manner
from lib.place.memory_store import load_memories
from lib.place.one_run import OneRun
from lib.place.outcome import RunOutcome
from lib.place.picking import GRIPPING
from lib.place.sight import HAND, Watch, Watching, hand, things
from lib.place.states import Course
from lib.place.waypoints import Waypoints
from lib.robot import Robot, load_machine
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.arm import Arm


class Placing:
    """An arm, its table, cameras and memories, ready for run after run; made by ``open_placing``."""

    def __init__(self, bench: Bench) -> None:
        self._bench = bench

    def run(self, run_stem: str, run_number: int) -> RunOutcome:
        """Do one run and record it: what fails is an outcome, not an error.

        Raises Stopped and its like where somebody interrupts it: its row then stays ``unfinished``.
        Raises NightpickError where the run cannot be recorded.
        """
        bench, started_s = self._bench, time.monotonic()
        book = Book(bench.data_dir, run_stem, bench.say)
        album = Album(bench.data_dir, run_stem)
        book.started(
            run_number,
            arm=Path(bench.settings.robot).stem,
            variant=bench.manner.variant,
            table_version=bench.table.version,
            homing_id=bench.homing_id,
            images=str(album.folder.relative_to(bench.data_dir)),
        )
        run = OneRun(
            bench=bench,
            book=book,
            hand=Hand(bench.settings, bench.arm, bench.waypoints, book, bench.manner),
            aims=Aims(bench.settings, bench.table, bench.refine, bench.waypoints.tips, book.looked_up),
            album=album,
            run_stem=run_stem,
            course=Course(book.transition),
        )
        ending = Ending(run)
        bench.arm.run_stem = run_stem
        try:
            ending.play()
        finally:
            bench.arm.run_stem = None
        outcome = ending.outcome(run_number, time.monotonic() - started_s)
        book.ended(outcome)
        return outcome


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
    """Open table, memories and cameras for a batch with a homed arm.

    ``say`` is told one line a state of a run. Raises BadInput where there is no table yet, or no camera is
    named for a real arm; Refused where one does not open, or none can be placed.
    """
    arm.prepare()
    machine = load_machine(settings.robot)
    with open_eyes(settings, machine) as eyes:
        watch = Watch(machine, eyes, settings.homing.board_limit_px)
        for reason in watch.unplaced:
            say(reason)
        yield Placing(bench_for(settings, robot, arm, watch, homing_id, calibration, say))


def bench_for(
    settings: Settings,
    robot: Robot,
    arm: Arm,
    watch: Watching,
    homing_id: str | None,
    calibration: str | None,
    say: Callable[[str], None],
) -> Bench:
    """Return what a batch's runs share; raises BadInput where there is no table yet."""
    from lib.lookup import Table
    from lib.lookup.refine import refine
    from lib.motion import chosen_variant
    from lib.table import known_chain

    machine = load_machine(settings.robot)
    table = Table.open(settings.data_dir)
    chain = known_chain(settings, table.version)
    return Bench(
        settings=settings,
        robot=robot,
        arm=arm,
        watch=watch,
        things={**things(settings.cell, robot.twin_axes, machine.dictionary), HAND: hand(machine, robot)},
        table=table,
        chain=chain,
        refine=lambda request, result: refine(table, request, result, chain),
        waypoints=Waypoints(
            robot, settings.arm.j4_safe_deg, settings.place.servo.largest_height_step_m, GRIPPING
        ),
        manner=manner(settings, chosen_variant(settings.data_dir)),
        memories=load_memories(settings.data_dir),
        calibration=calibration,
        say=say,
        homing_id=homing_id,
    )
