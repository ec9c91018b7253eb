"""`nightpick sql`: any question in SQL, read-only."""

from __future__ import annotations

import argparse
import sys
from typing import TYPE_CHECKING, Any

from flows.commands.verb import add_verb
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.runlog import Answer


def add_sql(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `sql`."""
    parser = add_verb(
        verbs,
        common,
        "sql",
        _sql,
        does="answer one SQL statement over the table, the scans and the run log; read-only, also at night",
        example='nightpick sql "SELECT name, avg(value), unit FROM observation GROUP BY ALL"'
        '\n         nightpick sql "SHOW TABLES" lists the relations, "DESCRIBE scan" the columns of one',
    )
    parser.add_argument("statement", metavar="STATEMENT", help="one SELECT; a pipe gets CSV")


def _sql(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.answer_text import print_answer
    from lib.runlog import ask_sql

    answer = ask_sql(settings.data_dir, args.statement)
    print_answer(answer, args.json)
    return tell_damage(answer)


def tell_damage(answer: Answer) -> int:
    """Say what is missing from an answer because its file is damaged; return the exit code."""
    for file in answer.damaged:
        print(f"nightpick: {file}", file=sys.stderr)
    return 1 if answer.damaged else 0
