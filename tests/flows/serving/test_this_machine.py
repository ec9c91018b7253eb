"""What deploying learns of the machine: its folder and its time zone by name."""

from __future__ import annotations

from pathlib import Path
from zoneinfo import ZoneInfo

import pytest

from flows.serving.this_machine import describe, local_zone


def test_the_folder_is_the_one_with_prefect_yaml() -> None:
    assert (Path(describe()["folder"]) / "prefect.yaml").is_file()


def test_the_zone_of_this_machine_has_rules() -> None:
    ZoneInfo(describe()["timezone"])


def test_tz_comes_first_then_the_link_then_the_file_then_utc(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    zone = tmp_path / "zoneinfo" / "Europe" / "Berlin"
    zone.parent.mkdir(parents=True)
    zone.write_text("")
    link, file = tmp_path / "localtime", tmp_path / "timezone"
    link.symlink_to(zone)
    file.write_text("Asia/Shanghai\n")
    nothing = tmp_path / "nothing"
    monkeypatch.setenv("TZ", ":Asia/Kathmandu")
    assert local_zone(link, file) == "Asia/Kathmandu"
    monkeypatch.setenv("TZ", f":{zone}")
    assert local_zone(nothing, nothing) == "Europe/Berlin"
    monkeypatch.delenv("TZ")
    assert local_zone(link, file) == "Europe/Berlin"
    assert local_zone(nothing, file) == "Asia/Shanghai"
    assert local_zone(nothing, nothing) == "UTC"
