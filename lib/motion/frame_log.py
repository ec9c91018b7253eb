"""The frame log: what tool, cup and joints did at each of the 50 frames a second, one CSV a run."""

from __future__ import annotations

import csv
import io
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from lib.errors import BadInput
from lib.motion.minimum_jerk import Values
from lib.motion.states import State
from lib.motion.whole_file import write_whole

JOINTS = tuple(f"j{joint}" for joint in range(6))
COLUMNS = (
    "time", "state", "frameIndex", "ee_x", "ee_y", "ee_z", "cup_x", "cup_y", "cup_z", "cup_rot_y",
    *(f"{joint}_{what}" for joint in JOINTS for what in ("target", "pos")),
)  # fmt: skip
_STATES = {state.value for state in State}


@dataclass(frozen=True, eq=False)
class FrameLog:
    """One run, frame by frame; places in the twin's axes."""

    time_s: Values
    """Time of the run at the end of each frame [s], of shape (n,)."""
    states: NDArray[np.str_]
    """Name of the state, of shape (n,)."""
    frame_index: NDArray[np.int64]
    """Number of the frame within its state, of shape (n,)."""
    tip_m: Values
    """Where the tool tip was measured [m], of shape (n, 3)."""
    cup_m: Values
    """Where the cup's foot was [m], of shape (n, 3)."""
    cup_yaw_deg: Values
    """How the cup was turned about the upright [deg], of shape (n,)."""
    targets_deg: Values
    """What the joints were told [deg], of shape (n, 6)."""
    joints_deg: Values
    """What the joints' encoders read [deg], of shape (n, 6)."""

    def __len__(self) -> int:
        return len(self.time_s)

    def during(self, *states: State) -> NDArray[np.bool_]:
        """Tell for each frame whether it belongs to one of the states, of shape (n,)."""
        return np.isin(self.states, [state.value for state in states])


def frame_log_csv(log: FrameLog) -> str:
    """Return the log as CSV: micrometres, ten-thousandths of a degree, milliseconds."""
    text = io.StringIO()
    text.write(",".join(COLUMNS) + "\n")
    joints = np.stack([log.targets_deg, log.joints_deg], axis=2).reshape(len(log), 12)
    for i in range(len(log)):
        places = ",".join(f"{value:.6f}" for value in (*log.tip_m[i], *log.cup_m[i]))
        angles = ",".join(f"{value:.4f}" for value in (log.cup_yaw_deg[i], *joints[i]))
        text.write(f"{log.time_s[i]:.3f},{log.states[i]},{log.frame_index[i]},{places},{angles}\n")
    return text.getvalue()


def write_frame_log(path: Path, log: FrameLog) -> Path:
    """Write the log to ``path``, whole or not at all."""
    return write_whole(path, frame_log_csv(log))


def read_frame_log(path: Path) -> FrameLog:
    """Read a frame log back; raises BadInput naming file, line and what was expected."""
    try:
        rows = list(csv.reader(path.read_text(encoding="utf-8").splitlines()))
    except (OSError, UnicodeDecodeError) as error:
        raise BadInput(f"{path}: not readable as a frame log: {error}") from error
    if not rows or tuple(rows[0]) != COLUMNS:
        raise BadInput(f"{path}: line 1: not the header of a frame log; expected {','.join(COLUMNS)}")
    numbers = np.array([_numbers(path, i, row) for i, row in enumerate(rows[1:], 2)]).reshape(-1, 21)
    joints = numbers[:, 9:].reshape(-1, 6, 2)
    return FrameLog(
        time_s=numbers[:, 0],
        states=np.array([row[1] for row in rows[1:]], dtype=np.str_),
        frame_index=numbers[:, 1].astype(np.int64),
        tip_m=numbers[:, 2:5],
        cup_m=numbers[:, 5:8],
        cup_yaw_deg=numbers[:, 8],
        targets_deg=joints[:, :, 0],
        joints_deg=joints[:, :, 1],
    )


def _numbers(path: Path, line: int, row: list[str]) -> list[float]:
    if len(row) != len(COLUMNS) or row[1] not in _STATES:
        raise BadInput(f"{path}: line {line}: expected {len(COLUMNS)} columns, the second a state")
    try:
        numbers = [float(value) for column, value in enumerate(row) if column != 1]
    except ValueError as error:
        raise BadInput(f"{path}: line {line}: {error}; expected numbers") from error
    if not np.isfinite(numbers).all():
        raise BadInput(f"{path}: line {line}: not finite; expected numbers")
    return numbers
