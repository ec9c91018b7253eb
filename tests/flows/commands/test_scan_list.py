"""`nightpick scan list` and `set-aside`: each scan with where it stands and what to do about it."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from flows.cli import main
from tests.flows.commands.test_merge import displaced, keep, swapped
from tests.lib.scan.scan_files import write_scan
from tests.lib.table.conftest import measured, poses


@pytest.fixture
def scans(data_dir: Path) -> Path:
    """A folder with one scan of each kind: merged, rolled back, blocked, set aside, pending."""
    folder = data_dir.parent
    keep(folder, base=measured(poses(200)), back=measured(poses(20, 1)))
    assert main(["table", "merge", "--scan", "base.csv"]) == 0
    assert main(["table", "merge", "--accept-worse", "1000"]) == 0
    assert main(["table", "rollback", "1"]) == 0
    keep(folder, moved=displaced(2), swapped=swapped(3))
    assert main(["table", "merge"]) == 1
    assert main(["scan", "set-aside", "swapped.csv", "--reason", "axes of the old export"]) == 0
    keep(folder, new=measured(poses(20, 4)))
    return folder


def test_every_scan_is_listed_with_what_to_do(scans: Path, capsys: pytest.CaptureFixture[str]) -> None:
    capsys.readouterr()
    assert main(["scan", "list"]) == 0
    head, *lines = capsys.readouterr().out.splitlines()
    assert head.split() == ["scan", "md5", "state", "rows", "read", "as", "ingested", "(UTC)", "file"]
    assert [line.split("  ")[-1] for line in lines[:5]] == [
        "base.csv", "back.csv", "moved.csv", "swapped.csv", "new.csv",
    ]  # fmt: skip
    for line, state in zip(
        lines,
        ("merged, version 1", "rolled back, version 2", "blocked", "set aside", "pending"),
        strict=False,
    ):
        assert state in line
    todo = lines[5:]
    assert [line.split(" is ")[0] for line in todo] == ["scan 2", "scan 3", "scan 4"]
    assert "blocked by self_consistency since " in todo[1]
    assert "set aside, because: axes of the old export" in todo[2]
    assert all("`nightpick table merge --scan " in line for line in todo)


def test_the_list_for_machines_has_a_state_a_reason_and_a_whole_md5(
    scans: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["scan", "list", "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    names = ("sequence", "state", "version", "blocked_by", "set_aside_because")
    assert [tuple(scan[name] for name in names) for scan in found] == [
        (1, "merged", 1, None, None),
        (2, "rolled back", 2, None, None),
        (3, "blocked", None, "self_consistency", None),
        (4, "set aside", None, "self_consistency", "axes of the old export"),
        (5, "pending", None, None, None),
    ]  # fmt: skip
    assert all(len(scan["md5"]) == 32 for scan in found)


def test_a_command_of_the_list_brings_a_rolled_back_scan_back(
    scans: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["scan", "list"]) == 0
    line = next(line for line in capsys.readouterr().out.splitlines() if line.startswith("scan 2 "))
    command = line.split("`")[1].split()[1:]
    assert main([*command, "--accept-worse", "1000"]) == 0
    assert "version 3 published" in capsys.readouterr().out


def test_what_is_set_aside_is_no_longer_merged_and_a_second_time_changes_nothing(
    scans: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["scan", "set-aside", "swapped.csv", "--reason", "another", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["set_aside_because"] == "axes of the old export"
    assert main(["table", "merge", "--json"]) == 1
    merges = json.loads(capsys.readouterr().out)["merges"]
    assert [m["scan_file"] for m in merges] == ["moved.csv", "new.csv"]


def test_a_kept_file_is_read_anew_with_other_units(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = str(write_scan(data_dir.parent / "a.csv", measured(poses(20))))
    assert main(["scan", "ingest", path, "--length-unit", "mm"]) == 0
    assert main(["scan", "ingest", path]) == 0
    assert "--again reads it anew" in capsys.readouterr().out
    assert main(["scan", "ingest", path, "--again", "--json"]) == 0
    (entry,) = json.loads(capsys.readouterr().out)
    assert (entry["status"], entry["sequence"], entry["reading"]) == ("ingested", 1, 2)
    assert main(["table", "merge"]) == 0
    capsys.readouterr()
    assert main(["scan", "ingest", path, "--again", "--length-unit", "mm"]) == 2
    assert (
        "its rows are in version 1, which is in use; `nightpick table rollback 0` first"
        in capsys.readouterr().err
    )
    assert main(["table", "rollback", "0"]) == 0
    assert "no version is in use (before: version 1)" in capsys.readouterr().out
    assert main(["lookup", "place", "-0.17", "0.19"]) == 2
    assert main(["doctor", "--json"]) in (0, 1)


def test_without_a_scan_the_list_says_how_to_begin(
    data_dir: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["scan", "list"]) == 0
    assert capsys.readouterr().out == "no scan is kept yet: `nightpick scan ingest FILE` takes one in\n"
