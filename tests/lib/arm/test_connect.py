"""One owner an arm, reached by line or by socket, and nothing of the library shows outside."""

from __future__ import annotations

import logging
import os
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from lib.arm import LinkLost, connect, looking
from lib.arm.emulated import EmulatedChild
from lib.arm.gate import Move, judged
from lib.arm.plausible import Angles
from lib.arm.registration import registration, running
from lib.arm.since_power_on import SincePowerOn, keep, load, path_start
from lib.errors import BadInput, Busy, Refused
from lib.settings import Settings
from tests.lib.arm.conftest import Bench, MakeBench
from tests.lib.arm.other_firmware import Manners, OtherFirmware
from tests.lib.arm.test_gate import state

AWAY = [15.0, 10.0, -5.0, 0.0, -10.0, 10.0]


def test_a_second_owner_is_told_who_the_first_is(bench: Bench) -> None:
    says = r"held by process \d+ \(.*stop it with `nightpick arm stop`"
    with connect(bench.settings), pytest.raises(Busy, match=says), looking(bench.settings):
        pass
    with looking(bench.settings) as arm:
        assert not arm.health().powered


def test_the_same_driver_over_the_socket_class(make_bench: MakeBench) -> None:
    bench = make_bench(listen="127.0.0.1:0")
    host, _, port = str(bench.settings.arm.port).rpartition(":")
    arm_settings = replace(bench.settings.arm, kind="socket", host=host, host_port=int(port))
    # Behind a socket the driver expects real time; this arm is 20 times faster, so it moves at speed 1.
    settings = replace(bench.settings, arm=arm_settings)
    with connect(settings) as arm:
        arm.mark_homed()
        assert arm.grip(0).value == 0
        for target in (AWAY, [0.0] * 6):
            moved = arm.move(target, 1)
            assert moved.reached_deg == pytest.approx(bench.encoders_deg(), abs=0.05)
            assert moved.off_deg < 0.9
        with pytest.raises(Busy), connect(settings):
            pass


def test_a_ctrl_c_that_the_library_swallows_stops_the_arm_all_the_same(make_bench: MakeBench) -> None:
    """MechArmSocket takes every exception while it waits for an answer for an empty one."""
    bench = make_bench(listen="127.0.0.1:0", time_scale=1.0, faults={"silent_setters": True})
    host, _, port = str(bench.settings.arm.port).rpartition(":")
    arm_settings = replace(bench.settings.arm, kind="socket", host=host, host_port=int(port))
    with connect(replace(bench.settings, arm=arm_settings)) as arm:
        arm.mark_homed()
        bench.faults(latency_s=0.15)  # most of the time is spent in that wait
        # By a process: a thread of this one would take the signal itself, and the wait go on.
        interrupts = subprocess.Popen(["sh", "-c", f"sleep 1.5; kill -INT {os.getpid()}"])
        with pytest.raises(KeyboardInterrupt):
            arm.move([90.0, 0, 0, 0, 0, 0], 20)
        interrupts.wait()
        time.sleep(0.3)
        assert not bench.ask("state")["moving"]
        assert len(bench.motions_asked()) == 1
        bench.faults(latency_s=0.0)


def test_the_emulated_kind_starts_an_arm_of_its_own_and_ends_it(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    settings = replace(settings, cell=replace(settings.cell, time_scale=30.0))
    settings = replace(settings, arm=replace(settings.arm, body="ideal"))
    with connect(settings) as arm:
        assert arm.name == "the emulated arm"
        assert arm.time_scale == 30.0
        where = running(registration(settings.data_dir))
        assert where is not None
        assert arm.move(AWAY, 20).off_deg < 0.1
        # A second one would be another process's view of the same arm: it is held.
        with pytest.raises(Busy, match="the emulated arm is held by process"), looking(settings):
            pass
    assert running(registration(settings.data_dir)) is None
    assert not Path(f"/proc/{where.pid}").exists()


def test_a_new_emulated_arm_is_not_the_one_that_was_homed(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    settings = replace(settings, cell=replace(settings.cell, time_scale=30.0))
    settings = replace(settings, arm=replace(settings.arm, body="ideal"))
    with connect(settings) as arm:
        arm.mark_homed()
        assert arm.recall()
    with connect(settings) as arm:  # found with its power on and the same reboot count
        assert not arm.recall()
        arm.prepare()
        assert not arm.homed


def test_the_emulated_kind_uses_the_arm_that_runs_for_the_data_folder(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    child = EmulatedChild(replace(settings, cell=replace(settings.cell, time_scale=25.0)), body="ideal")
    try:
        assert child.where.time_scale == 25.0
        for joints in (AWAY, [0.0] * 6):
            with connect(settings) as arm:
                assert arm.time_scale == 25.0  # the running arm's clock, not the settings'
                arm.move(joints, 20)
    finally:
        child.close()


def test_the_library_leaves_the_root_logger_and_the_terminal_alone(
    bench: Bench, capfd: pytest.CaptureFixture[str]
) -> None:
    root = logging.getLogger()
    handlers, level = list(root.handlers), root.level
    for handler in handlers:
        root.removeHandler(handler)
    try:
        with connect(bench.settings) as arm:
            arm.prepare()
            assert root.handlers == []
            assert root.level == level
    finally:
        for handler in handlers:
            root.addHandler(handler)
    assert capfd.readouterr() == ("", "")


def test_servo_faults_are_values_and_not_prints(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    """pymycobot prints a line for each bit of a servo's state."""
    firmware = OtherFirmware(Manners(powered=True, health={0xE4: bytes([0, 4, 0, 0, 33, 0])}))
    try:
        settings = Settings(data_dir=tmp_path / "data")
        with looking(replace(settings, arm=replace(settings.arm, kind="serial", port=firmware.port))) as arm:
            health = arm.health()
    finally:
        firmware.close()
    assert health.servo_states == (0, 1, 0, 0, 2, 0)
    assert capfd.readouterr().out == ""


def test_an_unplugged_arm_is_said_to_be_unplugged(bench: Bench) -> None:
    with connect(bench.settings) as arm:
        arm.prepare()
        bench.ask("unplug")
        with pytest.raises(LinkLost, match="it was unplugged, or another program has the port"):
            arm.move(AWAY, 20)


def test_settings_that_name_no_arm_are_refused(tmp_path: Path) -> None:
    settings = Settings(data_dir=tmp_path / "data")
    for change, error, says in (
        ({"kind": "serial"}, BadInput, "needs arm.port"),
        ({"kind": "socket"}, BadInput, "needs arm.host"),
        ({"kind": "usb"}, BadInput, "expected emulated, serial or socket"),
        ({"kind": "serial", "port": "/dev/null"}, Refused, "/dev/null"),
        ({"kind": "socket", "host": "127.0.0.1", "host_port": 9}, Refused, "no connection"),
    ):
        with (
            pytest.raises(error, match=says),
            looking(replace(settings, arm=replace(settings.arm, **change))),
        ):
            pass
    none = replace(settings, robot="none", arm=replace(settings.arm, body="ideal"))
    with pytest.raises(BadInput, match="an emulated arm needs a robot file"), looking(none):
        pass


class TestSincePowerOn:
    """What one process leaves for the next."""

    def test_it_comes_back_as_it_was_kept(self, tmp_path: Path) -> None:
        known = SincePowerOn(3, (1.0, 2, 3, 4, 5, 6), "2026-11-30T22:00:00+00:00", (0.5, 0, 0, 0, 0, -0.25))
        keep(tmp_path / "arm" / "x.json", known)
        assert load(tmp_path / "arm" / "x.json") == known
        moved = replace(known, approved_deg=((0.0,) * 6, (9.0,) * 6))
        keep(tmp_path / "arm" / "x.json", moved)
        assert load(tmp_path / "arm" / "x.json") == moved

    @pytest.mark.parametrize("content", ["", "{", "[]", '{"reboots": 1}', '{"reboots":1,"found_deg":[1]}'])
    def test_what_is_not_readable_is_nothing_known(self, tmp_path: Path, content: str) -> None:
        (tmp_path / "x.json").write_text(content)
        assert load(tmp_path / "x.json") is None

    def test_a_homing_holds_until_the_power_or_the_count_says_otherwise(self, bench: Bench) -> None:
        with connect(bench.settings) as arm:
            arm.mark_homed((0.5, 0, 0, 0, 0, 0))
            assert arm.read().joints_deg[0] == arm.read().encoders_deg[0] + 0.5
        with connect(bench.settings) as arm:
            arm.prepare()
            assert arm.homed
            assert arm.move([30.0, 0, 0, 0, 0, 0], 40).reached_deg[0] == pytest.approx(30.0, abs=0.02)
        assert bench.encoders_deg()[0] == pytest.approx(29.5, abs=0.02)
        bench.ask("reboot")
        with connect(bench.settings) as arm:
            arm.link.be_patient(3.0)
            arm.prepare()
            assert not arm.homed

    def test_a_path_begins_on_the_approved_one_if_the_arm_stands_there(self) -> None:
        approved = ((0.0,) * 6, (10.0, 20.0, 0.0, 0.0, 0.0, 0.0))
        assert path_start((10.4, 19.8, -0.3, 0, 0, 0), approved) == approved[1]
        half = path_start((5.1, 9.8, 0.4, 0, 0, 0), approved)
        assert half == pytest.approx((5.0, 10.0, 0, 0, 0, 0), abs=0.2)
        elsewhere = (5.0, 9.8, 2.0, 0.0, 0.0, 0.0)
        assert path_start(elsewhere, approved) == elsewhere
        assert path_start(elsewhere, None) == elsewhere

    def test_an_arm_that_sags_into_the_margin_at_its_target_can_leave_again(self) -> None:
        up, low = (-35.0, 40.0, 25.0, 0.0, -60.0, -30.0), [-35.0, 70.0, 25.0, 0.0, -85.0, -30.0]
        while judged(state(start_deg=up), Move(low, 40)).ok:
            low[1] = round(low[1] + 0.1, 1)
        low[1] = round(low[1] - 0.1, 1)
        target: Angles = tuple(low)  # type: ignore[assignment]
        sagged: Angles = (low[0], low[1] + 0.5, *low[2:])  # type: ignore[assignment]
        assert judged(state(start_deg=sagged), Move(list(up), 40)).rule == "keep-out"
        start = path_start(sagged, (up, target))
        assert judged(state(start_deg=start), Move(list(up), 40)).ok
