"""The twelve variants: planned by the robot's reach, checked by the gate, infeasible with the rule."""

from __future__ import annotations

import csv
import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lib.arm import GateContext, gate_context
from lib.errors import BadInput
from lib.motion import (
    FRAMES_PER_S,
    PlannedVariant,
    Variant,
    plan_variant,
    published_variant,
    tool_frames,
    variant_named,
    variants,
    write_variant,
)
from lib.settings import Settings
from lib.settings_motion import Approach
from tests.lib.motion.published import SEQUENCE

SETTINGS = Settings()
MOTION = SETTINGS.motion


@pytest.fixture(scope="module")
def gate() -> GateContext:
    return gate_context(SETTINGS)


@pytest.fixture(scope="module")
def planned(gate: GateContext) -> dict[str, PlannedVariant]:
    return {variant.name: plan_variant(variant, SETTINGS, gate) for variant in variants(MOTION)}


def test_four_approaches_at_three_speeds_are_twelve_variants_all_feasible(
    planned: dict[str, PlannedVariant],
) -> None:
    approaches, speeds = ("standard", "high", "low", "side"), ("slow", "normal", "fast")
    assert list(planned) == [f"{approach}-{speed}" for approach in approaches for speed in speeds]
    assert {name: item.feasibility.says for name, item in planned.items() if not item.feasibility.ok} == {}


def test_every_variant_passes_the_published_poses_at_the_end_of_its_moves(
    planned: dict[str, PlannedVariant],
) -> None:
    for item in planned.values():
        assert item.plan is not None
        ends = {phase.state.value: phase.targets_deg[-1] for phase in item.plan.phases}
        assert ends["MOVING_TO_CUP"] == pytest.approx(SEQUENCE.to_cup_deg, abs=1e-9)
        assert ends["LOWERING"] == pytest.approx(SEQUENCE.lowered_deg, abs=1e-9)
        assert ends["RETURNING_HOME"] == pytest.approx(np.zeros(6), abs=1e-9)


def test_approaches_come_from_the_front_from_above_and_from_the_side(
    planned: dict[str, PlannedVariant], gate: GateContext
) -> None:
    for name, heights_mm, forward_mm in (
        ("standard-slow", (0, 14), (5, 40)),
        ("high-slow", (50, 90), (-12, 12)),
    ):
        item = planned[name]
        assert item.plan is not None
        phase = item.plan.phases[0]
        axes, tips_m = tool_frames(gate.robot, phase.targets_deg)
        left_m = 1e3 * (
            tips_m[-1] - tips_m[len(tips_m) * 3 // 4]
        )  # what is left of the way, at three quarters
        assert heights_mm[0] <= -left_m[1] <= heights_mm[1], name
        assert forward_mm[0] <= left_m @ axes[-1][:, 2] <= forward_mm[1], name
    side, front = (planned[name].plan for name in ("side-slow", "standard-slow"))
    assert side is not None and front is not None
    aside_m = []
    for plan in (side, front):
        axes, tips_m = tool_frames(gate.robot, plan.phases[0].targets_deg)
        low = tips_m[:, 1] - tips_m[-1, 1] < 0.03
        aside_m.append(np.abs((tips_m[low] - tips_m[-1]) @ axes[-1][:, 0]).max())
    assert aside_m[0] > 0.1
    assert aside_m[1] < 0.03


def test_high_carries_the_cup_higher_and_low_lower_than_the_published_poses(
    planned: dict[str, PlannedVariant], gate: GateContext
) -> None:
    heights_m = {}
    for name in ("standard-normal", "high-normal", "low-normal"):
        item = planned[name]
        assert item.plan is not None
        carrying = item.plan.states == "MOVING_TO_PLACE"
        _, tips_m = tool_frames(gate.robot, item.plan.targets_deg[carrying])
        heights_m[name] = tips_m[[0, -1], 1]
    assert heights_m["high-normal"] - heights_m["standard-normal"] == pytest.approx([0.040, 0.040], abs=2e-4)
    assert heights_m["low-normal"] - heights_m["standard-normal"] == pytest.approx([-0.045, -0.045], abs=2e-4)


def test_before_the_fingers_open_the_cup_is_put_down_by_the_setting(
    planned: dict[str, PlannedVariant], gate: GateContext
) -> None:
    item = planned["standard-slow"]
    assert item.plan is not None
    lowered = np.flatnonzero(item.plan.states == "LOWERING")[-1]
    _, tips_m = tool_frames(gate.robot, item.plan.targets_deg[[lowered, item.plan.release_frame]])
    assert tips_m[0] - tips_m[1] == pytest.approx([0.0, MOTION.sequence.put_down_m, 0.0], abs=2e-4)


def test_any_number_of_approaches_and_speeds_by_configuration() -> None:
    motion = replace(
        MOTION, approaches=type(MOTION.approaches)({"round": Approach(side_m=-0.03, back_m=0.04)}),
        speeds_s=type(MOTION.speeds_s)({f"s{number}": 1.0 + number for number in range(7)}),
    )  # fmt: skip
    assert [variant.name for variant in variants(motion)] == [f"round-s{number}" for number in range(7)]


@pytest.mark.parametrize(
    ("approach", "move_s", "rule", "says"),
    [
        (Approach(up_m=0.45), 3.0, "reach", "waypoint before the cup: the nearest pose within"),
        (Approach(back_m=0.04, carry_m=0.3), 3.0, "reach", "lifted: the nearest pose"),
        (Approach(back_m=0.04), 0.6, "joint speed", r"j\d \(J\d\) would turn at \d+ deg/s; the arm does 150"),
        (Approach(up_m=-0.02, back_m=0.04), 3.0, "keep-out", "mm inside the box wall right at"),
        (Approach(up_m=0.02, back_m=0.1), 3.0, "safe range", r"j4 \(J5\) = -9\d"),
    ],
)  # fmt: skip
def test_an_infeasible_variant_comes_with_the_rule_and_the_numbers(
    gate: GateContext, approach: Approach, move_s: float, rule: str, says: str
) -> None:
    found = plan_variant(Variant("odd", "odd", approach, move_s), SETTINGS, gate).feasibility
    assert (found.ok, found.rule) == (False, rule)
    assert re.search(says, found.says)
    assert found.numbers


def test_a_variant_that_would_drive_the_cup_into_the_stand_is_infeasible_though_the_arm_is_clear(
    gate: GateContext,
) -> None:
    deeper = replace(SETTINGS, motion=replace(MOTION, sequence=replace(SEQUENCE, put_down_m=0.022)))
    found = plan_variant(variant_named(MOTION, "high-normal"), deeper, gate).feasibility
    assert (found.ok, found.rule) == (False, "cup")
    assert re.fullmatch(r"the carried cup would be \d\.\d mm inside the stand in PLACING", found.says)


def test_the_published_sequence_comes_from_the_front_in_its_own_time(gate: GateContext) -> None:
    item = plan_variant(published_variant(MOTION), SETTINGS, gate)
    assert item.feasibility.ok and item.plan is not None
    assert [move.duration_s for move in item.plan.moves] == [2.0, 2.0, 2.0, 3.0, 0.5, 2.0]
    assert variant_named(MOTION, "standard-published") == item.variant


def test_an_unknown_name_lists_the_names() -> None:
    assert variant_named(MOTION, "low-fast").move_s == 1.5
    with pytest.raises(BadInput, match='"lo-fast": no such variant; expected standard-slow, '):
        variant_named(MOTION, "lo-fast")


def test_a_variants_file_holds_time_frame_state_and_six_targets(
    planned: dict[str, PlannedVariant], tmp_path: Path
) -> None:
    item = planned["low-fast"]
    assert item.plan is not None
    with write_variant(tmp_path / "low-fast.csv", item.plan).open() as file:
        rows = list(csv.DictReader(file))
    assert list(rows[0]) == ["time", "frameIndex", "state", "j0", "j1", "j2", "j3", "j4", "j5"]
    assert len(rows) == item.plan.frames
    assert [row["frameIndex"] for row in rows[:75]] == [str(i) for i in range(75)]
    assert [float(rows[74][f"j{j}"]) for j in range(6)] == pytest.approx(SEQUENCE.to_cup_deg, abs=1e-6)
    assert [float(row["time"]) for row in rows[:3]] == [0.0, 1 / FRAMES_PER_S, 2 / FRAMES_PER_S]
