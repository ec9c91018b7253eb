"""Motions: trajectories, the states of a run, the grasp, the frame log, variants, scores, ranking."""

from lib.motion.commanded import CommandedCup, commanded_cup
from lib.motion.diagnoses import Diagnosis, diagnose, tracking_error_m
from lib.motion.frame_log import FrameLog, frame_log_csv, read_frame_log, write_frame_log
from lib.motion.grasp import Grasp, above_floor, tool_frames, upright, yaw_deg
from lib.motion.minimum_jerk import (
    FRAMES_PER_S,
    frame_count,
    frame_times,
    minimum_jerk,
    minimum_jerk_acceleration,
    minimum_jerk_jerk,
    minimum_jerk_speed,
)
from lib.motion.move import Move
from lib.motion.plan import Phase, Plan, Waypoints, plan
from lib.motion.reach import Reached, reach
from lib.motion.states import HOLDING, TRANSITIONS, Event, Run, State, Transition

__all__ = [
    "FRAMES_PER_S",
    "HOLDING",
    "TRANSITIONS",
    "CommandedCup",
    "Diagnosis",
    "Event",
    "FrameLog",
    "Grasp",
    "Move",
    "Phase",
    "Plan",
    "Reached",
    "Run",
    "State",
    "Transition",
    "Waypoints",
    "above_floor",
    "commanded_cup",
    "diagnose",
    "frame_count",
    "frame_log_csv",
    "frame_times",
    "minimum_jerk",
    "minimum_jerk_acceleration",
    "minimum_jerk_jerk",
    "minimum_jerk_speed",
    "plan",
    "reach",
    "read_frame_log",
    "tool_frames",
    "tracking_error_m",
    "upright",
    "write_frame_log",
    "yaw_deg",
]
