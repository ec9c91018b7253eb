"""`nightpick arm` against emulated arms: what it prints, what it ends with, what it leaves in the run log."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from lib.arm import connect
from lib.runlog import connect as ask_log
from tests.lib.arm.conftest import Bench, making_benches

ROOT = Path(__file__).parents[3]
Verb = Callable[..., tuple[int, dict[str, Any]]]


@pytest.fixture(autouse=True)
def signals_as_before() -> Iterator[None]:
    """The verbs turn Ctrl-C and SIGTERM into a stop in order; this process goes on without them."""
    before = {name: signal.getsignal(name) for name in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)}
    yield
    for name, handler in before.items():
        signal.signal(name, handler)


@pytest.fixture
def bench(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Bench]:
    """An emulated arm that the environment names."""
    with making_benches(tmp_path) as make:
        bench = make()
        monkeypatch.chdir(tmp_path)
        for name, value in environment(bench).items():
            monkeypatch.setenv(name, value)
        yield bench


@pytest.fixture
def verb(bench: Bench, capsys: pytest.CaptureFixture[str]) -> Verb:
    def run(*arguments: str) -> tuple[int, dict[str, Any]]:
        code = main(["arm", *arguments, "--json"])
        out = capsys.readouterr().out
        assert len(out.splitlines()) == 1  # one document, whatever happens
        return code, json.loads(out)

    return run


def environment(bench: Bench) -> dict[str, str]:
    return {
        "NIGHTPICK_DATA_DIR": str(bench.settings.data_dir),
        "NIGHTPICK_ARM__KIND": "serial",
        "NIGHTPICK_ARM__PORT": str(bench.settings.arm.port),
        "NIGHTPICK_CELL__TIME_SCALE": str(bench.settings.cell.time_scale),
    }


def test_status_is_a_table_and_moves_nothing(bench: Bench, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["arm", "status"]) == 0
    out = capsys.readouterr().out
    assert "power    off" in out
    assert "J6           -  -180 .. 180" in out
    bench.ask("log")
    assert {frame.split()[3] for frame in bench.ask("log")["asked"]} <= {"12", "e3", "e4", "e5", "d8"}
    assert main(["arm", "home"]) == 0
    assert main(["arm", "status"]) == 0
    out = capsys.readouterr().out
    assert "power    on" in out
    assert "homed    no: only slow and near to where it was found" in out
    assert "gripper  100 of 100 open" in out


def test_a_move_takes_negative_numbers_and_says_where_it_led(bench: Bench, verb: Verb) -> None:
    code, moved = verb("move", "10", "-10.5", "-5", "0", "-5", "-20")
    assert code == 0
    assert moved["reached_deg"] == pytest.approx([10, -10.5, -5, 0, -5, -20], abs=0.02)
    assert bench.encoders_deg() == pytest.approx(moved["reached_deg"], abs=0.02)
    code, status = verb("status")
    assert (code, status["joints_deg"], status["homed"]) == (0, moved["reached_deg"], False)


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        (["move", "1", "2", "3"], 2, "3 joint values; expected six"),
        (["move", "1", "2", "3", "4", "5", "x"], 2, "expected six joint values [deg], or one taught pose"),
        (["move", "nowhere"], 2, "was never taught; there are: none yet"),
        (["move", "nan", "0", "0", "0", "0", "0"], 3, "refused (finite)"),
        (["move", "0", "0", "66", "0", "0", "0"], 3, "refused (limits)"),
        (["move", "0", "0", "0", "0", "-91", "0"], 3, "refused (safe range)"),
        (["move", "0", "25", "0", "0", "0", "0"], 3, "refused (homing)"),
        (["move", "5", "0", "0", "0", "0", "0", "--speed", "21"], 3, "refused (homing)"),
        (["move", "5", "0", "0", "0", "0", "0", "--speed", "0"], 3, "refused (speed)"),
        (["move", "0.6981", "0.8727", "-0.3491", "0", "-0.733", "0"], 3, "refused (radians)"),
        (["teach", "../x"], 2, "expected a letter"),
    ],
)
def test_what_cannot_be_is_one_line_and_an_exit_code(
    bench: Bench, capsys: pytest.CaptureFixture[str], arguments: list[str], code: int, says: str
) -> None:
    assert main(["arm", *arguments]) == code
    captured = capsys.readouterr()
    assert captured.out == ""
    assert len(captured.err.splitlines()) == 1
    assert says in captured.err
    assert bench.motions_asked() == []


def test_refusals_and_health_are_in_the_run_log(bench: Bench, verb: Verb) -> None:
    assert verb("move", "0", "0", "66", "0", "0", "0")[0] == 3
    assert verb("status")[0] == 0
    with ask_log(bench.settings.data_dir) as con:
        refusals = con.sql("SELECT arm, rule, message, numbers, asked FROM gate_refusal").fetchall()
        health = con.sql(
            "SELECT arm, powered, warmest_c, lowest_v, reboot_count, suspect_calls FROM arm_health"
        )
        assert health.fetchall() == [("mecharm270", True, pytest.approx(29, abs=2), 12.0, 0, 0)]
    ((arm, rule, message, numbers, asked),) = refusals
    assert (arm, rule) == ("mecharm270", "limits")
    assert message == "J3 would be sent 66 deg, outside its limits [-175, 65]"
    assert json.loads(numbers) == {"joint": 2, "value_deg": 66.0}
    assert json.loads(asked) == {"target_deg": [0, 0, 66, 0, 0, 0], "speed": 20, "in_batch": False}


def test_stop_says_where_it_stands(bench: Bench, verb: Verb) -> None:
    verb("move", "5", "0", "0", "0", "0", "0")
    code, stopped = verb("stop")
    assert (code, stopped["ended_pid"]) == (0, None)
    assert stopped["joints_deg"] == pytest.approx([5, 0, 0, 0, 0, 0], abs=0.02)
    assert "fe fe 02 29 fa" in bench.ask("log")["asked"]


def test_stop_reaches_past_whoever_drives_the_arm_and_ends_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with making_benches(tmp_path) as make:
        bench = make(time_scale=1.0)
        for name, value in environment(bench).items():
            monkeypatch.setenv(name, value)
        slowly = ["move", "19", "0", "0", "0", "0", "0", "--speed", "2"]
        mover = subprocess.Popen(
            [sys.executable, "-m", "flows.cli", "arm", *slowly],
            env={**os.environ, "PYTHONPATH": str(ROOT)},
            stdout=subprocess.DEVNULL,
            stderr=subprocess.PIPE,
        )
        wait_until(lambda: bench.encoders_deg()[0] > 0.2)
        assert main(["arm", "move", "0", "0", "0", "0", "0", "0"]) == 4
        assert f"is held by process {mover.pid}" in capsys.readouterr().err
        assert main(["arm", "stop", "--json"]) == 0
        assert json.loads(capsys.readouterr().out)["ended_pid"] == mover.pid
        assert mover.stderr is not None
        assert (mover.wait(timeout=10), mover.stderr.read()) == (143, b"nightpick: stopped by SIGTERM\n")
        mover.stderr.close()
        at = bench.encoders_deg()
        assert 0.2 < at[0] < 18.0
        time.sleep(0.3)
        assert bench.encoders_deg() == at


def test_watch_ends_after_its_time(bench: Bench, verb: Verb) -> None:
    verb("home")
    code, watched = verb("watch", "--for", "0.5")
    assert code == 0
    assert len(watched["readings"]) >= 3
    assert {tuple(reading["encoders_deg"]) for reading in watched["readings"]} == {(0.0,) * 6}


def test_a_taught_pose_is_kept_by_name_and_gone_to(
    bench: Bench, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    verb("home")
    # The person: at the second question the arm is where it was led by hand.
    monkeypatch.setattr(
        sys, "stdin", Person(lambda: bench.ask("pose_by_hand", joints_deg=[12, 5, -8, 0, -30, 9]))
    )
    code, pose = verb("teach", "low-left")
    assert (code, pose["name"]) == (0, "low-left")
    assert pose["joints_deg"] == pytest.approx([12, 5, -8, 0, -30, 9], abs=0.02)
    assert bench.ask("state")["powered"]
    verb("move", "10", "0", "0", "0", "-15", "0")
    code, moved = verb("move", "low-left")
    assert (code, moved["reached_deg"]) == (0, pytest.approx(pose["joints_deg"], abs=0.02))


def test_a_pose_the_arm_could_not_be_sent_to_is_not_kept(
    bench: Bench, verb: Verb, monkeypatch: pytest.MonkeyPatch
) -> None:
    verb("home")
    monkeypatch.setattr(
        sys, "stdin", Person(lambda: bench.ask("pose_by_hand", joints_deg=[0, 60, 60, 0, 0, 0]))
    )
    code, refused = verb("teach", "under-the-table")
    assert (code, refused["error"]["code"]) == (3, 3)
    assert "(keep-out)" in refused["error"]["message"]
    assert verb("move", "under-the-table")[0] == 2


def test_emulate_says_where_it_is_reached_and_is_the_data_folder_s_arm_until_ctrl_c(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(tmp_path / "data"))
    emulate = [
        "arm",
        "emulate",
        "--body",
        "ideal",
        "--time-scale",
        "10",
        "--fault",
        "latency_s=0.01",
        "--json",
    ]
    process = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", *emulate],
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    try:
        where = json.loads(process.stdout.readline())
        assert where["time_scale"] == 10.0
        assert main(["arm", "move", "3", "0", "0", "0", "0", "0"]) == 0
        capsys.readouterr()
        assert main(["arm", "status", "--json"]) == 0
        status = json.loads(capsys.readouterr().out)
        assert (status["arm"], status["joints_deg"][0]) == ("the emulated arm", pytest.approx(3.0, abs=0.02))
        assert main(["arm", "emulate", "--body", "ideal"]) == 4
        assert main(["arm", "emulate", "--fault", "latency=1"]) == 2
        assert "no such switch; there are latency_s" in capsys.readouterr().err
    finally:
        process.send_signal(signal.SIGINT)
        assert process.wait(timeout=10) == 0
        process.stdout.close()
    assert not Path(where["socket"]).exists()
    assert main(["arm", "stop"]) == 0
    assert "no emulated arm runs for this data folder" in capsys.readouterr().out


def test_an_emulated_arm_of_the_command_s_own_is_said_to_end_with_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIGHTPICK_ARM__BODY", "ideal")
    assert main(["arm", "status", "--json"]) == 0
    captured = capsys.readouterr()
    assert json.loads(captured.out)["joints_deg"] == [0.0] * 6
    assert captured.err.splitlines() == [
        "no emulated arm runs here: this one ends with the command; `nightpick arm emulate` keeps one"
    ]


def test_a_homed_arm_shows_its_true_joints_by_every_verb(bench: Bench, verb: Verb) -> None:
    with connect(bench.settings) as arm:
        arm.mark_homed((0.5, 0, 0, 0, 0, -0.25))
        arm.move([10.0, 5, 0, 0, 0, 4], 60)
    true_deg = pytest.approx([10.0, 5, 0, 0, 0, 4], abs=0.02)
    encoders_deg = pytest.approx([9.5, 5, 0, 0, 0, 4.25], abs=0.02)
    _, status = verb("status")
    assert (status["joints_deg"], status["encoders_deg"], status["homed"]) == (true_deg, encoders_deg, True)
    seen = verb("watch", "--for", "0.1")[1]["readings"][0]
    assert (seen["joints_deg"], seen["encoders_deg"]) == (true_deg, encoders_deg)
    assert verb("stop")[1]["joints_deg"] == true_deg


def test_where_an_arm_that_stands_far_away_cannot_go_home_it_is_said_what_to_do(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    with making_benches(tmp_path) as make:
        bench = make(joints_deg=(40.0, 82.0, -36.0, 0.0, -50.0, 0.0))
        for name, value in environment(bench).items():
            monkeypatch.setenv(name, value)
        assert main(["arm", "home"]) == 3
        said = capsys.readouterr().err
        assert "J2 would be 82.0 deg from where it was found at power-on (82.0), at most 20 without" in said
        assert "`nightpick home` finds by camera where the arm stands" in said
        assert "`nightpick arm teach NAME`" in said
        # The second of these, as a person would do it.
        monkeypatch.setattr(sys, "stdin", Person(lambda: bench.ask("pose_by_hand", joints_deg=[0.0] * 6)))
        assert main(["arm", "teach", "upright"]) == 0
        assert main(["arm", "home"]) == 0


def test_a_port_that_is_not_there_is_said_in_one_line(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("NIGHTPICK_ARM__KIND", "serial")
    assert main(["arm", "status"]) == 2
    assert "needs arm.port" in capsys.readouterr().err
    monkeypatch.setenv("NIGHTPICK_ARM__PORT", "/dev/ttyUSB99")
    assert main(["arm", "status"]) == 3
    assert "/dev/ttyUSB99: No such file or directory; plug the arm in" in capsys.readouterr().err
    monkeypatch.setenv("NIGHTPICK_ARM__KIND", "bluetooth")
    assert main(["arm", "status"]) == 2
    assert "expected emulated, serial or socket" in capsys.readouterr().err


class Person(io.StringIO):
    """Presses Enter when asked, and poses the arm before pressing it the second time."""

    def __init__(self, poses: Callable[[], object]) -> None:
        super().__init__()
        self._questions = 0
        self._poses = poses

    def readline(self, *_: Any) -> str:  # type: ignore[override]  # typeshed lets every stream give bytes
        self._questions += 1
        if self._questions == 2:
            self._poses()
        return "\n"


def wait_until(holds: Callable[[], bool]) -> None:
    until = time.monotonic() + 30.0
    while not holds():
        assert time.monotonic() < until
        time.sleep(0.02)
