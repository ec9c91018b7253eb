"""The requests folder: what is open, and how an answer is remembered."""

from __future__ import annotations

from pathlib import Path

from lib.scan import mark_answered, open_requests, requests_folder


def test_a_request_is_open_until_it_is_answered_and_again_when_it_changes(tmp_path: Path) -> None:
    folder = requests_folder(tmp_path)
    folder.mkdir()
    for name in ("low-z.csv", "base.csv", "base.request.csv", ".base.csv.part", "notes.txt"):
        (folder / name).write_text("0,0,0,0,0,0\n")
    assert [file.name for file in open_requests(tmp_path)] == ["base.csv", "low-z.csv"]
    mark_answered(folder / "base.csv")
    assert [file.name for file in open_requests(tmp_path)] == ["low-z.csv"]
    (folder / "base.csv").write_text("1,0,0,0,0,0\n")
    assert [file.name for file in open_requests(tmp_path)] == ["base.csv", "low-z.csv"]


def test_without_a_folder_nothing_is_open(tmp_path: Path) -> None:
    assert open_requests(tmp_path) == []
