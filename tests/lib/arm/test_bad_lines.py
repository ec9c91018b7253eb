"""Bytes lost, flipped, doubled and late: moves complete, or stop within few calls and say why."""

from __future__ import annotations

import pytest

from lib.arm import Arm, ArmFailure, connect
from tests.lib.arm import campaign
from tests.lib.arm.conftest import Bench, MakeBench

RIGHT_WITHIN_DEG = 0.5
# Five odd answers among fifty, each with its probes and readings.
MOST_CALLS = 120


def believed_nothing_false(figures: campaign.Figures) -> bool:
    return figures.worst_error_deg <= RIGHT_WITHIN_DEG and figures.unasked == []


def test_a_few_moves_over_a_line_with_a_fault_in_two_thousand_bytes(make_bench: MakeBench) -> None:
    bench = make_bench(time_scale=50.0, link_failures=5)
    figures = campaign.run(bench, 14, seed=1, reply_share=0.0005, request_share=0.0005)
    print(figures)
    assert figures.completed >= 0.9 * figures.moves
    assert figures.suspect > 0
    assert believed_nothing_false(figures)


def test_a_line_with_a_fault_in_twenty_bytes_is_given_up_within_few_calls(make_bench: MakeBench) -> None:
    bench = make_bench(time_scale=50.0, link_failures=5)
    figures = campaign.run(bench, 1, seed=2, reply_share=0.05, request_share=0.05)
    print(figures)
    assert figures.failures["LinkLost"] >= 1
    assert max(figures.calls_to_failure) <= MOST_CALLS
    assert all("calls failed" in said or "in a row" in said for said in figures.said)
    assert believed_nothing_false(figures)


START, TARGET = [-30.0, 0.0, 0.0, 0.0, 0.0, 0.0], [10.0, 20.0, -10.0, 0.0, -20.0, 5.0]
# Of the payload's 13 bytes: signs and high bits of several joints, 1.28 and 0.08 degrees, two of the speed.
SOME_BITS = [
    7,
    4,
    8 + 7,
    16 + 3,
    32 + 6,
    48 + 2,
    64 + 4,
    80 + 5,
    3 * 8 + 7,
    3 * 8 + 3,
    12 * 8 + 6,
    12 * 8 + 7,
]


def assert_flips_are_seen(bench: Bench, bits: list[int]) -> dict[str, int]:
    """Flip one bit of a motion each time; what comes of it is the asked pose or a failure at rest."""
    came: dict[str, int] = {}
    with connect(bench.settings) as arm:
        arm.mark_homed()
        for bit in bits:
            arm.move(START, 40)
            bench.faults(flips_motion_bit=bit)
            try:
                moved = arm.move(TARGET, 40)
            except ArmFailure as failure:
                end, away = type(failure).__name__, 0.0
            else:
                end, away = "there", max(abs(a - b) for a, b in zip(moved.reached_deg, TARGET, strict=True))
            state = bench.ask("state")
            assert away <= 0.9, (bit, end, away)
            if end == "there":  # the last hundredths of a slow motion may still be under way
                assert state["encoders_deg"] == pytest.approx(moved.reached_deg, abs=0.1)
            else:
                assert not state["moving"], (bit, end)
                lead_out(bench, arm)
            came[end] = came.get(end, 0) + 1
    return came


def lead_out(bench: Bench, arm: Arm) -> None:
    """Lead an arm out by hand where the gate lets it go nowhere: no table has stopped this one."""
    if not arm.check_pose(arm.read().joints_deg).ok:
        arm.release()
        bench.ask("pose_by_hand", joints_deg=START)
        arm.hold()


def test_a_motion_flipped_on_the_wire_is_seen_and_the_arm_stopped(make_bench: MakeBench) -> None:
    came = assert_flips_are_seen(make_bench(time_scale=5.0), SOME_BITS)
    print(came)
    assert came["Deviated"] >= 4
    assert came["there"] >= 2


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_every_bit_of_a_motion_flipped_on_the_wire_is_seen(make_bench: MakeBench) -> None:
    came = assert_flips_are_seen(make_bench(time_scale=5.0), list(range(13 * 8)))
    print(came)
    assert sum(came.values()) == 13 * 8


@pytest.mark.slow
@pytest.mark.timeout(3600)
@pytest.mark.parametrize("seed", [11])
def test_1000_moves_at_2_in_10000_bytes(make_bench: MakeBench, seed: int) -> None:
    bench = make_bench(time_scale=50.0, seed=seed, link_failures=5)
    figures = campaign.run(bench, 1000, seed=seed, reply_share=0.0002, request_share=0.0002)
    print(figures)
    assert figures.completed >= 950
    assert believed_nothing_false(figures)


@pytest.mark.slow
@pytest.mark.timeout(7200)
@pytest.mark.parametrize("seed", range(12, 22))
def test_1000_moves_at_5_in_100_bytes(make_bench: MakeBench, seed: int) -> None:
    """A hundred a seed: with `-n 10` they wait side by side, for nearly all of it is waiting."""
    bench = make_bench(time_scale=50.0, seed=seed, link_failures=5)
    figures = campaign.run(bench, 100, seed=seed, reply_share=0.05, request_share=0.05)
    print(figures)
    assert max(figures.calls_to_failure) <= MOST_CALLS
    # No checksum exists: now and then a flipped reply tells of a reboot, or of power lost, and that counts.
    assert figures.failures["LinkLost"] >= 95
    assert set(figures.failures) <= {"LinkLost", "Rebooted", "PowerLost"}
    assert all(figures.said)
    assert believed_nothing_false(figures)
