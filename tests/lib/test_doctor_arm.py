"""What the doctor says of the arm: each way it is reached, or why not, and the last homing."""

from __future__ import annotations

import fcntl
import os
import socket
from dataclasses import replace
from pathlib import Path
from typing import Any

from lib.doctor import Finding, examine
from lib.runlog import run_log
from lib.settings import Settings


def found(name: str, tmp_path: Path, **arm: Any) -> Finding:
    settings = replace(Settings(data_dir=tmp_path / "data"), arm=replace(Settings().arm, **arm))
    (finding,) = [finding for finding in examine(settings, None) if finding.name == name]
    return finding


def test_an_emulated_arm_needs_nothing(tmp_path: Path) -> None:
    finding = found("arm", tmp_path)
    assert (finding.ok, finding.found) == (True, "emulated, started when it is needed")


def test_a_port_that_is_not_there_is_told_and_does_not_refuse_a_night(tmp_path: Path) -> None:
    finding = found("arm", tmp_path, kind="serial", port=str(tmp_path / "ttyUSB0"))
    assert not finding.ok
    assert finding.found == f"{tmp_path / 'ttyUSB0'}: no such device; plug the arm in, or set arm.port"
    assert not finding.stops_a_night


def test_who_drives_a_serial_arm_is_named(tmp_path: Path) -> None:
    ours, theirs = os.openpty()
    port = os.ttyname(theirs)
    try:
        assert found("arm", tmp_path, kind="serial", port=port).found == f"serial at {port}, free"
        fcntl.flock(theirs, fcntl.LOCK_EX)
        finding = found("arm", tmp_path, kind="serial", port=port)
        assert finding.ok
        assert finding.found == f"serial at {port}, process {os.getpid()} drives it"
    finally:
        os.close(ours)
        os.close(theirs)


def test_a_server_that_answers_and_one_that_does_not(tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        finding = found("arm", tmp_path, kind="socket", host="127.0.0.1", host_port=port)
        assert (finding.ok, finding.found) == (True, f"socket at 127.0.0.1:{port}, answers")
    finding = found("arm", tmp_path, kind="socket", host="127.0.0.1", host_port=port)
    assert not finding.ok
    assert "no answer" in finding.found


def test_the_last_homing_counts_and_an_unsure_one_names_its_joints(tmp_path: Path) -> None:
    assert found("homing", tmp_path).found == "none yet, a night homes before it moves anything"
    log = run_log(tmp_path / "data")
    log.append("homing", homing_id="homing_1", arm="mecharm270", state="confident")
    assert found("homing", tmp_path).found == "homing_1: confident"
    log.append("homing", homing_id="homing_2", arm="mecharm270", state="unsure")
    for variable, sure in (("j0", "high"), ("j5", "none"), ("j4", "low")):
        log.append("homing_joint", homing_id="homing_2", variable=variable, confidence=sure)
    finding = found("homing", tmp_path)
    assert (finding.ok, finding.found) == (False, "homing_2: unsure; not sure of j4, j5")
