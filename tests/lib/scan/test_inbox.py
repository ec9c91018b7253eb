"""The inbox: what is a scan, in which order, and when a file may leave."""

from __future__ import annotations

import hashlib
import os
from pathlib import Path

import pytest

from lib.errors import Busy, NightpickError
from lib.scan import inbox_folder, move_to_done, taking_in, waiting_scans


def test_scans_come_oldest_first_and_everything_else_in_the_folder_is_left_alone(tmp_path: Path) -> None:
    inbox = inbox_folder(tmp_path)
    (inbox / "done").mkdir(parents=True)
    for age_s, name in ((10, "late.csv"), (30, "early.parquet"), (20, "middle.csv.gz")):
        (inbox / name).write_text(name)
        os.utime(inbox / name, (1_000_000 - age_s, 1_000_000 - age_s))
    for name in (".hidden.csv", "early.request.csv", "half.csv.part", "half.csv.tmp", "half.csv~"):
        (inbox / name).write_text(name)
    assert [scan.name for scan in waiting_scans(tmp_path)] == ["early.parquet", "middle.csv.gz", "late.csv"]


def test_without_an_inbox_nothing_waits(tmp_path: Path) -> None:
    assert waiting_scans(tmp_path) == []


def test_a_kept_scan_leaves_with_its_request_and_never_over_an_earlier_one(tmp_path: Path) -> None:
    names = []
    for content in ("first", "second"):
        scan, kept, md5 = _dropped(tmp_path, content)
        scan.with_name("base.request.csv").write_text(f"request of {content}")
        names.append(move_to_done(scan, kept, md5).name)
        assert waiting_scans(tmp_path) == []
    done = inbox_folder(tmp_path) / "done"
    assert names == ["base.csv", "base-2.csv"]
    assert {file.name: file.read_text() for file in done.iterdir()} == {
        "base.csv": "first",
        "base.request.csv": "request of first",
        "base-2.csv": "second",
        "base-2.request.csv": "request of second",
    }


@pytest.mark.parametrize("damaged", ["kept copy", "scan"])
def test_a_scan_stays_when_it_and_its_kept_copy_differ(tmp_path: Path, damaged: str) -> None:
    scan, kept, md5 = _dropped(tmp_path, "content")
    (kept if damaged == "kept copy" else scan).write_text("contents")
    with pytest.raises(NightpickError, match="the scan stays in the inbox"):
        move_to_done(scan, kept, md5)
    assert scan.exists()


def test_one_process_at_a_time_takes_scans_in(tmp_path: Path) -> None:
    with taking_in(tmp_path), pytest.raises(Busy, match="taking the scans of"), taking_in(tmp_path):
        pass
    with taking_in(tmp_path):
        pass


def _dropped(tmp_path: Path, content: str) -> tuple[Path, Path, str]:
    scan, kept = inbox_folder(tmp_path) / "base.csv", tmp_path / "kept.csv"
    scan.parent.mkdir(exist_ok=True)
    scan.write_text(content)
    kept.write_text(content)
    return scan, kept, hashlib.md5(content.encode()).hexdigest()
