"""What users of these arms report, each against the emulator: the right end, and what to do about it.

The numbers are pymycobot's issues unless another name stands beside them.
"""

from __future__ import annotations

import re
import time
from typing import Any

import pytest

from lib.arm import (
    Arm,
    GateRefused,
    GripFailed,
    LinkLost,
    NotBelieved,
    NotMoved,
    PowerLost,
    Rebooted,
    connect,
)
from tests.lib.arm.conftest import Bench, MakeBench

AWAY = [40.0, 50.0, -20.0, 0.0, -42.0, 0.0]


def at_rest(bench: Bench) -> bool:
    """Two looks at the truth a tenth of a real second apart."""
    before = bench.encoders_deg()
    time.sleep(0.1)
    return before == bench.encoders_deg() and not bench.ask("state")["moving"]


def homed(arm: Arm) -> Arm:
    arm.mark_homed()
    return arm


def test_85_39_94_getters_that_answer_nothing_until_a_power_cycle(make_bench: MakeBench) -> None:
    bench = make_bench(link_failures=2)
    with connect(bench.settings) as arm:
        homed(arm)
        bench.faults(mute=True)
        with pytest.raises(
            LinkLost, match=r"2 of the last \d+ calls failed \(2 no answer.*power-cycle the arm"
        ):
            arm.move(AWAY, 40)
    assert at_rest(bench)
    bench.ask("power_cycle")
    time.sleep(0.2)
    with connect(bench.settings) as arm:
        arm.prepare()
        assert not arm.homed  # a power cycle: where it is has to be found out again
        assert arm.move([5.0, 0, 0, 0, 0, 0], 20).off_deg < 0.1


def test_39_mute_from_the_start_is_said_within_seconds(make_bench: MakeBench) -> None:
    bench = make_bench(faults={"mute": True})
    started = time.monotonic()
    with (
        connect(bench.settings) as arm,
        pytest.raises(LinkLost, match=r"answers nothing: check port and baud"),
    ):
        arm.prepare()
    assert time.monotonic() - started < 10.0
    assert bench.motions_asked() == []


@pytest.mark.parametrize(
    ("constant", "shown"), [(180.08, "180.08"), (-180.08, "-180.08"), (-1000.0, "-327.68")]
)
def test_43_constant_and_impossible_readings_are_no_positions(
    bench: Bench, constant: float, shown: str
) -> None:
    with connect(bench.settings) as arm:
        homed(arm)
        bench.faults(constant_deg=constant)
        with pytest.raises(LinkLost, match=rf"impossible.*J1 reads {re.escape(shown)} deg, as every joint"):
            arm.read()


def test_93_a_target_made_of_an_unchecked_reading_never_leaves(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        homed(arm)
        for reading in ([-1000.0] * 6, [180.08] * 6, -1, [-1.0 * 180.08] * 6):
            with pytest.raises(GateRefused):
                arm.move(reading, 40)
    assert bench.motions_asked() == []


def test_73_angles_that_show_the_target_while_nothing_moves(make_bench: MakeBench) -> None:
    bench = make_bench(time_scale=2.0)
    with connect(bench.settings) as arm:
        homed(arm)
        bench.faults(shows_target=True)
        with pytest.raises(NotBelieved, match="shows targets, not joints; power-cycle it") as failure:
            arm.move(AWAY, 20)
        assert failure.value.outcome == "unknown"
    assert bench.encoders_deg() == [0.0] * 6


def test_2_is_moving_always_1_delays_nothing(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        homed(arm)
        bench.faults(always_moving=True)
        assert arm.move(AWAY, 40).sends == 1
    assert bench.encoders_deg() == pytest.approx(AWAY)


def test_2_is_moving_always_0_ends_nothing_early(bench: Bench) -> None:
    """The other lie: the driver asks neither is_moving nor is_in_position, so it cannot be told one."""
    with connect(bench.settings) as arm:
        homed(arm).move(AWAY, 40)
    assert not {frame.split()[3] for frame in bench.ask("log")["asked"]} & {"2a", "2b"}


def test_13_a_motion_that_ends_half_way_is_not_taken_for_done(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        homed(arm)
        bench.faults(stops_at_share=0.5)
        with pytest.raises(NotMoved, match=r"J2 stands at .* deg from its target 50; sent 3 times"):
            arm.move(AWAY, 40)
    assert at_rest(bench)
    assert len(bench.motions_asked()) == 3
    assert len(set(bench.motions_asked())) == 1  # the same absolute target each time


def test_219_a_gripper_that_acknowledges_and_does_not_move(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        bench.faults(gripper_stuck=True)
        with pytest.raises(GripFailed, match=r"was told 0 and stayed at 100, whatever it acknowledged"):
            arm.grip(0)


def test_18_an_object_dropped_after_a_while_is_noticed_before_placing(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        bench.ask("object", value=45)
        bench.faults(gripper_drops_after_s=20.0)
        gripped = arm.grip(0)
        assert (gripped.value, gripped.holds) == (45, True)
        assert arm.check_held().holds
        _wait(bench, lambda state: state["time_s"] > 60.0)
        with pytest.raises(
            GripFailed, match=r"dropped what it held: its value is 0, empty it closes to 4 or less"
        ):
            arm.check_held()


def test_an_empty_close_is_no_grip(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        gripped = arm.grip(0)
        assert (gripped.value, gripped.holds) == (0, False)
        with pytest.raises(GripFailed, match="holds nothing"):
            arm.check_held()
        assert arm.grip(100).value == 100


def test_a_slow_gripper_is_waited_for_and_not_taken_for_a_grip(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        gripped = arm.grip(0, 2)  # 25 s from open to closed
        assert (gripped.value, gripped.holds) == (0, False)


def test_mystudio_5_a_controller_deaf_for_40_s_after_a_gripper_close_is_waited_for(
    make_bench: MakeBench,
) -> None:
    bench = make_bench(time_scale=12.0)
    with connect(bench.settings) as arm:
        arm.prepare()
        bench.ask("object", value=45)
        bench.faults(deaf_after_grip_s=40.0)
        started = time.monotonic()
        gripped = arm.grip(0)
        assert (gripped.value, gripped.holds) == (45, True)
        assert time.monotonic() - started > 40.0 / 12.0
        bench.faults(deaf_after_grip_s=0.0)
        assert arm.move([5.0, 0, 0, 0, 0, 0], 20).sends == 1


def test_65_76_a_voltage_dip_that_reboots_the_controller_ends_the_run_unknown(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        homed(arm)
        bench.faults(reboots_at_share=0.4)
        with pytest.raises(Rebooted, match=r"rebooted \(reboot count 0, now 1\)") as failure:
            arm.move(AWAY, 40)
        assert failure.value.outcome == "unknown"
        asked = bench.motions_asked()
        with pytest.raises(Rebooted):  # never resumed, whatever is asked
            arm.move([0.0] * 6, 5)
        assert bench.motions_asked() == asked
    with connect(bench.settings) as arm:
        arm.prepare()
        assert not arm.homed


def test_65_a_reboot_between_two_cycles_is_seen_by_the_count(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        arm.prepare()
        assert arm.health().reboots == 0
        bench.ask("reboot")
        time.sleep(0.2)
        with pytest.raises(Rebooted, match=r"reboot count 0, now 1"):
            arm.health()
        with pytest.raises(Rebooted):
            arm.move([1.0, 0, 0, 0, 0, 0], 5)


def test_power_lost_without_a_reboot_is_power_lost(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        homed(arm)
        _power_off(arm)
        with pytest.raises(PowerLost, match="the servos lost their power"):
            arm.move(AWAY, 40)
    assert bench.motions_asked() == []


def test_desync_reads_that_fail_after_a_gripper_call_are_drained(bench: Bench) -> None:
    """The gripper's late acknowledgement stands before every later answer, until somebody reads it away."""
    with connect(bench.settings) as arm:
        homed(arm)
        bench.ask("object", value=45)
        bench.faults(late_after_grip_s=1.6)
        assert arm.grip(0).holds
        bench.faults(late_after_grip_s=0.0)
        moved = arm.move(AWAY, 40)
        assert moved.reached_deg == pytest.approx(AWAY, abs=0.05)
    assert bench.encoders_deg() == pytest.approx(AWAY)


def test_a_single_late_reply_does_not_make_later_readings_older(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        homed(arm)
        for target in (AWAY, [0.0] * 6):
            bench.faults(latency_s=0.6)  # every answer comes after the library has asked again
            timer = _later(0.8, lambda: bench.faults(latency_s=0.0))
            arm.read()
            timer.join()
            arm.move(target, 40)
            assert arm.read().encoders_deg == pytest.approx(bench.encoders_deg(), abs=0.02)
        assert {suspicion.kind for suspicion in arm.link.suspicions} & {"late", "no answer"}


def _power_off(arm: Arm) -> None:
    arm.link.tell("power off by a person", arm.link.api.power_off)


def _wait(bench: Bench, holds: Any) -> None:
    until = time.monotonic() + 20.0
    while not holds(bench.ask("state")):
        assert time.monotonic() < until
        time.sleep(0.05)


def _later(after_s: float, what: Any) -> Any:
    import threading

    timer = threading.Timer(after_s, what)
    timer.start()
    return timer
