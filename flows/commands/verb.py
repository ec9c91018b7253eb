"""How a verb is declared: its parser, its example, the function that runs it."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from flows.one_document import ONE_DOCUMENT
from lib.settings import Settings

Run = Callable[[argparse.Namespace, Settings], int | None]


def add_verb(
    verbs: Any,
    common: argparse.ArgumentParser,
    name: str,
    run: Run,
    *,
    does: str,
    example: str,
    without_settings: bool = False,
) -> argparse.ArgumentParser:
    """Add one verb with its help and example; return its parser for the arguments."""
    parser: argparse.ArgumentParser = verbs.add_parser(
        name,
        parents=[common],
        help=does,
        description=does[0].upper() + does[1:] + ".",
        epilog=f"example: {example}",
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.set_defaults(run=run, run_without_settings=without_settings)
    return parser


def add_group(verbs: Any, common: argparse.ArgumentParser, name: str, does: str) -> Any:
    """Add a noun that has verbs of its own, like `table merge`; return the place to add them."""
    parser = verbs.add_parser(name, parents=[common], help=does, description=does[0].upper() + does[1:] + ".")
    return parser.add_subparsers(dest=f"{name}_verb", metavar="VERB", required=True)


def print_json(document: object) -> None:
    """Print the one JSON document that ``--json`` promises; infinities and NaN become null."""
    ONE_DOCUMENT.print(document)
