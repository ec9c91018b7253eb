"""The questions people ask by name, each a file in sql/queries whose header says what it answers."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lib.errors import BadInput, one_of
from lib.runlog.safe_query import Answer, ask_sql
from lib.runlog.sql_file import sql_files, sql_text

FOLDER = "queries"


@dataclass(frozen=True)
class Question:
    """One named question."""

    name: str
    """As people type it: ``table-history`` for sql/queries/table_history.sql."""
    answers: str
    """What it answers, in a sentence."""


def named_questions() -> list[Question]:
    """Return every named question, in the order of their names."""
    return [Question(file.name.replace("_", "-"), file.purpose) for file in sql_files(FOLDER)]


def question(name: str) -> Question:
    """Return one question by its name; raises BadInput listing the names there are."""
    known = {question.name: question for question in named_questions()}
    if name not in known:
        raise BadInput(
            f"no question {name!r}; there are {one_of(list(known))} "
            "(`nightpick ask --list` says what each answers)"
        )
    return known[name]


def ask(data_dir: Path, name: str) -> Answer:
    """Answer a named question over a data folder; raises BadInput where there is no such question."""
    return ask_sql(data_dir, sql_text(f"{FOLDER}/{question(name).name.replace('-', '_')}"))
