"""Requests that the robot cannot answer: poses of which no row would be within its joint limits.

The twin measures wide and a scan keeps rows outside the limits, so a base near a limit is fine: part
of its grid is inside. One that lies a grid's half width beyond asks for rows that nothing can use.
"""

from __future__ import annotations

from pathlib import Path

import numpy as np

from lib.errors import Problem
from lib.robot import Robot
from lib.scan import GRID_HALF_WIDTH_DEG, ScanRefused, ScanRequest


def refuse_unreachable(robot: Robot, request: ScanRequest, file: Path) -> None:
    """Raise ScanRefused naming the line, the joint and its limits of every pose that is out of reach."""
    reach_deg = np.zeros(6) if request.exact else np.array(GRID_HALF_WIDTH_DEG)
    low_deg, high_deg = robot.limits_deg.T
    beyond = (request.bases < low_deg - reach_deg) | (request.bases > high_deg + reach_deg)
    problems = []
    for pose, k in np.argwhere(beyond).tolist():
        joint = robot.joints[k]
        limits = f"{robot.name}'s limits {low_deg[k]:g}..{high_deg[k]:g} deg"
        also = f" and its grid's {reach_deg[k]:g} deg" if reach_deg[k] else ""
        line = request.lines[pose] if request.lines else None
        problems.append(
            Problem(line, joint.variable, f"{request.bases[pose, k]:g}", f"beyond {limits}{also}")
        )
    if problems:
        advice = "ask for poses within the limits: nothing can use a row beyond them"
        raise ScanRefused(str(file), problems, len(problems), advice)
