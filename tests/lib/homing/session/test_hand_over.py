"""What was not seen never reaches an arm, and no batch starts on it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.arm import GateRefused, connect
from lib.homing.marker_pose import marker_poses
from lib.homing.session import HomingRun, compare_offsets, hand_over, run_homing
from lib.robot import load_machine, load_robot
from tests.lib.arm.conftest import Bench, making_benches
from tests.lib.homing.scenes import Conditions, scene

MACHINE = load_machine("mecharm270")
ROBOT = load_robot("mecharm270")
OFFSETS_DEG = (0.5, -0.3, 0.2, 0.0, 0.8, -0.6)
NEAR = [0.0, 5.0, 0.0, 0.0, 0.0, 0.0]


@pytest.fixture
def bench(tmp_path: Path) -> Iterator[Bench]:
    with making_benches(tmp_path) as make:
        yield make()


def homed(bench: Bench, hidden: str | None = None, last: dict[str, float] | None = None) -> HomingRun:
    """Home by exact marker poses, perhaps without a link's, the encoders off by known offsets."""
    values = np.radians([20.0, 30.0, -15.0, 20.0, -45.0, 40.0])
    one = scene(MACHINE, 1, Conditions(noise_px=0.02, dropped=0.0, distance_m=0.8), values=values)
    poses = tuple(
        p
        for p in marker_poses(MACHINE, one.cameras, one.views)
        if p.num_cameras > 1 and MACHINE.links[MACHINE.carrier[p.id]].name != hidden
    )
    run = run_homing(bench.settings, replace(MACHINE, cameras=()), poses)
    encoders = np.degrees(values) - OFFSETS_DEG
    offsets = compare_offsets(run.homing.movements, encoders.tolist(), last or {}, 1.5)
    return replace(run, offsets=offsets)


def test_a_joint_that_was_not_seen_keeps_the_arm_unhomed_and_a_batch_from_starting(bench: Bench) -> None:
    run = homed(bench, hidden="link6")
    assert run.homing.state["j5"] is None
    with connect(bench.settings, ROBOT) as arm:
        told = hand_over(arm, run)
        assert told.offsets_deg is None
        assert told.refusal == (
            f"{run.homing_id}: the arm stays as it is, nothing was sent to it: j5 not seen surely enough"
        )
        assert not arm.homed
        with pytest.raises(GateRefused, match="a batch needs a homing since the arm's power-on"):
            arm.move(NEAR, 20, in_batch=True)
    assert bench.motions_asked() == []


def test_sure_offsets_let_a_batch_start_and_are_taken_off_what_is_sent(bench: Bench) -> None:
    run = homed(bench)
    with connect(bench.settings, ROBOT) as arm:
        told = hand_over(arm, run)
        assert told.offsets_deg == pytest.approx(OFFSETS_DEG, abs=0.1)
        moved = arm.move(NEAR, 20, in_batch=True)
    assert told.offsets_deg is not None
    assert bench.encoders_deg() == pytest.approx(np.array(NEAR) - told.offsets_deg, abs=0.3)
    assert moved.reached_deg == pytest.approx(NEAR, abs=0.5)


def test_a_homing_that_saw_too_little_leaves_the_earlier_one_and_a_jump_takes_it_back(bench: Bench) -> None:
    with connect(bench.settings, ROBOT) as arm:
        hand_over(arm, homed(bench))
        hand_over(arm, homed(bench, hidden="link6"))
        assert arm.homed
        jumped = hand_over(arm, homed(bench, last={"j4": -2.0}))
        assert jumped.refusal is not None
        assert "the arm counts as not homed: j4: its offset went from -2.00 to 0.8" in jumped.refusal
        assert not arm.homed
        with pytest.raises(GateRefused, match="a batch needs a homing"):
            arm.move(NEAR, 20, in_batch=True)
    with connect(bench.settings, ROBOT) as again:  # and the next process knows it too
        again.prepare()
        assert not again.homed
