"""The named questions: each documented, each answered, before there is data and from the sample."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lib.errors import BadInput
from lib.runlog import ask, named_questions
from lib.runlog.sql_file import sql_files, sql_text

from .sample import BLOCKED_UTC, FIRST_UTC, SECOND_UTC, write_sample

NAMES = [question.name for question in named_questions()]
DOCUMENT = Path(__file__).parents[3] / "docs" / "sql.md"


@pytest.fixture(scope="module")
def data_dir(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return write_sample(tmp_path_factory.mktemp("sample"))


def answered(data_dir: Path, name: str, *columns: str) -> list[tuple[object, ...]]:
    answer = ask(data_dir, name)
    wanted = [answer.columns.index(column) for column in columns]
    return [tuple(row[k] for k in wanted) for row in answer.rows]


def test_the_promised_questions_are_there() -> None:
    assert {"table-history", "audits", "merge-changes", "slowest-tasks", "scans", "nights"} <= set(NAMES)


def test_the_documentation_lists_every_question_with_what_it_answers() -> None:
    rows = re.findall(r"^\| `([\w-]+)` \| (.+\?) \|$", DOCUMENT.read_text(encoding="utf-8"), re.MULTILINE)
    assert dict(rows) == {question.name: question.answers for question in named_questions()}


@pytest.mark.parametrize("folder", ["queries", "views", "schema/runlog", "schema/scan", "schema/table"])
def test_every_statement_says_in_its_header_what_it_is_for(folder: str) -> None:
    files = sql_files(folder)
    assert files
    assert [file.name for file in files if not file.purpose] == []
    assert [file.name for file in files if file.text != sql_text(f"{folder}/{file.name}")] == []


@pytest.mark.parametrize("folder", ["schema/runlog", "schema/scan", "schema/table"])
def test_migrations_are_numbered_from_one_without_a_gap(folder: str) -> None:
    numbers = [file.number for file in sql_files(folder)]
    assert numbers == list(range(1, len(numbers) + 1))


@pytest.mark.parametrize("name", NAMES)
def test_every_question_has_an_empty_answer_before_there_is_data(tmp_path: Path, name: str) -> None:
    answer = ask(tmp_path, name)
    assert list(answer.rows) == []
    assert answer.columns


@pytest.mark.parametrize("name", ["no-such", "table_history", "../views/night", "table-history.sql", ""])
def test_a_wrong_name_lists_those_there_are(tmp_path: Path, name: str) -> None:
    listed = ", ".join(NAMES[:-1]) + f" or {NAMES[-1]}"
    with pytest.raises(BadInput, match=f"there are {listed}"):
        ask(tmp_path, name)


def test_table_history_has_the_newest_version_first_and_marks_the_one_in_use(data_dir: Path) -> None:
    assert answered(data_dir, "table-history", "version", "is_current", "parent", "rows", "fit_rms_mm") == [
        (2, True, 1, 5, 0.05),
        (1, False, None, 3, 0.05),
    ]


def test_audits_tell_blocked_accepted_and_passed_verdicts(data_dir: Path) -> None:
    assert answered(data_dir, "audits", "time_utc", "version", "state", "name", "verdict") == [
        (BLOCKED_UTC, 3, "blocked", "count", "failed"),
        (BLOCKED_UTC, 3, "blocked", "prefix", "ok"),
        (SECOND_UTC, 2, "published", "conflicts", "accepted"),
        (SECOND_UTC, 2, "published", "prefix", "ok"),
        (FIRST_UTC, 1, "published", "prefix", "ok"),
    ]


def test_merge_changes_are_those_of_the_last_merge_also_when_it_was_blocked(data_dir: Path) -> None:
    columns = ("version", "state", "verdict", "change_mm", "before_fk_row", "after_fk_row", "binding_filter")
    assert answered(data_dir, "merge-changes", *columns) == [(3, "blocked", "worse", 2.0, 4, 5, "j0_lock")]


def test_merge_effects_count_each_merges_probes(data_dir: Path) -> None:
    columns = ("version", "mode", "probes", "improved", "worse", "unchanged", "commonest_binding_filter")
    assert answered(data_dir, "merge-effects", *columns) == [
        (3, "place", 1, 0, 1, 0, "j0_lock"),
        (2, "pick", 1, 0, 0, 1, "j0_lock"),
        (2, "place", 1, 1, 0, 0, None),
    ]


def test_slowest_tasks_count_runs_that_ended_and_name_the_longest(data_dir: Path) -> None:
    columns = ("task", "runs", "mean_s", "longest_s", "longest_started_utc", "longest_night_id", "failed")
    assert answered(data_dir, "slowest-tasks", *columns) == [("merge table", 2, 4.0, 6.0, FIRST_UTC, "n1", 1)]


def test_scans_tell_which_version_each_went_into(data_dir: Path) -> None:
    assert answered(data_dir, "scans", "sequence", "state", "version") == [
        (3, "blocked", None),
        (2, "merged", 2),
        (1, "merged", 1),
    ]


def test_nights_tell_how_long_each_took(data_dir: Path) -> None:
    expected_s = (BLOCKED_UTC - FIRST_UTC).total_seconds()
    assert answered(data_dir, "nights", "night_id", "state", "duration_s") == [
        ("n1", "finished", pytest.approx(expected_s, abs=0.06))
    ]
