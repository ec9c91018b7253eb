"""`nightpick scan simulate` and the requests that `nightpick init` writes for it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from flows.cli import main
from lib.scan import read_request


def start(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(folder)
    monkeypatch.delenv("NIGHTPICK_DATA_DIR", raising=False)
    monkeypatch.delenv("NIGHTPICK_CONFIG", raising=False)


def test_init_writes_the_first_requests_into_the_data_folder(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(tmp_path, monkeypatch)
    assert main(["init", "--json"]) == 0
    requests = tmp_path / "data" / "requests"
    assert json.loads(capsys.readouterr().out)["created"] == [
        str(tmp_path / "nightpick.toml"), str(requests / "base.csv"), str(requests / "place-low-z.csv"),
    ]  # fmt: skip
    assert read_request(requests / "base.csv").expected_rows == 1_663_893
    assert read_request(requests / "place-low-z.csv").expected_rows == 67_228


def test_init_goes_by_the_data_folder_of_the_settings_that_are_there(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(tmp_path, monkeypatch)
    (tmp_path / "nightpick.toml").write_text('data_dir = "elsewhere"\n')
    assert main(["init"]) == 0
    assert (tmp_path / "elsewhere" / "requests" / "base.csv").is_file()
    assert not (tmp_path / "data").exists()
    assert main(["init"]) == 0
    assert capsys.readouterr().out.endswith("is already there, left as it is\n")


def test_the_published_request_is_scanned_and_taken_in(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(tmp_path, monkeypatch)
    assert main(["init"]) == 0
    capsys.readouterr()
    assert main(["scan", "simulate", "data/requests/place-low-z.csv", "scan.csv"]) == 0
    assert capsys.readouterr().out.startswith(
        "wrote scan.csv: 67,228 rows of 26,411 different poses for the 4 poses of the request; "
        "61% of them measure a pose again\n"
    )
    assert main(["scan", "ingest", "scan.csv", "--json"]) == 0
    (taken,) = json.loads(capsys.readouterr().out)
    assert (taken["rows"], taken["expected_rows"], taken["status"]) == (67_228, 67_228, "ingested")


def test_one_pose_is_told_in_the_singular_and_one_out_of_reach_is_refused(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(tmp_path, monkeypatch)
    (tmp_path / "one.csv").write_text("# exact poses\n10,20,-30,0,0,0\n")
    assert main(["scan", "simulate", "one.csv", "scan.csv"]) == 0
    told = capsys.readouterr().out
    assert told.startswith("wrote scan.csv: 1 row of 1 different pose for the 1 pose of the request\n")
    (tmp_path / "far.csv").write_text("1000,20,-30,0,0,0\n")
    assert main(["scan", "simulate", "far.csv", "far-scan.csv"]) == 2
    assert capsys.readouterr().err == (
        "nightpick: far.csv: line 1, column j0: beyond mecharm270's limits -160..160 deg and its grid's 15 "
        "deg (found 1000); ask for poses within the limits: nothing can use a row beyond them\n"
    )
    assert not (tmp_path / "far-scan.csv").exists()


def test_without_a_robot_or_a_request_there_is_one_line_and_exit_code_2(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    start(tmp_path, monkeypatch)
    assert main(["scan", "simulate", "nothing.csv", "scan.csv"]) == 2
    assert "nothing.csv" in capsys.readouterr().err
    assert main(["init"]) == 0
    capsys.readouterr()
    monkeypatch.setenv("NIGHTPICK_ROBOT", "none")
    assert main(["scan", "simulate", "data/requests/place-low-z.csv", "scan.csv"]) == 2
    assert 'robot = "none"' in capsys.readouterr().err
    assert not list(tmp_path.glob("*scan.csv*"))


def test_a_terminal_sees_a_progress_bar_and_a_pipe_does_not(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    start(tmp_path, monkeypatch)
    assert main(["init"]) == 0
    arguments = ["scan", "simulate", "data/requests/place-low-z.csv", "scan.csv", "--json"]
    command = [sys.executable, "-m", "flows.cli", *arguments]
    root = str(Path(__file__).parents[3])
    environment = {**os.environ, "PYTHONPATH": root, "TERM": "xterm", "COLUMNS": "120"}
    piped = subprocess.run(command, env=environment, capture_output=True, text=True, check=True)
    assert piped.stderr == ""
    ours, its = pty.openpty()
    with subprocess.Popen(command, env=environment, stdout=subprocess.PIPE, stderr=its) as process:
        os.close(its)
        shown = b""
        try:
            while block := os.read(ours, 65_536):
                shown += block
        except OSError:  # Linux says so when the other side is closed
            pass
        os.close(ours)
        assert process.stdout is not None
        assert json.loads(process.stdout.read()) == json.loads(piped.stdout)
    assert b"scanning data/requests/place-low-z.csv" in shown
    assert b"67228/67228" in shown
