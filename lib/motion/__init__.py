"""Motions: trajectories, the states of a run, the grasp, the frame log, variants, scores, ranking."""

from lib.motion.approach import Unreachable, approached
from lib.motion.carried_cup import CupHit, carried_cup_hit, cup_start_m
from lib.motion.chosen import LastRank, choose_variant, chosen_variant, last_ranks
from lib.motion.commanded import CommandedCup, commanded_cup
from lib.motion.diagnoses import Diagnosis, diagnose, tracking_error_m
from lib.motion.frame_log import FrameLog, frame_log_csv, read_frame_log, write_frame_log
from lib.motion.grasp import Grasp, above_floor, tool_frames, upright, yaw_deg
from lib.motion.job import Job, Outcome, play_job
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
from lib.motion.playback import Placed, Playback, play, where_placed
from lib.motion.players import Players, playing
from lib.motion.ranking import Ranked, rank
from lib.motion.reach import Reached, reach
from lib.motion.scores import RANKED, Known, Scores, known_beforehand, score
from lib.motion.skeleton import CHAIN, skeleton
from lib.motion.smoothness import log_dimensionless_jerk, spectral_arc_length
from lib.motion.states import HOLDING, TRANSITIONS, Event, Run, State, Transition
from lib.motion.study import Study, StudyResult, begin_study, end_study, motions_folder
from lib.motion.variant_csv import variant_csv, write_variant
from lib.motion.variants import (
    Feasibility,
    PlannedVariant,
    Variant,
    plan_variant,
    published_variant,
    variant_named,
    variants,
)

__all__ = [
    "CHAIN",
    "FRAMES_PER_S",
    "HOLDING",
    "RANKED",
    "TRANSITIONS",
    "CommandedCup",
    "CupHit",
    "Diagnosis",
    "Event",
    "Feasibility",
    "FrameLog",
    "Grasp",
    "Job",
    "Known",
    "LastRank",
    "Move",
    "Outcome",
    "Phase",
    "Placed",
    "Plan",
    "PlannedVariant",
    "Playback",
    "Players",
    "Ranked",
    "Reached",
    "Run",
    "Scores",
    "State",
    "Study",
    "StudyResult",
    "Transition",
    "Unreachable",
    "Variant",
    "Waypoints",
    "above_floor",
    "approached",
    "begin_study",
    "carried_cup_hit",
    "choose_variant",
    "chosen_variant",
    "commanded_cup",
    "cup_start_m",
    "diagnose",
    "end_study",
    "frame_count",
    "frame_log_csv",
    "frame_times",
    "known_beforehand",
    "last_ranks",
    "log_dimensionless_jerk",
    "minimum_jerk",
    "minimum_jerk_acceleration",
    "minimum_jerk_jerk",
    "minimum_jerk_speed",
    "motions_folder",
    "plan",
    "plan_variant",
    "play",
    "play_job",
    "playing",
    "published_variant",
    "rank",
    "reach",
    "read_frame_log",
    "score",
    "skeleton",
    "spectral_arc_length",
    "tool_frames",
    "tracking_error_m",
    "upright",
    "variant_csv",
    "variant_named",
    "variants",
    "where_placed",
    "write_frame_log",
    "write_variant",
    "yaw_deg",
]
