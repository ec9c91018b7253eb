"""`nightpick ask`: the questions that have a name."""

from __future__ import annotations

import argparse
from typing import Any

from flows.commands.sql import tell_damage
from flows.commands.verb import add_verb, print_json
from lib.settings import Settings


def add_ask(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `ask`."""
    parser = add_verb(
        verbs,
        common,
        "ask",
        _ask,
        does="answer a question by its name",
        example="nightpick ask merge-changes",
    )
    parser.add_argument("name", metavar="NAME", nargs="?", help="the question; a pipe gets CSV")
    parser.add_argument(
        "--list", action="store_true", help="say which questions there are and what each answers"
    )


def _ask(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.answer_text import print_answer
    from lib.runlog import ask, question

    if args.list or args.name is None:
        _list(args.json)
        return 0
    asked = question(args.name)
    answer = ask(settings.data_dir, asked.name)
    print_answer(answer, args.json, title=asked.answers)
    return tell_damage(answer)


def _list(as_json: bool) -> None:
    from lib.runlog import named_questions

    known = named_questions()
    if as_json:
        return print_json([{"name": question.name, "answers": question.answers} for question in known])
    width = max(len(question.name) for question in known)
    for question in known:
        print(f"{question.name:<{width}}  {question.answers}")
