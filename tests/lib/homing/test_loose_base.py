"""A base that stands beside where the board says is found, and told apart from the joints."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lib.homing import home
from lib.homing.loose_base import loose_base
from lib.robot import Machine, PoseEstimation, load_machine
from tests.lib.homing.scenes import Conditions, Scene, scene

RAIL7 = load_machine("rail7")
BENCH = replace(load_machine("mecharm270"), pose_estimation=PoseEstimation(base_slack_mm=10.0))


def shifted(machine: Machine, seed: int, shift_mm: tuple[float, float, float]) -> tuple[np.ndarray, Scene]:
    loose = loose_base(machine)
    random = np.random.default_rng(seed)
    joints = np.array([random.uniform(v.low, v.high) for v in machine.variables])
    values = np.concatenate([1e-3 * np.array(shift_mm), joints])
    return joints, scene(loose, seed, Conditions(distance_m=0.8, dropped=0.0), values=values)


def test_without_slack_the_machine_stays_as_it_is() -> None:
    assert loose_base(RAIL7) is RAIL7


def test_the_slides_carry_everything_but_the_board() -> None:
    loose = loose_base(BENCH)
    assert [v.name for v in loose.variables][:4] == ["base x", "base y", "base z", "j0"]
    assert loose.board == BENCH.board
    assert loose.depends[1:, 0].all()
    assert set(loose.carrier) == set(BENCH.carrier)


def test_a_shifted_base_is_found_and_the_joints_are_right() -> None:
    for seed, shift_mm in enumerate([(5.0, -2.0, 1.0), (-3.0, 4.0, -2.0), (0.0, 0.0, 0.0)]):
        joints, one = shifted(BENCH, seed, shift_mm)
        found = home(BENCH, {c.name: c.lens for c in one.cameras}, one.views)
        assert [m.name for m in found.movements] == ["j0", "j1", "j2", "j3", "j4", "j5"]
        for m, true in zip(found.movements, np.degrees(joints), strict=True):
            assert m.value is not None
            assert m.std is not None
            assert abs((m.value - true + 180) % 360 - 180) < 5 * m.std
        for m, true in zip(found.base_shift, shift_mm, strict=True):
            assert m.value is not None
            assert m.std is not None
            assert abs(m.value - true) < 5 * m.std
        assert list(found.state) == ["j0", "j1", "j2", "j3", "j4", "j5"]
        document = found.as_json()["base_shift"]
        assert isinstance(document, dict)
        assert list(document) == ["base x", "base y", "base z"]


def test_progress_tells_of_joints_only_and_seeds_keep_their_names() -> None:
    joints, one = shifted(BENCH, 3, (2.0, 2.0, 2.0))
    told: list[str] = []
    lenses = {c.name: c.lens for c in one.cameras}
    cold = home(BENCH, lenses, one.views, progress=lambda j: told.append(j.name))
    assert told == ["j0", "j1", "j2", "j3", "j4", "j5"]
    seeded = home(BENCH, lenses, one.views, seed={1: float(joints[1])})
    for ours, theirs in zip(seeded.movements, cold.movements, strict=True):
        assert ours.value == pytest.approx(theirs.value, abs=1e-4)
