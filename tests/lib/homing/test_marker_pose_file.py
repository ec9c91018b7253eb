"""Marker poses come from the original's file in all its forms, or are refused with the place."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lib.errors import BadInput
from lib.homing.marker_pose_file import marker_poses_json, read_marker_poses

ENTRY = {"marker_id": 197, "position_mm": [100, 20, 3.5], "normal": [0, 0, 1], "num_cameras": 3}
IN_METRES = {"marker_id": 121, "position_m": [0.1, 0.02, 0.0035], "normal": [0, 1, 0], "num_cameras": 1}


def written(folder: Path, document: Any) -> Path:
    path = folder / "aruco_marker_poses.json"
    path.write_text(json.dumps(document))
    return path


@pytest.mark.parametrize(
    "document",
    [
        [ENTRY, IN_METRES],
        {"markers": [ENTRY, IN_METRES], "board": {}},
        {"marker_poses": [ENTRY, IN_METRES]},
        {"197": ENTRY, "121": {k: v for k, v in IN_METRES.items() if k != "marker_id"}},
    ],
)
def test_every_form_gives_the_same_poses(tmp_path: Path, document: Any) -> None:
    poses = read_marker_poses(written(tmp_path, document))
    assert [(pose.id, pose.num_cameras) for pose in poses] == [(197, 3), (121, 1)]
    for pose in poses:
        np.testing.assert_allclose(pose.position_m, [0.1, 0.02, 0.0035])


def test_what_is_written_is_read_again(tmp_path: Path) -> None:
    poses = read_marker_poses(written(tmp_path, [ENTRY, IN_METRES]))
    again = read_marker_poses(written(tmp_path, marker_poses_json(poses)))
    assert [(p.id, p.num_cameras) for p in again] == [(p.id, p.num_cameras) for p in poses]
    np.testing.assert_allclose([p.position_m for p in again], [p.position_m for p in poses])


@pytest.mark.parametrize(
    ("entry", "message"),
    [
        ({"position_mm": [1, 2, 3], "normal": [0, 0, 1]}, "entry 0: marker_id is None; expected a number"),
        ({"marker_id": 7, "normal": [0, 0, 1]}, "entry 0 (marker 7): neither position_mm nor position_m"),
        ({"marker_id": 7, "position_m": [100, 20, 3], "normal": [0, 0, 1]},
         "are these millimetres?"),
        ({"marker_id": 7, "position_mm": [1, 2], "normal": [0, 0, 1]},
         "(marker 7): position_mm is [1, 2]; expected three numbers"),
        ({"marker_id": 7, "position_mm": [1, 2, 3], "normal": [0, 0, 2]},
         "normal of length 2; expected a unit vector within 1 %"),
        ({"marker_id": 7, "position_mm": [1, 2, 3]}, "(marker 7): normal is null; expected three numbers"),
        ({"marker_id": 7, "position_mm": [1, 2, 3], "normal": [0, 0, 1], "num_cameras": 0},
         "num_cameras is 0; expected 1 or more"),
        (3, "entry 0: expected marker_id"),
    ],
)  # fmt: skip
def test_what_is_no_pose_is_refused_by_its_place(tmp_path: Path, entry: Any, message: str) -> None:
    path = written(tmp_path, [entry])
    with pytest.raises(BadInput) as refusal:
        read_marker_poses(path)
    assert str(refusal.value).startswith(f"{path}: ")
    assert message in str(refusal.value)


def test_doubled_ids_missing_files_and_other_files_are_refused(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="marker 197 is there twice; expected each id once"):
        read_marker_poses(written(tmp_path, [ENTRY, ENTRY]))
    with pytest.raises(BadInput, match="no such file; expected an aruco_marker_poses"):
        read_marker_poses(tmp_path / "none.json")
    with pytest.raises(BadInput, match="expected a list of marker poses"):
        read_marker_poses(written(tmp_path, 7))
    broken = tmp_path / "broken.json"
    broken.write_text("{")
    with pytest.raises(BadInput, match="not readable as JSON"):
        read_marker_poses(broken)
