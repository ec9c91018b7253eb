"""Kill -9 of the flow, of the driver, of the guardian; Ctrl-C and SIGTERM: the arm stands, the lock is free.

All at clock factor 1, as with a real arm.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from lib.arm import connect
from lib.arm.lock import ArmLock
from lib.arm.registration import registration, running
from tests.lib.arm.conftest import Bench, MakeBench
from tests.lib.arm.driving import settings_for

ROOT = Path(__file__).parents[3]
STANDS_WITHIN_S = 1.0
STAYS_S = 0.5
LOOK_TAKES_S = 0.03
LENT_S = 4.0
STOP = "fe fe 02 29 fa"


@contextmanager
def driving(bench: Bench, role: str) -> Iterator[tuple[subprocess.Popen[bytes], dict[str, int]]]:
    """Run a process that moves the arm; yield it and the pids of driver and guardian, the arm on its way."""
    port, folder = str(bench.settings.arm.port), str(bench.settings.data_dir)
    process = subprocess.Popen(
        [sys.executable, "-m", "tests.lib.arm.driving", role, folder, port],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
    )
    assert process.stdout is not None
    assert process.stderr is not None
    try:
        who = json.loads(process.stdout.readline())
        start = bench.encoders_deg()
        until = time.monotonic() + 10.0
        while abs(bench.encoders_deg()[0] - start[0]) < 2.0:
            assert time.monotonic() < until, "the driver does not move the arm"
            time.sleep(0.02)
        assert bench.ask("state")["moving"]
        yield process, who
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
        process.stdout.close()
        process.stderr.close()


def assert_stands_soon(bench: Bench, since_s: float) -> None:
    """The arm comes to rest for good within a second of a moment.

    Time in which a busy computer let nobody look does not count: neither the guardian nor the firmware
    had it. A look takes 10 ms; what it takes longer was such a time, and of that no more than LENT_S.
    """
    lent_s, now_s, rests_s = 0.0, since_s, None
    while now_s - since_s < STANDS_WITHIN_S + STAYS_S + min(lent_s, LENT_S):
        time.sleep(0.01)
        moving = bench.ask("state")["moving"]
        before_s, now_s = now_s, time.monotonic()
        lent_s += max(0.0, now_s - before_s - LOOK_TAKES_S)
        if moving:
            rests_s = None
        elif rests_s is None:
            rests_s = now_s - since_s - min(lent_s, LENT_S)
    assert rests_s is not None, f"the arm still moves after {now_s - since_s:.1f} s, {lent_s:.1f} s not ours"
    assert rests_s < STANDS_WITHIN_S, f"it came to rest after {rests_s:.2f} s, {lent_s:.1f} s more not ours"


def assert_free_and_probed_first(bench: Bench) -> None:
    """The lock is free, and the next start reads the arm before it moves it."""
    lock = ArmLock(Path(str(bench.settings.arm.port)), "the arm")
    lock.release()
    before = len(bench.ask("log")["asked"])
    with connect(settings_for(bench.settings.data_dir, str(bench.settings.arm.port))) as arm:
        arm.move([*arm.read().encoders_deg[:5], 1.0], 20)
    asked = [frame.split()[3] for frame in bench.ask("log")["asked"][before:]]
    first_motion = asked.index("22")
    assert asked[0] == "12"
    assert asked[:first_motion].count("20") >= 4  # twice found, twice before the motion
    assert asked[:first_motion].count("07") == 1


@pytest.fixture
def real_time(make_bench: MakeBench) -> Bench:
    return make_bench(time_scale=1.0)


@pytest.mark.parametrize("whom", ["flow", "driver"])
def test_a_killed_flow_or_driver_leaves_a_standing_arm_and_a_free_lock(real_time: Bench, whom: str) -> None:
    with driving(real_time, "flow" if whom == "flow" else "drive") as (process, who):
        killed_s = time.monotonic()
        os.kill(process.pid if whom == "flow" else who["driver"], signal.SIGKILL)
        assert_stands_soon(real_time, killed_s)
        for pid in who.values():
            assert _gone(pid), f"{pid} outlived the {whom}"
    assert_free_and_probed_first(real_time)


def test_a_killed_guardian_makes_the_driver_stop_the_arm_and_end(real_time: Bench) -> None:
    with driving(real_time, "drive") as (process, who):
        killed_s = time.monotonic()
        os.kill(who["guardian"], signal.SIGKILL)
        assert_stands_soon(real_time, killed_s)
        assert process.wait(timeout=5) == 3
        assert process.stderr is not None
        assert b"GuardianGone: " in process.stderr.read()
    assert_free_and_probed_first(real_time)


@pytest.mark.parametrize(("name", "code"), [("SIGINT", -signal.SIGINT), ("SIGTERM", 128 + signal.SIGTERM)])
def test_ctrl_c_and_sigterm_stop_the_arm_before_the_process_ends(
    real_time: Bench, name: str, code: int
) -> None:
    with driving(real_time, "drive") as (process, who):
        stops = real_time.ask("log")["asked"].count(STOP)
        told_s = time.monotonic()
        process.send_signal(signal.Signals[name])
        assert_stands_soon(real_time, told_s)
        ended = process.wait(timeout=10)
        assert real_time.ask("log")["asked"].count(STOP) > stops
        assert ended in (code, 128 + signal.Signals[name])
        assert _gone(who["guardian"])
    assert_free_and_probed_first(real_time)


def test_a_child_that_the_killed_driver_forked_does_not_keep_the_arm_moving(real_time: Bench) -> None:
    with driving(real_time, "drive-and-fork") as (_, who):
        killed_s = time.monotonic()
        os.kill(who["driver"], signal.SIGKILL)
        assert_stands_soon(real_time, killed_s)
        os.kill(who["forked"], signal.SIGKILL)


def test_an_emulated_arm_goes_with_its_killed_driver(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "tests.lib.arm.driving", "drive", str(tmp_path / "data"), "emulated"]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        who = json.loads(process.stdout.readline())
        where = running(registration(tmp_path / "data"))
        assert where is not None
        process.kill()
    assert _gone(who["guardian"])
    assert _gone(where.pid)
    assert running(registration(tmp_path / "data")) is None
    assert not Path(where.socket).exists()


def test_a_driver_that_ends_in_order_sends_no_stop(real_time: Bench) -> None:
    with connect(real_time.settings) as arm:
        arm.move([1.0, 0, 0, 0, 0, 0], 20)
        guardian = arm.guardian_pid
    assert guardian is not None
    assert _gone(guardian)
    assert STOP not in real_time.ask("log")["asked"]


def test_without_a_guardian_nothing_is_sent(real_time: Bench) -> None:
    with connect(real_time.settings) as arm:
        arm.prepare()
        assert arm.guardian_pid is not None
        os.kill(arm.guardian_pid, signal.SIGKILL)
        time.sleep(0.1)
        with pytest.raises(Exception, match="its guardian is gone, so nothing was sent"):
            arm.move([5.0, 0, 0, 0, 0, 0], 20)
    assert real_time.motions_asked() == []


def test_a_driver_for_a_flow_that_is_gone_already_does_not_start(real_time: Bench) -> None:
    child = subprocess.Popen(["true"])
    child.wait()
    with (
        pytest.raises(Exception, match="guardian does not start"),
        connect(real_time.settings, works_for=child.pid),
    ):
        pass


def _gone(pid: int) -> bool:
    """Whether a process ends within a moment, a zombie counting as ended."""
    until = time.monotonic() + 6.0
    while time.monotonic() < until:
        try:
            if Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] == "Z":
                return True
        except (FileNotFoundError, ProcessLookupError):
            return True
        time.sleep(0.02)
    return False
