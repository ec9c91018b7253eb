"""An arm's axes come from readings and seen poses, without a guess, or the readings are refused."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lib.errors import BadInput, CheckFailed
from lib.homing.calibrate import Pose, Reading, calibrate_arm, read_readings
from lib.homing.calibrate.turning_chain import TurningChain
from lib.homing.rotations import quaternion_of, rotation_of, vector_of

CHAIN = TurningChain(
    axes=np.array([[0.0, 1, 0], [0.6, 0, 0.8]]),
    points_m=np.array([[0.1, 0, 0.3], [0.0, 0.2, 0.0]]),
    rotation=rotation_of(np.array([0.3, -0.7, 1.1])),
    place_m=np.array([0.4, -0.3, 0.5]),
)


def readings(count: int, noise_mm: float, noise_deg: float, seed: int = 0) -> list[Reading]:
    random = np.random.default_rng(seed)
    joints = random.uniform(-1, 1, (count, 2))
    rotations, places = CHAIN.poses(joints)
    turns = rotation_of(np.radians(noise_deg) * random.normal(size=(count, 3)))
    places = places + 1e-3 * noise_mm * random.normal(size=(count, 3))
    return [
        Reading(q, Pose(turn @ r, p)) for q, turn, r, p in zip(joints, turns, rotations, places, strict=True)
    ]


def test_exact_readings_give_the_exact_axes() -> None:
    found = calibrate_arm(readings(40, 0.0, 0.0)).chain
    for axis, point, true_axis, true_point in zip(
        found.axes, found.points_m, CHAIN.axes, CHAIN.points_m, strict=True
    ):
        assert float(axis @ true_axis) == pytest.approx(1.0, abs=1e-12)
        off = point - true_point
        np.testing.assert_allclose(off - (off @ axis) * axis, 0, atol=1e-9)


def test_the_slopes_are_what_finite_differences_measure() -> None:
    joints = np.random.default_rng(2).uniform(-3, 3, (5, 2))
    turning, shifting = CHAIN.slopes(joints)
    rotations, places = CHAIN.poses(joints)
    for k, step in enumerate(1e-6 * np.eye(CHAIN.unknowns)):
        turned, moved = CHAIN.changed(step).poses(joints)
        np.testing.assert_allclose(shifting[:, :, k], (moved - places) / 1e-6, atol=1e-5)
        turn = [vector_of(a @ b.T) for a, b in zip(turned, rotations, strict=True)]
        np.testing.assert_allclose(turning[:, :, k], np.array(turn) / 1e-6, atol=1e-5)


def test_the_held_out_half_is_foretold_within_the_noise() -> None:
    found = calibrate_arm(readings(120, 0.2, 0.05, seed=1))
    assert found.held_out_deg.mean() < 0.05
    np.testing.assert_allclose(1000 * found.deviations[:3], 0.2, rtol=0.3)
    np.testing.assert_allclose(np.degrees(found.deviations[3:]), 0.05, rtol=0.3)


def test_a_joint_that_rests_and_too_few_readings_are_refused() -> None:
    still = [Reading(np.array([r.joints_rad[0], 0.1]), r.seen) for r in readings(30, 0, 0)]
    with pytest.raises(CheckFailed, match="joint 2 hardly moves in the readings"):
        calibrate_arm(still)
    with pytest.raises(CheckFailed, match="15 readings of 2 joints; expected at least 16"):
        calibrate_arm(readings(15, 0, 0))
    with pytest.raises(CheckFailed, match="0 readings"):
        calibrate_arm([])


def test_readings_of_no_chain_are_refused() -> None:
    made = readings(24, 0, 0)
    mixed = [Reading(a.joints_rad, b.seen) for a, b in zip(made, made[::-1], strict=True)]
    with pytest.raises(CheckFailed, match="no chain of 2 turning joints explains the readings"):
        calibrate_arm(mixed)


def entry(reading: Reading) -> dict[str, Any]:
    q = quaternion_of(reading.seen.rotation)
    pose = dict(zip("xyz", reading.seen.place_m.tolist(), strict=True))
    return {
        "pose": {**pose, **dict(zip(("qw", "qx", "qy", "qz"), q.tolist(), strict=True))},
        "target_joints": reading.joints_rad.tolist(),
    }


def test_readings_come_from_a_file_in_radians_or_degrees(tmp_path: Path) -> None:
    (one,) = readings(1, 0, 0)
    in_degrees = {"pose": entry(one)["pose"], "joints_deg": np.degrees(one.joints_rad).tolist()}
    (tmp_path / "readings.json").write_text(json.dumps([entry(one), in_degrees]))
    for read in read_readings(tmp_path / "readings.json"):
        np.testing.assert_allclose(read.joints_rad, one.joints_rad)
        np.testing.assert_allclose(read.seen.rotation, one.seen.rotation, atol=1e-12)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda e: e.pop("pose"), "reading 0: expected pose and target_joints"),
        (lambda e: e.pop("target_joints"), "no target_joints, joints_rad, joints_deg; expected one"),
        (lambda e: e.update(target_joints=[30.0, 60.0]), "expected radians, these look like degrees"),
        (lambda e: e.update(target_joints=["a", 0]), "target_joints is ['a', 0]; expected numbers"),
        (lambda e: e.update(target_joints=[]), "expected numbers"),
        (lambda e: e["pose"].update(qw=3.0), "expected 1 within 1 %"),
        (lambda e: e["pose"].update(x=400.0), "expected metres, are these millimetres?"),
        (lambda e: e["pose"].pop("qz"), "qz missing; expected x, y, z, qw, qx, qy, qz"),
        (lambda e: e["pose"].update(y=True), "y is True; expected a number"),
    ],
)
def test_a_reading_that_cannot_be_is_refused(tmp_path: Path, change: Any, message: str) -> None:
    made = entry(readings(1, 0, 0)[0])
    change(made)
    file = tmp_path / "readings.json"
    file.write_text(json.dumps([made]))
    with pytest.raises(BadInput) as refusal:
        read_readings(file)
    assert str(refusal.value).startswith(f"{file}: reading 0")
    assert message in str(refusal.value)


def test_a_file_that_is_no_yaml_is_refused_in_one_line(tmp_path: Path) -> None:
    file = tmp_path / "readings.yaml"
    file.write_text("a: [1, 2\nb: {")
    with pytest.raises(BadInput, match="not readable") as refusal:
        read_readings(file)
    assert "\n" not in str(refusal.value)
    file.write_text("3")
    with pytest.raises(BadInput, match="expected readings, each with pose and target_joints"):
        read_readings(file)
