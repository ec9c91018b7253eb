"""`nightpick table merge`: one scan is accepted at a time, and the document tells the truth of several."""

from __future__ import annotations

import json
import re
import shlex
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from flows.cli import main
from lib.runlog import connect
from tests.lib.scan.scan_files import write_scan
from tests.lib.table.conftest import measured, poses


def displaced(seed: int) -> np.ndarray:
    points = measured(poses(60, seed))
    points[:, 0] += 0.005
    return points


def swapped(seed: int) -> np.ndarray:
    return measured(poses(60, seed))[:, [2, 1, 0, 3, 4, 5, 6, 7, 8]]


@pytest.fixture
def folder(data_dir: Path) -> Path:
    """The folder of scan files of a table with one version."""
    keep(data_dir.parent, base=measured(poses(300)))
    assert main(["table", "merge"]) == 0
    return data_dir.parent


def keep(folder: Path, **scans: np.ndarray) -> None:
    files = [str(write_scan(folder / f"{name}.csv", points)) for name, points in scans.items()]
    assert main(["scan", "ingest", *files]) == 0


def merge(capsys: pytest.CaptureFixture[str], *arguments: str) -> tuple[int, dict[str, Any]]:
    capsys.readouterr()
    code = main(["table", "merge", "--json", *arguments])
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return code, document


def in_table(folder: Path) -> list[str]:
    with connect(folder / "data") as connection:
        return [
            file
            for (file,) in connection.execute("SELECT scan_file FROM fk_version ORDER BY version").fetchall()
        ]


def test_what_is_accepted_of_one_scan_is_not_accepted_of_another_that_is_pending(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(folder, moved=displaced(1), swapped=swapped(2))
    capsys.readouterr()
    accept = ["--accept-audit", "self_consistency", "--reason", "the base was moved"]
    assert main(["table", "merge", *accept]) == 2
    said = capsys.readouterr().err
    assert said.startswith(
        "nightpick: 2 scans are pending, and what is accepted of one is not accepted of the others"
    )
    commands = dict(re.findall(r"(\w+\.csv): `(nightpick [^`]*)`", said))
    assert list(commands) == ["moved.csv", "swapped.csv"]
    assert in_table(folder) == ["base.csv"]
    for given in (["--accept-worse", "5"], [*accept, "--accept-worse", "5"]):
        assert main(["table", "merge", *given]) == 2
    assert main(shlex.split(commands["moved.csv"])[1:]) == 0
    assert in_table(folder) == ["base.csv", "moved.csv"]


def test_the_command_that_a_blocked_merge_prints_merges_that_scan_alone(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(folder, moved=displaced(1), swapped=swapped(2))
    capsys.readouterr()
    assert main(["table", "merge"]) == 1
    told = capsys.readouterr().out
    assert "NO  self_consistency: " in told  # by the very name that is typed
    commands = re.findall(r"`(nightpick table merge [^`]*)` merges it all the same", told)
    assert len(commands) == 2
    assert main(shlex.split(commands[0].replace("TEXT", "'it was moved'"))[1:]) == 0
    assert in_table(folder) == ["base.csv", "moved.csv"]
    with connect(folder / "data") as connection:
        reasons = connection.execute(
            "SELECT accepted_because FROM fk_audit WHERE accepted_because IS NOT NULL AND state = 'published'"
        ).fetchall()
    assert set(reasons) == {("it was moved",)}


def test_several_audits_are_accepted_in_one_merge(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    again = measured(poses(300))[:40]
    again[:, 0] += 0.005
    keep(folder, again=again)
    code, document = merge(capsys)
    failed = [audit["name"] for audit in document["audits"] if audit["ok"] is False]
    assert code == 1 and set(failed) >= {"conflicts", "self_consistency"}
    command = document["accept_command"].replace("TEXT", "known")
    assert main(shlex.split(command)[1:]) == 0
    assert in_table(folder) == ["base.csv", "again.csv"]


def test_one_scan_is_named_by_file_md5_or_number_and_the_others_wait(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(folder, a=measured(poses(20, 1)), b=measured(poses(20, 2)), c=measured(poses(20, 3)))
    code, document = merge(capsys, "--scan", "c.csv", "--accept-worse", "1000")
    assert (code, document["scan_file"], document["version"]) == (0, "c.csv", 2)
    assert merge(capsys, "--scan", "2", "--accept-worse", "1000")[1]["scan_file"] == "a.csv"
    assert in_table(folder) == ["base.csv", "c.csv", "a.csv"]
    assert main(["table", "merge", "--scan", "c.csv"]) == 0
    assert "nothing to merge: c.csv is in version 2, which is in use" in capsys.readouterr().out
    assert main(["table", "merge", "--scan", "d.csv"]) == 2
    assert "no kept scan is 'd.csv'; `nightpick scan list` lists them" in capsys.readouterr().err


def test_of_one_scan_the_document_is_its_merge(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    keep(folder, moved=displaced(1))
    code, document = merge(capsys)
    assert (code, document["promoted"], document["version"], document["parent"]) == (1, False, 2, 1)
    assert (document["scanned"], document["added"], document["rows"]) == (60, 60, 360)
    assert document["merges"] == [{k: v for k, v in document.items() if k not in ("merges", "damaged")}]


def test_of_several_scans_the_document_tells_of_the_table(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    keep(folder, good=measured(np.round(poses(30, 1) + 60, 3)), moved=displaced(1))
    code, document = merge(capsys)
    assert (code, document["promoted"], document["version"], document["rows"]) == (1, False, 2, 330)
    assert [m["promoted"] for m in document["merges"]] == [True, False]
    assert document["scan_file"] == "good.csv"
    keep(folder, swapped=swapped(3))
    code, document = merge(capsys)  # both are blocked: the table as it is
    assert (code, document["promoted"], document["version"], document["rows"]) == (1, False, 2, 330)
    assert (document["added"], document["audits"], len(document["merges"])) == (0, [], 2)
    keep(folder, e=measured(np.round(poses(30, 4) + 60, 3)), f=measured(np.round(poses(30, 5) + 60, 3)))
    for name in ("moved.csv", "swapped.csv"):
        assert main(["scan", "set-aside", name, "--reason", "wrong"]) == 0
    code, document = merge(capsys, "--dry-run")
    assert (document["promoted"], document["dry_run"], document["version"]) == (False, True, 2)
    code, document = merge(capsys)
    assert (code, document["promoted"], document["version"], document["rows"]) == (0, True, 4, 390)
    assert [m["version"] for m in document["merges"]] == [3, 4]


def test_help_shows_how_a_scan_is_accepted(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["table", "merge", "--help"])
    told = capsys.readouterr().out
    assert "--scan SCAN" in told and "nightpick table merge --scan 1a2b3c4d --accept-audit" in told
