"""The morning page tells what the run log holds, and opens without a network."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest

from lib.errors import BadInput
from lib.report import write_night_page
from lib.robot import load_robot
from lib.runlog import run_log, tied
from lib.scan import COLUMNS, ScanStore
from lib.settings import Settings
from lib.table import MergeOptions, merge_scan
from tests.lib.table.conftest import measured, poses

NIGHT = "mecharm270-2026-11-30-1"
START = datetime(2026, 11, 30, 21, 0, tzinfo=UTC)


@pytest.fixture(scope="module")
def page(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("night")
    settings = replace(Settings(), data_dir=folder / "data")
    log = run_log(settings.data_dir)
    night = {"night_id": NIGHT, "arm": "mecharm270", "local_date": date(2026, 11, 30), "sequence": 1}
    log.append("night", **night, started_utc=START, state="unfinished")
    moved = measured(poses(100, seed=2))
    moved[:, 0] += 0.003
    with tied(night_id=NIGHT):
        for name, rows in (("a.csv", measured(poses(400))), ("b.csv", moved)):
            keep(settings, folder / name, rows)
        log.append(
            "scan_event",
            file="/inbox/torn <1>.csv",
            status="refused",
            problem_count=3,
            problems=[{"line": 61, "column": "j5", "found": "", "rule": "a line of 7 fields"}],
        )
        log.append(
            "task_run", task_run_id="t", task="merge a", started_utc=START, duration_s=1.5, state="finished"
        )
    ended = START + timedelta(seconds=83)
    log.append("night", **night, started_utc=START, ended_utc=ended, state="attention")
    return write_night_page(settings.data_dir, NIGHT).read_text(encoding="utf-8")


def keep(settings: Settings, path: Path, rows: np.ndarray) -> None:
    np.savetxt(path, rows, delimiter=",", header=",".join(COLUMNS), comments="", fmt="%.9f")
    ScanStore(settings.data_dir).ingest(path, robot=load_robot("mecharm270"))
    scan = ScanStore(settings.data_dir).kept()[-1]
    merge_scan(settings, scan, MergeOptions(accept_worse=1_000))


class Text(HTMLParser):
    """What a person reads, figures left out."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.parts: list[str] = []
        self.feed(re.sub(r"<svg.*?</svg>|<style>.*?</style>", "", page, flags=re.DOTALL))

    def handle_data(self, data: str) -> None:
        self.parts.append(data.strip())

    def __str__(self) -> str:
        return " ".join(filter(None, self.parts))


def test_the_page_says_when_what_and_how_much(page: str) -> None:
    text = str(Text(page))
    assert "Night of 30 November 2026" in text and "1 min 23 s" in text
    assert "400 rows added" in text and "1 merges published, 1 blocked" in text
    assert "400 rows in the table, version 1" in text


def test_what_needs_a_person_comes_first_with_what_to_do(page: str) -> None:
    text = str(Text(page))
    todo = text[text.index("What to do next") : text.index("What came in")]
    assert "torn <1>.csv was refused: line 61, column j5: a line of 7 fields (and 2 more)" in todo
    assert "b.csv is kept but not merged: 100 of 100 rows" in todo
    assert "--accept-audit self_consistency" in todo


def test_nothing_on_the_page_needs_a_network(page: str) -> None:
    for attribute, target in re.findall(r'\b(src|href|xlink:href)="([^"]*)"', page):
        assert target.startswith(("#", "data:")), f"{attribute}={target}"
    assert "<script" not in page and "@import" not in page and "url(http" not in page


def test_a_file_name_cannot_write_html(page: str) -> None:
    assert "torn <1>.csv" not in page and "torn &lt;1&gt;.csv" in page


def test_a_night_that_was_not_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no night never-1 in the run log"):
        write_night_page(tmp_path, "never-1")
