"""What the morning page tells of the batch, against the runs that were written; unknown stays unknown."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from types import SimpleNamespace
from xml.etree import ElementTree

import pytest

import lib.report.batch_todo as batch_todo_module
from lib.place import RunOutcome
from lib.report import batch_markdown, night_markdown, nights_asked, write_night_page
from lib.report.batch_facts import worst_runs
from lib.report.night_facts import gather
from lib.report.time_line import time_line
from lib.runlog import RunLog, ask, import_runs
from lib.settings import Settings
from tests.lib.report.test_night_page import Text
from tests.lib.runlog.batch_sample import UNSEEN, draw_night, night_id, write_batch

LOG54 = Path(__file__).parents[2] / "data" / "log54" / "night_batch.csv"
RUNS = 40


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("nights") / "data"
    import_runs(folder, LOG54)
    write_batch(folder, range(2), RUNS, pictures=True)
    return folder


@pytest.fixture(scope="module")
def page(data_dir: Path) -> str:
    return write_night_page(Settings(data_dir=data_dir), night_id(1)).read_text(encoding="utf-8")


@pytest.fixture(scope="module")
def text(page: str) -> str:
    return str(Text(page))


def counts(night: int) -> dict[str, int]:
    drawn = draw_night(night, RUNS)
    return {
        "yes": sum(run.place == "yes" for run in drawn),
        "no": sum(run.place == "no" for run in drawn),
        "refused": sum(run.state == "refused" for run in drawn),
    }


def test_the_batch_is_told_in_a_sentence_and_in_tiles(text: str) -> None:
    placed = counts(1)["yes"]
    assert f"{placed} of {RUNS} runs placed, half of them within " in text
    assert f"{round(100 * placed / RUNS)} % of {RUNS} runs placed, likely " in text


def test_yesterday_stands_beside_today(text: str) -> None:
    table = text[text.index("Yesterday beside today") : text.index("The worst runs")]
    assert f"runs {RUNS} {RUNS}" in table
    assert re.search(rf"placed {counts(1)['yes']} \(.*?\) {counts(0)['yes']} \(", table)
    assert f"refused {counts(1)['refused']} {counts(0)['refused']}" in table


def test_every_figure_is_well_formed_and_no_two_colours_mean_one_cell(page: str) -> None:
    figures = re.findall(r"<h4>([^<]*)</h4><svg.*?</svg>", page, re.DOTALL)
    assert figures == [
        "Run by run", "Cell by cell", "Where the blocks came to lie", "Night after night",
        "Where the error comes from", "What the cells learned",
    ]  # fmt: skip
    for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL):
        ElementTree.fromstring(re.sub(r"xlink:", "", svg))
    imported = next(svg for svg in re.findall(r"<svg.*?</svg>", page, re.DOTALL) if "imported" in svg)
    assert "12 Jul, imported" in imported


def test_nothing_on_the_page_needs_a_network(page: str) -> None:
    for attribute, target in re.findall(r'\b(src|href|xlink:href)="([^"]*)"', page):
        assert target.startswith(("#", "data:")), f"{attribute}={target}"
    assert "<script" not in page and "@import" not in page and "url(http" not in page


def test_the_worst_runs_come_with_their_pictures_and_lookups(page: str, text: str) -> None:
    worst = text[text.index("The worst runs") : text.index("What was refused")]
    assert worst.count("Ask again: nightpick lookup place") == 3
    assert len(re.findall(r'<img src="data:image/jpeg;base64,[\w+/=]+" alt="[12] \w+">', page)) == 6
    assert f"Run {UNSEEN}: nobody knows whether it lies in the box" in worst
    assert "13 motions, at worst 0." in worst
    assert "zservo_i1" in worst and "fk_row_" in worst


def test_what_nobody_saw_is_said_and_never_a_zero(text: str) -> None:
    worst = text[text.index(f"Run {UNSEEN}: ") :]
    assert "verdict unknown, confidence unknown" in worst
    assert "j5 not seen not seen unknown" in text
    assert "0.0 mm from its centre" not in text


def test_what_to_do_names_runs_and_says_why(data_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(data_dir, folder)
    stem = next(run for run in draw_night(1, RUNS) if run.number == 20).stem
    log = RunLog(folder)
    log.append("night", night_id=night_id(1), batch_end="disk: 0.4 GB free, make room")
    log.append("run", run_stem=stem, state="unfinished")
    log.append("homing", homing_id="homing-1", state="failed", error="no marker was seen")
    log.append(
        "memory_cell", memory_cell="place_x-180_z200", revision=5000, bias_x_mm=15.0, bias_y_mm=0.0,
        bias_z_mm=0.0, sigma_x_mm=1.0, sigma_y_mm=1.0, sigma_z_mm=1.0, placements=1, night_id=night_id(1),
        reason="reopened: 2 outliers in a row, something was moved",
    )  # fmt: skip
    text = str(Text(write_night_page(Settings(data_dir=folder), night_id(1)).read_text("utf-8")))
    todo = text[text.index("What to do next") : text.index("The batch 4")]
    for said in (
        "The batch ended early Disk: 0.4 GB free, make room.",
        "Homing is failed no marker was seen. Clean lenses and markers, then home again. nightpick home",
        "1 run without an end Run 20.",
        f"Nobody saw the end of: 1 run Run {UNSEEN}",
        "Reported but not moved Run 11: the cameras saw no motion",
        "A memory started anew place_x-180_z200: reopened: 2 outliers in a row, something was moved.",
    ):
        assert said in todo


def test_an_imported_night_shows_what_it_logged_and_says_what_it_did_not(data_dir: Path) -> None:
    text = str(Text(write_night_page(Settings(data_dir=data_dir), "imported-2026-07-12").read_text("utf-8")))
    assert "6 of 6 runs placed, half of them within 31.0 mm of the box's centre" in text
    assert "time a run, median unknown" in text and "warmest servo unknown" in text
    assert "No picture was kept." in text and "No lookup was recorded." in text
    assert "There is no earlier night with runs to stand beside it." in text


def test_the_published_median_stands_beside_a_simulated_night(data_dir: Path) -> None:
    answer = ask(data_dir, "distances")
    of_night = {
        row[0]: row[answer.columns.index("median_mm")]
        for row in answer.rows
        if row[answer.columns.index("memory_cell")] is None
    }
    assert of_night["imported-2026-07-12"] == 31.0
    assert of_night[night_id(1)] < 6.0


def test_a_run_that_goes_on_is_left_to_be_settled_and_a_reason_of_many_refusals_is_told_once() -> None:
    def run(number: int, state: str, place: str | None = None, mm: float | None = None) -> dict[str, object]:
        return {
            "run_number": number, "state": state, "place": place, "in_box_dist_mm": mm, "rule": state,
            "reason": state,
        }  # fmt: skip

    runs = [
        run(1, "finished", "yes", 9.0), run(2, "refused"), run(3, "refused"), run(4, "unfinished"),
        run(5, "finished", "no", 60.0), run(6, "finished", "yes", 2.0),
    ]  # fmt: skip
    assert [worst["run_number"] for worst in worst_runs(runs)] == [5, 2, 1]


def test_pictures_outside_the_data_folder_or_damaged_are_not_shown(data_dir: Path, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    shutil.copytree(data_dir, folder)
    worst = gather(folder, night_id(1)).batch.worst
    for picture in (folder / str(worst[0]["images"])).iterdir():
        picture.write_bytes(b"no picture")
    RunLog(folder).append("run", run_stem=worst[1]["run_stem"], images="../secret")
    page = write_night_page(Settings(data_dir=folder), night_id(1)).read_text("utf-8")
    assert page.count("<img src=") == 2 and page.count("No picture was kept.") == 2


def test_a_hundred_runs_are_one_bar_of_time() -> None:
    start = datetime(2026, 11, 30, 21, tzinfo=UTC)
    tasks = [
        {
            "task": "place block", "run_name": f"run {k}", "started_utc": start + timedelta(minutes=k),
            "duration_s": 30.0, "error": "no" if k == 3 else None,
        }
        for k in range(100)
    ]  # fmt: skip
    one = {
        **tasks[0],
        "task": "write report",
        "run_name": None,
        "started_utc": start + timedelta(minutes=100),
    }
    batch, report = time_line([*tasks, one])
    assert batch["name"] == "place block, 100 times"
    assert batch["took"] == "50 min 0 s, median 30 s, 1 said no"
    assert not batch["failed"] and report["name"] == "write report"


def test_the_report_in_the_ui_tells_the_batch_as_the_page_does(data_dir: Path) -> None:
    told = night_markdown(data_dir, night_id(1), data_dir / "reports" / "x.html")
    assert f"| runs | {RUNS} | {RUNS} |" in told
    assert re.search(r"\| placed \| \d+ \(\d+ % to \d+ %\) \|", told)
    assert f"- run {UNSEEN}: nobody knows whether it lies in the box" in told
    assert len(told.encode()) < 16 * 1024


def test_a_batch_so_far_is_a_table_with_the_latest_run_first() -> None:
    done = [
        RunOutcome("run_0001", 1, "finished", "in the box", "yes", 0.98, 2.04, "place_x-180_z200", looks=2),
        RunOutcome("run_0002", 2, "refused", "the nearest row is 12 mm away"),
        RunOutcome("run_0003", 3, "finished", "block | box not seen", "unknown"),
    ]
    lines = batch_markdown(done, 10).splitlines()
    assert lines[0] == "## 3 of 10 runs done, 1 placed (likely 6 % to 79 %), median 2.0 mm"
    assert lines[4:] == [
        "| 3 | unknown | not seen |  |  | 0.0 s | block \\| box not seen |",
        "| 2 | refused |  |  |  | 0.0 s | the nearest row is 12 mm away |",
        "| 1 | yes | 2.0 mm | place_x-180_z200 | 2 | 0.0 s | in the box |",
    ]
    assert batch_markdown([], 10) == "## 0 of 10 runs done\n"
    many = [replace(done[0], run_number=n) for n in range(1000)]
    assert len(batch_markdown(many, 1000).encode()) < 64 * 1024


def test_nights_are_named_by_date_by_id_or_not_at_all(data_dir: Path, tmp_path: Path) -> None:
    assert nights_asked(data_dir, None) == [night_id(1)]
    assert nights_asked(data_dir, "2026-11-01") == [night_id(0)]
    assert nights_asked(data_dir, "imported-2026-07-12") == ["imported-2026-07-12"]
    assert nights_asked(tmp_path, None) == []


@pytest.mark.parametrize(
    ("latest", "command"),
    [
        ("the nearest pose is 63 mm off; its pose is asked for in placing.csv", "plan-scan"),
        ("the nearest pose is 63 mm off; more rows would not help: held by j0_lock", None),
    ],
)
def test_rows_are_asked_for_only_where_they_would_help(latest: str, command: str | None) -> None:
    refusal = {"what": "run", "rule": "out of reach", "refusals": 1, "latest": latest}
    (todo,) = batch_todo_module._refusals(SimpleNamespace(refusals=[refusal]))  # type: ignore[arg-type]
    assert (todo.command is None) if command is None else command in (todo.command or "")
