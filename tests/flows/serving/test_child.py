"""A child process never outlives its owner, and its grandchildren never outlive it."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

from flows.serving.child import Child

OWNER = """
import sys, time
from pathlib import Path
from flows.serving.child import Child
child = Child([sys.executable, "-c", Path(sys.argv[1]).read_text(), sys.argv[2]], Path(sys.argv[3]),
              environment={}, grace_s=0.5)
print(child.pid, flush=True)
time.sleep(60)
"""

# Writes its own and a grandchild's process id, then sleeps; deaf to what its first line ignores.
SLEEPER = """
import os, signal, subprocess, sys, time
for name in {ignored}:
    signal.signal(getattr(signal, name), signal.SIG_IGN)
grandchild = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(60)"])
with open(sys.argv[1] + ".new", "w") as f:
    f.write(f"{{os.getpid()}} {{grandchild.pid}}")
os.replace(sys.argv[1] + ".new", sys.argv[1])
time.sleep(60)
"""


def test_stopping_ends_the_command_and_what_it_started(tmp_path: Path) -> None:
    child = _sleeper(tmp_path, ignored=[])
    pids = _pids(tmp_path)
    assert child.exit_code() is None
    child.stop()
    assert child.exit_code() is not None
    assert not any(_alive(pid) for pid in pids)


def test_a_command_deaf_to_interrupt_and_terminate_is_killed_after_both_graces(tmp_path: Path) -> None:
    child = _sleeper(tmp_path, ignored=["SIGINT", "SIGTERM"])
    pids = _pids(tmp_path)
    started = time.monotonic()
    child.stop()
    assert 1.0 <= time.monotonic() - started < 5.0
    assert child.exit_code() == 128 + signal.SIGKILL
    assert not any(_alive(pid) for pid in pids)


def test_a_command_that_may_be_killed_at_any_moment_is_not_asked_first(tmp_path: Path) -> None:
    child = _sleeper(tmp_path, ignored=["SIGINT", "SIGTERM"], grace_s=30)
    pids = _pids(tmp_path)
    started = time.monotonic()
    child.kill()
    child.kill()  # harmless when it is gone
    assert time.monotonic() - started < 5.0
    assert child.exit_code() == 128 + signal.SIGKILL
    assert not any(_alive(pid) for pid in pids)


def test_kill_9_of_the_owner_ends_the_command(tmp_path: Path) -> None:
    owner = _owner(tmp_path)
    pids = _pids(tmp_path)
    owner.kill()
    owner.wait()
    _wait_until(lambda: not any(_alive(pid) for pid in pids))


def test_kill_9_of_the_guardian_ends_the_command_too(tmp_path: Path) -> None:
    child = _sleeper(tmp_path, ignored=[])
    command_pid, _ = _pids(tmp_path)
    os.kill(child.pid, signal.SIGKILL)
    _wait_until(lambda: not _alive(command_pid))


def test_the_exit_code_and_the_last_line_of_a_command_that_ends_by_itself_are_known(tmp_path: Path) -> None:
    child = Child(
        [sys.executable, "-c", "print('no port left'); raise SystemExit(7)"],
        tmp_path / "log",
        environment=dict(os.environ),
    )
    _wait_until(lambda: child.exit_code() is not None)
    assert child.exit_code() == 7
    assert child.last_line() == "no port left"


def _sleeper(tmp_path: Path, ignored: list[str], grace_s: float = 0.5) -> Child:
    return Child(
        [sys.executable, "-c", SLEEPER.format(ignored=ignored), str(tmp_path / "pids")],
        tmp_path / "log",
        environment=dict(os.environ),
        grace_s=grace_s,
    )


def _owner(tmp_path: Path) -> subprocess.Popen[bytes]:
    (tmp_path / "sleeper.py").write_text(SLEEPER.format(ignored=[]))
    arguments = [str(tmp_path / "sleeper.py"), str(tmp_path / "pids"), str(tmp_path / "log")]
    root = Path(__file__).parents[3]
    return subprocess.Popen([sys.executable, "-c", OWNER, *arguments], cwd=root)


def _pids(tmp_path: Path) -> list[int]:
    _wait_until((tmp_path / "pids").exists)
    return [int(word) for word in (tmp_path / "pids").read_text().split()]


def _alive(pid: int) -> bool:
    try:
        state = Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0]
    except FileNotFoundError:
        return False
    return state != "Z"  # a zombie whose new parent has not looked yet has ended


def _wait_until(holds: Callable[[], bool], limit_s: float = 10.0) -> None:
    deadline = time.monotonic() + limit_s
    while not holds():
        assert time.monotonic() < deadline, "did not happen in time"
        time.sleep(0.05)
