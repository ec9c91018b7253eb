"""The published run as it would go without physics: the tool where it is told, the cup carried along."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from lib.motion import FrameLog, Plan, commanded_cup, plan, tool_frames, yaw_deg
from lib.robot import Robot, load_robot
from lib.settings import Settings

SETTINGS = Settings()
SEQUENCE = SETTINGS.motion.sequence
CUP_M = np.array([-0.2214, 0.055, 0.2536])


def robot() -> Robot:
    found = load_robot("mecharm270")
    assert found is not None
    return found


def published_plan() -> Plan:
    return plan(SEQUENCE, SEQUENCE.move_s)


def ideal_log() -> FrameLog:
    planned = published_plan()
    _, tips_m = tool_frames(robot(), planned.targets_deg)
    cup = commanded_cup(planned, robot(), CUP_M, SEQUENCE.floor_m)
    return FrameLog(
        planned.time_s, planned.states, planned.frame_index, tips_m, cup.foot_m, yaw_deg(cup.axes),
        planned.targets_deg, planned.targets_deg.copy(),
    )  # fmt: skip


def changed(log: FrameLog, **columns: np.ndarray) -> FrameLog:
    return replace(log, **columns)
