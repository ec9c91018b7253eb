"""The simulated cell beside real time: physics by scene, pictures, a scan.

    python -m tests.benchmarks.cell [--frames N]

All in one run on one core; process time, so that neighbours on the machine count for little.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from functools import partial

import cv2
import numpy as np

from lib.cell import SCENES, Cell, no_errors, simulate_scan
from lib.robot import Robot, load_robot
from lib.scan import ScanRequest
from lib.settings_cell import Cell as CellSettings

HOME, REST = (0.0,) * 6, (0.0, -30.0, 0.0, 0.0, 0.0, 0.0)
PLACE = (36.215, 57.0, 20.0, -12.0, -86.0, -30.0)
CUP, LIFT = (40.0, 82.0, -36.0, 0.0, -50.0, 0.0), (40.0, 50.0, -20.0, 0.0, -42.0, 0.0)
PUBLISHED = ((36.215, 57, 20, -7), (36.215, 57, 20, -17), (31.215, 57, 20, -17), (31.215, 57, 20, -22))


def main() -> None:
    """Print one line a measurement."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--frames", type=int, default=40)
    frames = parser.parse_args().frames
    cv2.setNumThreads(1)
    robot = load_robot("mecharm270")
    assert robot is not None
    for scene in SCENES:
        print(f"physics, {scene:6}: {_times_real(robot, scene):6.1f} x real time, arm on the move")
    print(f"physics, held  : {_times_real(robot, 'motion', hold=True):6.1f} x real time, a cup in the grip")
    for colour, bound_ms in ((False, 40), (True, 120)):
        for label, errors in (("errors off", no_errors()), ("all errors", None)):
            cell = Cell(robot, CellSettings(), errors=errors, scene="batch", joints_deg=LIFT)
            for camera in cell.film.eyes:
                taken = _milliseconds(partial(cell.frame, camera, colour), frames)
                kind = "colour" if colour else "grey"
                print(f"{kind:6} frame, {label}, {camera:5}: {taken} of {bound_ms} ms")
    bases = ScanRequest(np.array([[*joints, -86.0, -30.0] for joints in PUBLISHED]), exact=False)
    started = time.process_time()
    rows = len(simulate_scan(robot, bases, seed=0))
    print(f"scan of {rows:,} rows: {time.process_time() - started:.2f} of 20 s")


def _times_real(robot: Robot, scene: str, hold: bool = False) -> float:
    cell = Cell(robot, CellSettings(), scene=scene)
    start, end, grip = (LIFT, CUP, 100.0) if hold else (REST, PLACE, 50.0)
    cell.drive(start, 100.0, 2.0)
    if hold:
        cell.drive(CUP, 100.0, 2.0)
        cell.drive(CUP, 0.0, 1.0)
        start, end, grip = CUP, LIFT, 0.0
    began_s, began = cell.time_s, time.process_time()
    for there, back in ((end, start), (start, end)) * 3:
        for share in np.linspace(0.0, 1.0, 100):
            cell.drive(np.add(back, share * np.subtract(there, back)), grip, 0.02)
    assert not hold or cell.held() == "cup"
    return (cell.time_s - began_s) / (time.process_time() - began)


def _milliseconds(work: Callable[[], object], repeats: int) -> str:
    work()
    taken = []
    for _ in range(repeats):
        started = time.process_time()
        work()
        taken.append(1000 * (time.process_time() - started))
    return f"median {np.median(taken):5.1f}, best {min(taken):5.1f}"


if __name__ == "__main__":
    main()
