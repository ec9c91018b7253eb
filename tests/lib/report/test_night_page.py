"""The morning page tells what the run log holds, and opens without a network."""

from __future__ import annotations

import re
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, date, datetime, timedelta
from html.parser import HTMLParser
from pathlib import Path
from xml.etree import ElementTree

import numpy as np
import pytest

from lib.errors import BadInput
from lib.report import write_night_page
from lib.robot import load_robot
from lib.runlog import RunLog, run_log, tied
from lib.scan import COLUMNS, ScanStore, ingest_file
from lib.settings import Settings
from lib.table import MergeOptions, merge_scan
from tests.lib.table.conftest import measured, poses

NIGHT = "mecharm270-2026-11-30-1"
START = datetime(2026, 11, 30, 21, 0, tzinfo=UTC)


@pytest.fixture(scope="module", autouse=True)
def _a_clock_in_berlin() -> Iterator[None]:
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TZ", "Europe/Berlin")
        time.tzset()
        yield
    time.tzset()


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
        for name, rows, error in (
            ("a.csv", measured(poses(400)), None),
            ("b.csv", moved, "b.csv blocked by self_consistency: the table is as it was"),
        ):
            with tied(task_run_id=name):
                keep(settings, folder / name, rows)
            ran(log, name, "merge scan", f"merge {name}", error)
        for _ in range(2):  # the night was resumed: it is offered again, and refused again
            with tied(task_run_id="torn"):
                log.append(
                    "scan_event",
                    file="/inbox/torn <1>.csv",
                    md5="0",
                    status="refused",
                    problem_count=3,
                    problems=[{"line": 61, "column": "j5", "found": "", "rule": "a line of 7 fields"}],
                )
            ran(log, "torn", "ingest scan", "ingest torn <1>.csv", "torn <1>.csv refused: line 61")
        for attempt in ("one", "two"):
            ran(log, f"disk {attempt}", "close logs", "close logs", "no space left")
        ran(log, "merge one", "merge scan", "merge c.csv", "stopped by SIGTERM")
        ran(log, "merge two", "merge scan", "merge c.csv", None)
    ended = START + timedelta(seconds=83)
    log.append("night", **night, started_utc=START, ended_utc=ended, state="attention")
    return write_night_page(settings, NIGHT).read_text(encoding="utf-8")


def ran(log: RunLog, task_run_id: str, task: str, run_name: str, error: str | None) -> None:
    log.append(
        "task_run",
        task_run_id=task_run_id,
        task=task,
        run_name=run_name,
        started_utc=START,
        duration_s=1.5,
        state="failed" if error else "finished",
        error=error,
    )


def keep(settings: Settings, path: Path, rows: np.ndarray) -> None:
    np.savetxt(path, rows, delimiter=",", header=",".join(COLUMNS), comments="", fmt="%.9f")
    ingest_file(settings.data_dir, path, robot=load_robot("mecharm270"))
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
    assert "CET (1 min 23 s) 2 scans taken in, 400 rows added, 1 scan refused, 1 merge blocked." in text
    assert "version 1, 400 rows added" in text and "blocked, the table is as it was" in text
    assert "400 rows in the table, version 1" in text


def test_times_are_those_of_the_reader_s_clock_with_the_zone_and_utc_at_the_mouse(page: str) -> None:
    assert '<time title="2026-11-30 21:00:00 UTC">30 November 2026, 22:00 CET</time>' in page
    assert '<time title="2026-11-30 21:01:23 UTC">22:01 CET</time>' in page


def test_what_needs_a_person_comes_first_each_thing_once_with_what_to_do(page: str) -> None:
    text = str(Text(page))
    todo = text[text.index("What to do next") : text.index("What came in")]
    assert "torn <1>.csv was refused line 61, column j5: a line of 7 fields (and 2 more). Mend it" in todo
    assert "take it out of /inbox" in todo
    assert "b.csv is kept but not merged self_consistency: 100 of 100 rows" in todo
    md5 = re.search(r"nightpick scan set-aside ([0-9a-f]{8}) --reason TEXT", todo)
    assert md5 is not None
    assert f"nightpick table merge --scan {md5[1]} --accept-audit self_consistency --reason TEXT" in todo
    assert (todo.count("torn <1>.csv"), todo.count("b.csv")) == (1, 1)
    assert todo.count("close logs failed no space left.") == 1  # what no file explains is still told
    assert "c.csv" not in todo.replace("torn <1>.csv", "")  # it went well when the night was resumed
    came_in = text[text.index("What came in") : text.index("What the merges changed")]
    assert came_in.count("torn <1>.csv") == 1


def test_a_first_version_is_no_improvement_but_says_what_it_reaches(page: str) -> None:
    text = str(Text(page))
    first = page[: page.index("b.csv: <span")]
    reached = len(re.findall(r"<title>x [^<]* mm: [\d.]+ mm, before out of reach", first))
    assert 0 < reached < 121
    assert f"{reached} of 121 probes in reach, half within " in text
    assert "PICK: None of 90 probes in reach." in text
    assert f"{reached} of 211 probes in reach" in text
    assert "probes improved, 0 worse" not in text
    assert f"{reached} of 211 probes come into reach, before none was" in text


def test_each_bar_of_time_names_what_was_worked_on(page: str) -> None:
    text = str(Text(page))
    bars = text[text.index("Where the time went") :]
    assert "merge a.csv 1.5 s merge b.csv 1.5 s, said no ingest torn <1>.csv" in bars


def test_a_map_is_drawn_where_it_shows_something_else_a_sentence_says_it(page: str) -> None:
    maps = re.findall(r"<svg.*?</svg>", page, re.DOTALL)
    assert maps
    for svg in maps:
        ElementTree.fromstring(svg)
        assert len(set(re.findall(r'fill="(#\w{6})"', svg))) > 1
    assert "PICK: nothing changed. None of 90 probes in reach." in page  # by the blocked merge


def test_nothing_on_the_page_needs_a_network(page: str) -> None:
    for attribute, target in re.findall(r'\b(src|href|xlink:href)="([^"]*)"', page):
        assert target.startswith(("#", "data:")), f"{attribute}={target}"
    assert "<script" not in page and "@import" not in page and "url(http" not in page


def test_a_file_name_cannot_write_html(page: str) -> None:
    assert "torn <1>.csv" not in page and "torn &lt;1&gt;.csv" in page


def test_a_night_that_was_not_is_refused_by_name(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="no night never-1 in the run log"):
        write_night_page(Settings(data_dir=tmp_path), "never-1")
