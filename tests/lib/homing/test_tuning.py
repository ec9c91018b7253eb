"""Settings are ranked by what they foretell of markers they were not shown."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.errors import CheckFailed
from lib.homing.marker_pose import MarkerPose, marker_poses
from lib.homing.tuning import tune
from lib.robot import load_machine
from tests.lib.homing.marker_methods.test_estimators import poses_at
from tests.lib.homing.scenes import scene

MACHINE = load_machine("rail7")


def disturbed(seed: int, position_mm: float, normal: float) -> list[MarkerPose]:
    random = np.random.default_rng(seed)
    made = []
    for pose in poses_at(scene(MACHINE, seed).values):
        leant = pose.normal + normal * random.normal(size=3)
        place = pose.position_m + 1e-3 * position_mm * random.normal(size=3)
        made.append(replace(pose, position_m=place, normal=leant / np.linalg.norm(leant)))
    return made


def test_bad_normals_call_for_little_weight_and_good_ones_for_much() -> None:
    grid = ((4.0, 8.0), (0.0, 30.0, 300.0))
    bad_normals = tune(MACHINE, [disturbed(0, 0.3, 0.3)], *grid)
    good_normals = tune(MACHINE, [disturbed(1, 3.0, 0.002)], *grid)
    assert bad_normals[0].normal_weight < 30
    assert good_normals[0].normal_weight >= 100
    assert len(bad_normals) == 6
    assert [row.rms_mm for row in bad_normals] == sorted(row.rms_mm for row in bad_normals)


def test_too_few_markers_tell_nothing() -> None:
    one = scene(MACHINE, 1)
    few = marker_poses(MACHINE, one.cameras, one.views)[:3]
    with pytest.raises(CheckFailed, match=r"1 captures foretell \d markers; expected 10 or more"):
        tune(MACHINE, [few])
