"""A known arm's offsets and origins come out of readings, and what they do not tell is null."""

from __future__ import annotations

from dataclasses import replace
from functools import cache

import numpy as np
import pytest

from lib.errors import CheckFailed
from lib.homing.calibrate import Pose, Reading, RobotCalibration, calibrate_robot
from lib.homing.rotations import rotation_of
from lib.robot import Tree, load_machine, tree_frames

MACHINE = load_machine("mecharm270")
OFFSETS_DEG = np.array([0.8, -0.6, 0.9, -0.7, 0.5, -0.4])
BASE = Pose(rotation_of(np.array([0.1, -0.2, 2.0])), np.array([0.7, -0.3, 0.4]))
TARGET = Pose(rotation_of(np.array([0.4, 0.1, -0.3])), np.array([0.01, 0.02, 0.09]))
MOVED_M = np.array([0.0, -0.0015, 0.0008])


def readings(count: int, noise_mm: float = 0.05, noise_deg: float = 0.02, seed: int = 0) -> list[Reading]:
    random = np.random.default_rng(seed)
    link = MACHINE.links[MACHINE.link_index("link3")]
    assert link.joint is not None
    machine = MACHINE.with_origin("link3", link.joint.origin_m + MOVED_M)
    low, high = 0.6 * np.array([(v.low, v.high) for v in machine.variables]).T
    joints = low + (high - low) * random.random((count, 6))
    frames = tree_frames(Tree.of(machine), joints + np.radians(OFFSETS_DEG))
    made = []
    for q, turn, place in zip(joints, frames.rotations[:, -1], frames.places_m[:, -1], strict=True):
        seen = BASE @ Pose(turn, place) @ TARGET
        noisy = rotation_of(np.radians(noise_deg) * random.normal(size=3)) @ seen.rotation
        made.append(Reading(q, Pose(noisy, seen.place_m + 1e-3 * noise_mm * random.normal(size=3))))
    return made


@cache
def calibrated() -> RobotCalibration:
    return calibrate_robot(MACHINE, readings(60))


def test_offsets_and_a_moved_origin_are_found_within_their_deviations() -> None:
    found = calibrated()
    off = np.degrees(found.offsets) - OFFSETS_DEG
    told = np.isfinite(found.offset_deviations)
    assert told.tolist() == [False, True, True, True, True, False]
    assert (np.abs(off[told]) < 4 * np.degrees(found.offset_deviations[told])).all()
    # Of parallel axes, as the shoulder's and elbow's, a millimetre of the next origin is half a degree.
    assert np.degrees(found.offset_deviations[[3, 4]]).max() < 0.01
    assert np.degrees(found.offset_deviations[[1, 2]]).max() < 0.6
    place = [MACHINE.links[link].name for link in found.links].index("link3")
    deviations = found.shift_deviations_m[place]
    assert np.isfinite(deviations).tolist() == [False, True, False]
    assert 1000 * found.shifts_m[place, 1] == pytest.approx(1000 * MOVED_M[1], abs=4000 * deviations[1])
    assert 1000 * deviations[1] < 0.02
    assert found.before_mm > 1.0
    assert found.off_mm.mean() < 0.12
    assert found.held_out_mm.mean() < 0.15


@pytest.mark.slow
def test_the_deviations_are_what_it_is_off_by() -> None:
    squared = []
    for seed in range(6):
        found = calibrate_robot(MACHINE, readings(60, seed=seed))
        off = (found.offsets - np.radians(OFFSETS_DEG)) / found.offset_deviations
        squared += (off[[3, 4]] ** 2).tolist()
    assert 0.3 < np.mean(squared) < 2.3


def test_what_the_data_do_not_tell_is_null() -> None:
    told = calibrated().as_json()
    offsets, origins = told["offsets"], told["origins"]
    assert isinstance(offsets, dict)
    assert isinstance(origins, dict)
    assert offsets["j0"] == {"value": None, "std": None, "unit": "deg"}  # a turn of the base
    assert offsets["j5"]["value"] is None  # a turn of the target
    assert offsets["j2"]["value"] == pytest.approx(0.9, abs=0.1)
    assert origins["link1"]["shift_mm"] == [None, None, None]  # a shift of the base


def test_readings_of_another_arm_and_too_few_are_refused() -> None:
    made = readings(40)
    with pytest.raises(CheckFailed, match="readings of 2 joints; mecharm270 has 6 variables"):
        calibrate_robot(MACHINE, [replace(r, joints_rad=r.joints_rad[:2]) for r in made])
    with pytest.raises(CheckFailed, match="12 readings; expected at least 24"):
        calibrate_robot(MACHINE, made[:12])
