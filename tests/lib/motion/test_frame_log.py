"""The frame log as a file: the documented columns, and read back what was written."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lib.errors import BadInput
from lib.motion import read_frame_log, write_frame_log
from tests.lib.motion.published import ideal_log

HEADER = (
    "time,state,frameIndex,ee_x,ee_y,ee_z,cup_x,cup_y,cup_z,cup_rot_y,j0_target,j0_pos,j1_target,j1_pos,"
    "j2_target,j2_pos,j3_target,j3_pos,j4_target,j4_pos,j5_target,j5_pos"
)


def test_a_log_read_back_is_what_was_written_to_the_micrometre(tmp_path: Path) -> None:
    log = ideal_log()
    log.joints_deg[:, 3] += 0.125
    read = read_frame_log(write_frame_log(tmp_path / "runs" / "frames.csv", log))
    assert (tmp_path / "runs" / "frames.csv").read_text().splitlines()[0] == HEADER
    assert read.states.tolist() == log.states.tolist()
    assert read.frame_index.tolist() == log.frame_index.tolist()
    for column, tolerance in (
        ("time_s", 1e-9), ("tip_m", 6e-7), ("cup_m", 6e-7), ("cup_yaw_deg", 6e-5), ("targets_deg", 6e-5),
        ("joints_deg", 6e-5),
    ):  # fmt: skip
        assert np.abs(getattr(read, column) - getattr(log, column)).max() < tolerance, column


def test_a_line_of_the_file_says_what_its_header_says(tmp_path: Path) -> None:
    lines = write_frame_log(tmp_path / "frames.csv", ideal_log()).read_text().splitlines()
    assert len(lines) == 626
    first = dict(zip(HEADER.split(","), lines[100].split(","), strict=True))
    assert (first["time"], first["state"], first["frameIndex"]) == ("2.000", "MOVING_TO_CUP", "99")
    assert [round(float(first[c]), 3) for c in ("ee_x", "ee_y", "ee_z")] == [-0.221, 0.083, 0.254]
    assert [first[c] for c in ("cup_x", "cup_y", "cup_z")] == ["-0.221400", "0.055000", "0.253600"]
    assert (first["j1_target"], first["j1_pos"]) == ("82.0000", "82.0000")


@pytest.mark.parametrize(
    ("broken", "says"),
    [
        (lambda text: text.replace("cup_rot_y", "cup_yaw"), "line 1: not the header"),
        (
            lambda text: text.replace("MOVING_TO_CUP", "GOING", 1),
            "line 2: expected 22 columns, the second a state",
        ),
        (lambda text: text[:400], "expected 22 columns"),
        (lambda text: text.replace("0.055000", "low", 1), "line 2: could not convert"),
        (lambda text: text.replace("0.055000", "nan", 1), "line 2: not finite"),
    ],
)
def test_a_broken_log_is_refused_by_its_line(tmp_path: Path, broken: object, says: str) -> None:
    path = write_frame_log(tmp_path / "frames.csv", ideal_log())
    path.write_text(broken(path.read_text()))  # type: ignore[operator]
    with pytest.raises(BadInput, match=says) as refused:
        read_frame_log(path)
    assert str(path) in str(refused.value)
