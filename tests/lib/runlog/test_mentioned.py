"""Only the closed rows that a statement names are opened, and no name is missed."""

from __future__ import annotations

from pathlib import Path

import pytest

from lib.runlog import ask_sql, close_logs, named_questions
from lib.runlog.connect import open_database
from lib.runlog.mentioned import mentioned
from lib.runlog.schema import declared
from lib.runlog.sql_file import sql_text

from .batch_sample import write_batch


@pytest.fixture(scope="module")
def closed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("closed")
    write_batch(folder, [0], 12)
    close_logs(folder)
    return folder


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT 1", None),
        ("SHOW TABLES", None),
        ("SELECT * FROM duckdb_views(), run", None),
        ("SELECT count(*) FROM information_schema.tables", None),
        ("FROM scan_reject", {"scan_reject", "scan", "fk_version", "merge", "merge_audit"}),
        ("SELECT * FROM run_state", {"run_state"}),
        ('select count(*) from "RUN"', {"run"}),
        ("WITH a AS (FROM place) SELECT * FROM a JOIN run USING (run_stem)", {"place", "run"}),
        ("FROM fk_audit", {"fk_audit", "fk_version", "merge", "merge_audit"}),  # through the view
        ("SUMMARIZE night", {"night"}),
        ("SELECT * FROM pragma_table_info('place')", None),
    ],
)
def test_names_are_found_in_a_statement_and_behind_the_views_it_names(
    text: str, names: set[str] | None
) -> None:
    found = mentioned(text)
    assert found == names


@pytest.mark.parametrize("name", [question.name for question in named_questions()])
def test_a_question_answers_the_same_whether_all_is_opened_or_only_what_it_names(
    closed: Path, name: str
) -> None:
    text = sql_text(f"queries/{name.replace('-', '_')}")
    with open_database(closed).con as con:
        expected = con.execute(text).fetchall()
    assert list(ask_sql(closed, text).rows) == expected


def test_a_question_about_the_relations_finds_them_all(closed: Path) -> None:
    columns = "SELECT table_name, column_name FROM duckdb_columns() WHERE schema_name = 'recorded'"
    found = {(table, column) for table, column in ask_sql(closed, columns).rows}
    assert found == {(relation, column) for relation, named in declared().items() for column in named}


def test_every_relation_is_known_by_the_name_of_the_file_that_declares_it() -> None:
    for relation in declared():
        assert relation in (mentioned(f"SELECT 1 FROM recorded.{relation}") or set())
