"""The emulated firmware, asked by the real library: every method the driver uses, by its bytes."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import pytest

from lib.arm.plausible import fastest_deg_per_s
from lib.arm.vendor import Opened, open_serial, open_socket
from tests.lib.arm.conftest import Bench, MakeBench

Script = list[tuple[str, tuple[Any, ...], dict[str, Any], Any, str]]

# Method, arguments, what it returns, and the request's bytes; in this order.
SPOKEN: Script = [
    ("is_power_on", (), {}, 0, "fe fe 02 12 fa"),
    ("power_on", (), {}, 1, "fe fe 02 10 fa"),
    ("is_power_on", (), {}, 1, "fe fe 02 12 fa"),
    ("get_fresh_mode", (), {}, 0, "fe fe 02 17 fa"),
    ("set_fresh_mode", (1,), {}, 1, "fe fe 03 16 01 fa"),
    ("get_fresh_mode", (), {}, 1, "fe fe 02 17 fa"),
    ("get_angles", (), {}, [0.0] * 6, "fe fe 02 20 fa"),
    ("get_error_information", (), {}, 0, "fe fe 02 07 fa"),
    ("clear_error_information", (), {}, 1, "fe fe 02 08 fa"),
    ("is_moving", (), {}, 0, "fe fe 02 2b fa"),
    ("is_in_position", ([0.0] * 6, 0), {}, 1, "fe fe 0f 2a 00 00 00 00 00 00 00 00 00 00 00 00 00 fa"),
    ("is_in_position", ([9.0] * 6, 0), {}, 0, "fe fe 0f 2a 03 84 03 84 03 84 03 84 03 84 03 84 00 fa"),
    ("get_gripper_value", (), {}, 100, "fe fe 02 65 fa"),
    ("set_gripper_value", (60, 100), {"gripper_type": 1}, 1, "fe fe 05 67 3c 64 01 fa"),
    ("set_gripper_state", (1, 50, 1), {}, 1, "fe fe 05 66 01 32 01 fa"),
    ("get_servo_voltages", (), {}, [12.0] * 6, "fe fe 02 e3 fa"),
    ("get_servo_status", (), {}, [0] * 6, "fe fe 02 e4 fa"),
    ("get_servo_temps", (), {}, pytest.approx([27] * 6, abs=3), "fe fe 02 e5 fa"),
    ("get_reboot_count", (), {}, 0, "fe fe 02 d8 fa"),
    ("stop", (), {}, 1, "fe fe 02 29 fa"),
    ("send_angle", (6, 5.0, 50), {}, 1, "fe fe 06 21 06 01 f4 32 fa"),
    ("send_angles", ([1.5, 0, 0, 0, 0, -1.5], 50), {}, 1,
     "fe fe 0f 22 00 96 00 00 00 00 00 00 00 00 ff 6a 32 fa"),
    ("release_all_servos", (), {}, 1, "fe fe 02 13 fa"),
    ("power_off", (), {}, 1, "fe fe 02 11 fa"),
    ("is_power_on", (), {}, 0, "fe fe 02 12 fa"),
]  # fmt: skip


@pytest.fixture
def api(bench: Bench) -> Iterator[Any]:
    opened = open_serial(str(bench.settings.arm.port), 115200)
    yield opened.api
    opened.close()


def test_every_method_gets_its_answer_by_its_bytes(bench: Bench, api: Any) -> None:
    for method, arguments, more, answer, _ in SPOKEN:
        assert getattr(api, method)(*arguments, **more) == answer, method
    assert bench.ask("log")["asked"] == [request for *_, request in SPOKEN]


def test_the_same_methods_work_over_the_socket_class(make_bench: MakeBench) -> None:
    bench = make_bench(listen="127.0.0.1:0")
    opened: Opened = open_socket(*_address(bench))
    try:
        for method, arguments, more, answer, _ in SPOKEN:
            assert getattr(opened.api, method)(*arguments, **more) == answer, method
    finally:
        opened.close()
    assert bench.ask("log")["asked"] == [request for *_, request in SPOKEN]


def test_a_motion_takes_the_time_that_its_speed_says(make_bench: MakeBench) -> None:
    bench = make_bench(time_scale=2.0, powered=True)
    opened = open_serial(str(bench.settings.arm.port), 115200)
    started = bench.ask("state")["time_s"]
    opened.api.send_angles([30.0, 0, 0, 0, 0, 0], 20)
    while bench.ask("state")["moving"]:
        time.sleep(0.002)
    # 30 deg at 20 % of 150 deg/s, at its fastest 1.875 times the mean.
    assert bench.ask("state")["time_s"] - started == pytest.approx(1.875, abs=0.4)
    assert bench.encoders_deg() == pytest.approx([30.0, 0, 0, 0, 0, 0])
    assert fastest_deg_per_s(20, 1.0) > 1.875 * 30 / 1.875
    opened.close()


def test_in_queue_mode_motions_follow_each_other_in_fresh_mode_the_newest_wins(make_bench: MakeBench) -> None:
    bench = make_bench(time_scale=2.0, powered=True)
    opened = open_serial(str(bench.settings.arm.port), 115200)
    for mode in (0, 1):
        opened.api.set_fresh_mode(mode)
        opened.api.send_angles([40.0, 0, 0, 0, 0, 0], 50)
        opened.api.send_angles([10.0, 0, 0, 0, 0, 0], 50)
        highest = 0.0
        while (state := bench.ask("state"))["moving"]:
            highest = max(highest, state["encoders_deg"][0])
            time.sleep(0.001)
        assert bench.encoders_deg()[0] == pytest.approx(10.0)
        assert (highest > 30.0) == (mode == 0)
    opened.close()


def test_stop_brakes_on_the_way_within_a_fifth_of_a_second(bench: Bench, api: Any) -> None:
    api.power_on()
    api.send_angles([90.0, 45.0, 0, 0, 0, 0], 40)
    time.sleep(0.04)
    before = bench.ask("state")
    api.stop()
    while bench.ask("state")["moving"]:
        time.sleep(0.001)
    after = bench.ask("state")
    assert before["encoders_deg"][0] < after["encoders_deg"][0] < 90.0
    assert after["encoders_deg"][0] == pytest.approx(2 * after["encoders_deg"][1])
    assert after["encoders_deg"][0] - before["encoders_deg"][0] < 60 * (
        0.2 + after["time_s"] - before["time_s"]
    )


def test_a_target_outside_the_limits_sets_the_error_register_and_moves_nothing(
    bench: Bench, api: Any
) -> None:
    api.power_on()
    api._mesg(0x22, [0, 0, 7000, 0, 0, 0], 50, has_reply=True)
    assert api.get_error_information() == 3
    assert not bench.ask("state")["moving"]
    assert api.clear_error_information() == 1
    assert api.get_error_information() == 0


def test_while_the_power_is_off_angles_are_not_answered_and_motions_not_obeyed(
    bench: Bench, api: Any
) -> None:
    assert api.get_angles() == -1
    api.send_angles([5.0, 0, 0, 0, 0, 0], 50, _async=True)
    assert bench.ask("log")["obeyed"] == []


def test_the_gripper_closes_onto_an_object(bench: Bench, api: Any) -> None:
    api.power_on()
    bench.ask("object", value=45)
    api.set_gripper_value(0, 100, gripper_type=1)
    time.sleep(0.2)
    assert api.get_gripper_value() == 45


def test_a_reboot_counts_and_takes_the_power_away(bench: Bench, api: Any) -> None:
    api.power_on()
    bench.ask("reboot")
    time.sleep(0.2)  # it boots for 1.5 s of its clock
    assert api.get_reboot_count() == 1
    assert api.is_power_on() == 0


def test_an_unknown_switch_or_question_is_refused_with_those_there_are(bench: Bench) -> None:
    with pytest.raises(Exception, match="no such switch; there are latency_s, reply_share"):
        bench.faults(replies_share=0.1)
    with pytest.raises(Exception, match="expected true or false"):
        bench.faults(mute=1)
    with pytest.raises(Exception, match="not known without a cell"):
        bench.ask("frame")


def _address(bench: Bench) -> tuple[str, int]:
    host, _, port = str(bench.settings.arm.port).rpartition(":")
    return host, int(port)
