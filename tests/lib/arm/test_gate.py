"""The gate refuses by name, sends nothing of what it refuses, and nobody else can send."""

from __future__ import annotations

import math
import time
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from lib.arm import GateRefused, Verdict, gate_context
from lib.arm.gate import GateState, Grip, Move, Release, judged, through_the_gate
from lib.arm.since_power_on import NO_OFFSETS
from lib.arm.target import on_the_wire
from lib.arm.vendor import Opened, open_serial
from lib.lookup.result import LookupResult
from lib.settings import Settings
from tests.lib.arm.conftest import Bench, making_benches
from tests.lib.arm.test_path_check import PUBLISHED

HOME = [0.0] * 6
CUP = list(PUBLISHED["cup"])


@dataclass
class Line:
    """The real library on an emulated arm, and the frames that it has sent since last asked."""

    opened: Opened
    bench: Bench
    seen: int = 0

    @property
    def api(self) -> Any:
        return self.opened.api

    def sent(self) -> list[str]:
        self.opened.buffer.take()
        frames = self.bench.ask("log")["asked"]
        new, self.seen = frames[self.seen :], len(frames)
        return list(new)


@pytest.fixture(scope="module")
def line(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Line]:
    with making_benches(tmp_path_factory.mktemp("gate")) as make:
        bench = make(powered=True)
        opened = open_serial(str(bench.settings.arm.port), 115200)
        yield Line(opened, bench)
        opened.close()


CONTEXT = gate_context(Settings())


def state(**more: Any) -> GateState:
    return replace(
        GateState(
            context=CONTEXT,
            start_deg=tuple(HOME),  # type: ignore[arg-type]
            found_deg=tuple(HOME),  # type: ignore[arg-type]
            homed=True,
            envelope_deg=20.0,
            envelope_height_m=0.05,
            offsets_deg=NO_OFFSETS,
            refused=lambda verdict, request: None,
            passed=lambda start, target: None,
        ),
        **more,
    )


REFUSED_VALUES = {
    "a NumPy array": (np.array(CUP), "type"),
    "a NumPy number among them": ([np.float64(40), 82.0, -36.0, 0.0, -50.0, 0.0], "type"),
    "a NumPy whole number": ([np.int64(40), 82, -36, 0, -50, 0], "type"),
    "text": ("40 82 -36 0 -50 0", "type"),
    "a bool": ([True, 82.0, -36.0, 0.0, -50.0, 0.0], "type"),
    "None": ([None, 82.0, -36.0, 0.0, -50.0, 0.0], "type"),
    "nothing": (None, "type"),
    "five": (CUP[:5], "length"),
    "seven": ([*CUP, 0.0], "length"),
    "not a number": ([40.0, math.nan, -36.0, 0.0, -50.0, 0.0], "finite"),
    "infinite": ([40.0, 82.0, -36.0, 0.0, -math.inf, 0.0], "finite"),
    "radians": (np.radians(CUP).tolist(), "radians"),
    "one right angle in radians": ([0.0, 0.0, 1.57, 0.0, 0.0, 0.0], "radians"),
    "half of one": ([math.pi / 4, 0.0, 0.0, 0.0, 0.0, 0.0], "radians"),
    "20, 33, -15, 0, -25 and 10 degrees in radians": ([0.349, 0.576, -0.262, 0, -0.436, 0.175], "radians"),
    "rounded radians": ([round(value, 2) for value in np.radians(CUP).tolist()], "radians"),
    "hundredths": ([value * 100 for value in CUP], "limits"),
    "a failed reading": ([-1000.0] * 6, "limits"),
    "a constant reading": ([180.08] * 6, "limits"),
}


@pytest.mark.parametrize("name", REFUSED_VALUES)
def test_a_target_that_is_no_six_angles_is_refused_by_name_and_nothing_sent(name: str, line: Line) -> None:
    target, rule = REFUSED_VALUES[name]
    told: list[tuple[Verdict, object]] = []
    line.sent()
    with pytest.raises(GateRefused) as refusal:
        through_the_gate(line.api, state(refused=lambda *refused: told.append(refused)), Move(target, 40))
    assert refusal.value.verdict.rule == rule
    assert f"refused ({rule})" in str(refusal.value)
    assert refusal.value.exit_code == 3
    assert line.sent() == []
    assert [verdict.rule for verdict, _ in told] == [rule]


@pytest.mark.parametrize("unit", ["place", "pick", "cup", "lift", "above", "lowered"])
def test_every_published_pose_in_radians_is_noticed_also_from_the_zero_pose(unit: str) -> None:
    radians = [math.radians(value) for value in PUBLISHED[unit]]
    assert judged(state(), Move(radians, 40)).rule == "radians"


@pytest.mark.parametrize(
    "target", [[5.0, 0, 0, 0, 0, 0], [1, 2, 3, 0, 0, 0], [0.5, -0.5, 1.5, 0, 0, 2.2], HOME]
)
def test_a_small_move_in_degrees_is_not_taken_for_radians(target: list[float]) -> None:
    assert judged(state(), Move(target, 40)).ok


def test_a_reading_near_the_zero_pose_may_be_sent_back() -> None:
    near = (0.08, -0.17, 0.26, -0.08, 0.35, 0.17)
    assert judged(state(start_deg=near), Move(list(near), 40)).ok
    one_farther = [near[0] + 1.0, *near[1:]]
    assert judged(state(start_deg=near), Move(one_farther, 40)).ok


@pytest.mark.parametrize("speed", [0, 101, -5, 40.0, "40", True, None, np.int64(40), math.nan])
def test_a_speed_is_a_python_int_from_1_to_100(speed: Any) -> None:
    assert judged(state(), Move(CUP, speed)).rule == "speed"


def test_what_passes_is_sent_once_by_its_bytes_and_no_answer_waited_for(line: Line) -> None:
    line.sent()
    sent = through_the_gate(line.api, state(), Move((40, 82, -36, 0, -50, 0), 40))
    assert sent == CUP
    assert type(sent) is list
    time.sleep(0.05)
    assert line.sent() == ["fe fe 0f 22 0f a0 20 08 f1 f0 00 00 ec 78 00 00 28 fa"]


def test_every_hundredth_of_a_degree_survives_the_library_s_truncation() -> None:
    hundredths = np.arange(-18000, 18001)
    for start in range(0, len(hundredths), 6):
        wanted = hundredths[start : start + 6]
        sent = on_the_wire([float(value) for value in wanted / 100])
        assert [int(value * 100) for value in sent] == wanted.tolist()


def test_j4_outside_its_safe_range_is_refused_inside_the_limits() -> None:
    verdict = judged(state(), Move([0, 0, 0, 0, -90.01, 0], 40))
    assert (verdict.rule, verdict.numbers["value_deg"]) == ("safe range", -90.01)
    assert judged(state(), Move([0, 0, 0, 0, -90, 0], 40)).ok


def test_a_path_through_a_keep_out_volume_is_refused_though_its_target_is_clear() -> None:
    start = (0.0, 40.0, 25.0, 0.0, -60.0, 0.0)
    verdict = judged(state(start_deg=start), Move([0.0, 15.0, 20.0, 0.0, 60.0, 0.0], 40))
    assert verdict.rule == "keep-out"
    assert judged(state(), Move([0.0, 15.0, 20.0, 0.0, 60.0, 0.0], 40)).ok


def test_a_lookup_s_target_goes_only_if_it_is_sendable() -> None:
    row = LookupResult("table", fk_row=7, joints_deg=tuple(CUP), sendable=True)
    assert judged(state(), Move(CUP, 40, lookup=row)).ok
    refused = judged(state(), Move(CUP, 40, lookup=replace(row, sendable=False)))
    assert refused.rule == "sendable"
    assert "no candidate has its j4 in the safe range" in refused.says


class TestWithoutAHoming:
    """An arm that only its own encoders vouch for."""

    unhomed = state(homed=False)

    def test_slow_and_near_is_allowed(self) -> None:
        assert judged(self.unhomed, Move([20.0, -20.0, 15.0, 0.0, -10.0, 20.0], 20)).ok

    def test_faster_than_20_is_refused(self) -> None:
        verdict = judged(self.unhomed, Move([5.0, 0, 0, 0, 0, 0], 21))
        assert (verdict.rule, verdict.numbers) == ("homing", {"speed": 21, "at_most": 20})

    def test_farther_than_20_degrees_from_where_it_was_found_is_refused(self) -> None:
        verdict = judged(self.unhomed, Move([0, 0, 0, 0, 0, 20.5], 20))
        assert (verdict.rule, verdict.numbers["joint"]) == ("homing", 5)
        # Also by a second step from where the first one led.
        there = replace(self.unhomed, start_deg=(0.0, 0.0, 0.0, 0.0, 0.0, 19.0))
        assert judged(there, Move([0, 0, 0, 0, 0, 30], 20)).rule == "homing"

    def test_lower_than_50_mm_is_refused(self) -> None:
        pick = PUBLISHED["pick"]
        verdict = judged(replace(self.unhomed, start_deg=pick, found_deg=pick), Move([*pick[:5], -29.0], 20))
        assert verdict.rule == "homing"
        assert "(50 mm are kept)" in verdict.says

    def test_a_batch_is_refused_whatever_it_asks(self) -> None:
        for request in (Move([1.0, 0, 0, 0, 0, 0], 5, in_batch=True), Grip(0, 50, in_batch=True)):
            assert judged(self.unhomed, request).rule == "homing"

    def test_homed_all_of_it_is_allowed(self) -> None:
        homed = replace(self.unhomed, homed=True)
        assert judged(homed, Move([0, 0, 0, 0, 0, 90], 100)).ok
        assert judged(homed, Move([1.0, 0, 0, 0, 0, 0], 5, in_batch=True)).ok


def test_offsets_found_by_homing_are_taken_off_before_sending_and_limits_hold_for_both(line: Line) -> None:
    with_offset = state(offsets_deg=(0.75, 0, 0, 0, 0, -0.5))
    assert through_the_gate(line.api, with_offset, Move(CUP, 40)) == [39.25, 82, -36, 0, -50, 0.5]
    # 179.8 true is 180.3 by the encoder: the arm itself would refuse it.
    assert judged(with_offset, Move([0, 0, 0, 0, 0, 179.8], 40)).rule == "limits"


@pytest.mark.parametrize("value", [-1, 101, 50.0, "0", True, np.int64(5), None])
def test_a_gripper_value_is_a_python_int_from_0_to_100(value: Any) -> None:
    assert judged(state(), Grip(value, 50)).rule == "gripper value"


def test_the_gripper_is_told_its_type_without_which_the_library_raises(line: Line) -> None:
    line.sent()
    assert through_the_gate(line.api, state(), Grip(0, 50)) is True
    assert through_the_gate(line.api, state(), Release()) is True
    assert line.sent() == ["fe fe 05 67 00 32 01 fa", "fe fe 02 13 fa"]


def test_something_that_is_no_request_moves_nothing(line: Line) -> None:
    line.sent()
    for request in (None, CUP, "release"):
        with pytest.raises(AttributeError):
            through_the_gate(line.api, state(), request)  # type: ignore[arg-type]
    assert line.sent() == []


def test_a_verdict_has_a_name_and_its_numbers() -> None:
    for request in (Move([0, 0, 70, 0, 0, 0], 40), Move([0, 0, 0, 0, 61, 0], 40), Move(CUP[:5], 40)):
        verdict: Verdict = judged(state(), request)
        assert verdict.rule
        assert verdict.says
        assert verdict.numbers
