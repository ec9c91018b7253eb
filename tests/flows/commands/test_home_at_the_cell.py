"""`nightpick home` at the simulated cell finds the offsets that its seed put into the joints."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest

from flows.cli import main
from lib.arm.registration import registration, running
from lib.cell import CellLink
from lib.runlog import connect

ROOT = Path(__file__).parents[3]


@pytest.fixture
def cell(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[CellLink]:
    """A simulated cell that keeps running between commands."""
    data_dir = tmp_path / "data"
    monkeypatch.setenv("NIGHTPICK_DATA_DIR", str(data_dir))
    monkeypatch.setenv("NIGHTPICK_CELL__TIME_SCALE", "20")
    monkeypatch.chdir(tmp_path)
    emulator = subprocess.Popen(
        [sys.executable, "-m", "flows.cli", "arm", "emulate"],
        env=os.environ | {"PYTHONPATH": str(ROOT)}, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        ends_s = time.monotonic() + 60
        while (where := running(registration(data_dir))) is None:
            assert emulator.poll() is None
            assert time.monotonic() < ends_s
            time.sleep(0.1)
        with CellLink(where.socket) as link:
            yield link
    finally:
        emulator.send_signal(signal.SIGTERM)
        emulator.wait(20)


def test_the_seeded_offsets_are_found_and_kept(cell: CellLink, capsys: pytest.CaptureFixture[str]) -> None:
    before = (
        signal.getsignal(signal.SIGINT),
        signal.getsignal(signal.SIGTERM),
        signal.getsignal(signal.SIGHUP),
    )
    code = main(["home", "--json"])
    for name, handler in zip((signal.SIGINT, signal.SIGTERM, signal.SIGHUP), before, strict=True):
        signal.signal(name, handler)
    document = json.loads(capsys.readouterr().out)
    assert (code, document["homed"]) == (0, True)
    truth = cell.truth()
    found = np.array([document["movements"][f"j{k}"]["value"] for k in range(6)])
    deviations = np.array([document["movements"][f"j{k}"]["std"] for k in range(6)])
    off_deg = found - truth["joints_deg"]
    assert np.abs(off_deg / deviations).max() < 4.5
    assert np.abs(off_deg).max() < 0.5
    # Of an offset, sag and backlash are no part; they add up to 0.8 degrees where the seed is unkind.
    offsets_deg = np.array([document["offsets_deg"][f"j{k}"] for k in range(6)])
    assert np.abs(truth["joint_offsets_deg"]).max() > 0.3
    assert np.abs(offsets_deg - truth["joint_offsets_deg"]).max() < 0.9
    assert main(["arm", "status", "--json"]) == 0
    status = json.loads(capsys.readouterr().out)
    assert status["homed"] is True
    with connect(Path(os.environ["NIGHTPICK_DATA_DIR"])) as database:
        kept = database.execute("SELECT joint_offset FROM homing_joint ORDER BY variable").fetchall()
    np.testing.assert_allclose([offset for (offset,) in kept], offsets_deg)
