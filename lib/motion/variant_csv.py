"""A variant as a file: what the joints are told, frame by frame, 50 frames a second."""

from __future__ import annotations

from pathlib import Path

from lib.motion.frame_log import JOINTS
from lib.motion.minimum_jerk import FRAMES_PER_S
from lib.motion.plan import Plan
from lib.motion.whole_file import write_whole

COLUMNS = ("time", "frameIndex", "state", *JOINTS)


def variant_csv(plan: Plan) -> str:
    """Return the plan as CSV: the time each target is given [s], frame of its state, state, targets [deg]."""
    lines = [",".join(COLUMNS)]
    for i, (state, index, targets) in enumerate(
        zip(plan.states, plan.frame_index, plan.targets_deg, strict=True)
    ):
        joints = ",".join(f"{joint:.6f}" for joint in targets)
        lines.append(f"{i / FRAMES_PER_S:.3f},{index},{state},{joints}")
    return "\n".join(lines) + "\n"


def write_variant(path: Path, plan: Plan) -> Path:
    """Write the plan to ``path``, whole or not at all."""
    return write_whole(path, variant_csv(plan))
