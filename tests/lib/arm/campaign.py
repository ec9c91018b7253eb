"""Many moves over a bad line: how many complete, why the others end, whether anything false was believed."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

import numpy as np

from lib.arm import Arm, ArmFailure, check_path, connect, gate_context
from lib.arm.frames import Genre, angles_payload, encoded
from tests.lib.arm.conftest import Bench

MOST_POSES = 25


@dataclass
class Figures:
    """What a campaign came to."""

    moves: int = 0
    completed: int = 0
    sends: int = 0
    calls: int = 0
    suspect: int = 0
    worst_error_deg: float = 0.0
    """Largest difference of an accepted position from the truth."""
    failures: Counter[str] = field(default_factory=Counter)
    calls_to_failure: list[int] = field(default_factory=list)
    """How many calls each move that failed had made."""
    said: list[str] = field(default_factory=list)
    unasked: list[str] = field(default_factory=list)
    """Motion frames the driver sent that nobody asked for."""

    def __str__(self) -> str:
        return (
            f"{self.completed} of {self.moves} moves completed, {self.sends} sendings, {self.calls} calls, "
            f"{self.suspect} suspect; failures {dict(self.failures)}; calls of a failing move at most "
            f"{max(self.calls_to_failure, default=0)}; accepted positions wrong by at most "
            f"{self.worst_error_deg:.2f} deg; {len(self.unasked)} motions nobody asked for"
        )


def clear_poses(bench: Bench, seed: int, count: int) -> list[list[float]]:
    """Return poses between any two of which the gate lets the arm go."""
    context = gate_context(bench.settings)
    random = np.random.default_rng(seed)
    poses: list[list[float]] = [[0.0] * 6]
    low, high = context.limits_deg.T
    while len(poses) < count:
        pose = [round(float(value), 2) for value in random.uniform(low * 0.5, high * 0.5)]
        pose[4] = min(60.0, max(-90.0, pose[4]))
        if all(check_path(context, [pose, other]).ok for other in poses):
            poses.append(pose)
    return poses


def run(bench: Bench, moves: int, seed: int, **faults: float | bool) -> Figures:
    """Make random moves while the line has faults; connect anew after each failure."""
    poses = clear_poses(bench, seed, min(MOST_POSES, 2 + moves // 2))
    random, figures = np.random.default_rng(seed), Figures()
    allowed = set()
    while figures.moves < moves:
        bench.faults(reply_share=0.0, request_share=0.0)
        with connect(bench.settings) as arm:
            arm.mark_homed()
            bench.faults(**faults)
            while figures.moves < moves:
                target, speed = poses[int(random.integers(len(poses)))], int(random.integers(20, 101))
                allowed.add(encoded(Genre.SEND_ANGLES, angles_payload(target) + bytes([speed])).hex(" "))
                if not _move(arm, bench, target, speed, figures):
                    break
            figures.calls += arm.link.calls
            figures.suspect += len(arm.link.suspicions)
    figures.unasked = [frame for frame in bench.motions_asked() if frame not in allowed]
    return figures


def _move(arm: Arm, bench: Bench, target: list[float], speed: int, figures: Figures) -> bool:
    before = arm.link.calls
    figures.moves += 1
    try:
        moved = arm.move(target, speed)
    except ArmFailure as failure:
        figures.failures[type(failure).__name__] += 1
        figures.calls_to_failure.append(arm.link.calls - before)
        figures.said.append(str(failure))
        return False
    figures.completed += 1
    figures.sends += moved.sends
    truth = bench.encoders_deg()
    error = max(abs(a - b) for a, b in zip(moved.reached_deg, truth, strict=True))
    figures.worst_error_deg = max(figures.worst_error_deg, error)
    return True
