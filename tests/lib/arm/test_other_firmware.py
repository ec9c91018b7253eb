"""The driver gets on with a firmware that it was not written beside."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from flows.cli import main
from lib.arm import Health, connect, looking
from lib.settings import Settings
from tests.lib.arm.other_firmware import Manners, OtherFirmware

ODD_HEALTH = {
    0xE3: bytes([0, 120] * 6),  # two bytes a servo
    0xE4: bytes(7),  # the gripper's servo too
    0xE5: bytes([31, 32, 33, 34, 35, 36, 30]),
    0xD8: bytes([0, 0, 0, 7]),  # four bytes
}
MANNERS = {
    "silent about everything it may be silent about": Manners(),
    "acknowledges, joints together": Manners(
        acknowledges=True, powered=True, together=True, health=ODD_HEALTH
    ),
    "acknowledges without a payload": Manners(acknowledges=True, acknowledges_empty=True, health=ODD_HEALTH),
    "other lengths for voltages, states, temperatures and reboots": Manners(
        acknowledges=True, health=ODD_HEALTH
    ),
    "no angles without power": Manners(answers_angles_unpowered=False, health=ODD_HEALTH),
    "slow, in single bytes": Manners(acknowledges=True, latency_s=0.08, chunk=1, health=ODD_HEALTH),
    "chatters": Manners(acknowledges=True, chatters=True, health=ODD_HEALTH),
}


@contextmanager
def running(manners: Manners) -> Iterator[OtherFirmware]:
    firmware = OtherFirmware(manners)
    try:
        yield firmware
    finally:
        firmware.close()


def settings_for(folder: Path, port: str) -> Settings:
    settings = Settings(data_dir=folder / "data")
    return replace(settings, arm=replace(settings.arm, kind="serial", port=port))


@pytest.mark.parametrize("name", MANNERS)
def test_it_is_read_moved_gripped_and_stopped(name: str, tmp_path: Path) -> None:
    with running(MANNERS[name]) as firmware, connect(settings_for(tmp_path, firmware.port)) as arm:
        moved = arm.move([15.0, -10.0, 5.0, 0.0, -10.0, 20.0], 20)
        assert moved.reached_deg == pytest.approx([15.0, -10.0, 5.0, 0.0, -10.0, 20.0], abs=0.1)
        assert firmware.joints_deg == pytest.approx(moved.reached_deg, abs=0.1)
        arm.mark_homed()
        assert arm.move([40, 50, -20, 0, -42, 0], 100).off_deg < 0.1
        gripped = arm.grip(0)
        assert (gripped.value, gripped.holds) == (0, False)
        health = arm.health()
        assert health.powered
        assert health.error == 0
        reading = arm.stop()
        assert reading is not None
        assert reading.joints_deg == pytest.approx([40, 50, -20, 0, -42, 0], abs=0.1)
        motions = [frame for frame in firmware.heard if frame[3] in (0x21, 0x22)]
        assert len(motions) == 2


def health_of(manners: Manners, folder: Path) -> Health:
    with running(manners) as firmware, looking(settings_for(folder, firmware.port)) as arm:
        return arm.health()


def test_odd_lengths_are_understood_and_silence_is_none(tmp_path: Path) -> None:
    health = health_of(Manners(powered=True, health=ODD_HEALTH), tmp_path)
    assert health.voltages_v == pytest.approx((12.0,) * 6)
    assert health.temperatures_c == (31, 32, 33, 34, 35, 36)
    assert health.servo_states == (0,) * 6
    assert health.reboots == 7
    health = health_of(Manners(powered=True), tmp_path)
    assert (health.voltages_v, health.temperatures_c, health.servo_states, health.reboots) == (None,) * 4


def test_the_verbs_just_work_by_three_settings(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    with running(Manners(health=ODD_HEALTH)) as firmware:
        monkeypatch.chdir(tmp_path)
        monkeypatch.setenv("NIGHTPICK_ARM__KIND", "serial")
        monkeypatch.setenv("NIGHTPICK_ARM__PORT", firmware.port)
        monkeypatch.setenv("NIGHTPICK_ARM__BAUD", "115200")

        def verb(*arguments: str) -> tuple[int, dict[str, Any]]:
            code = main(["arm", *arguments, "--json"])
            return code, json.loads(capsys.readouterr().out)

        code, status = verb("status")
        assert (code, status["powered"], status["joints_deg"]) == (0, False, None)
        assert [
            frame[3] for frame in firmware.heard if frame[3] in (0x10, 0x22)
        ] == []  # a look moves nothing
        code, home = verb("home")
        assert (code, home["reached_deg"]) == (0, [0.0] * 6)
        code, moved = verb("move", "10", "-10", "-5", "0", "-5", "-20")
        assert (code, moved["speed"]) == (0, 20)
        assert firmware.joints_deg == pytest.approx([10, -10, -5, 0, -5, -20], abs=0.1)
        code, refused = verb("move", "10", "-10", "66", "0", "-5", "-20")
        assert (code, refused["error"]["code"]) == (3, 3)
        assert "limits" in refused["error"]["message"]
        code, stopped = verb("stop")
        assert (code, stopped["joints_deg"]) == (0, pytest.approx([10, -10, -5, 0, -5, -20], abs=0.1))
