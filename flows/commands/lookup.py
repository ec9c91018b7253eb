"""`nightpick lookup place X Z` and `nightpick lookup pick X Z`: one pose, and why."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.lookup_arguments import (
    add_pick_question,
    add_place_question,
    pick_request,
    place_request,
    warn,
)
from flows.commands.sweep import add_sweep
from flows.commands.verb import add_group, add_verb, print_json
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.lookup import LookupResult, Request, Table


def add_lookup(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `lookup` and its verbs."""
    group = add_group(verbs, common, "lookup", "ask which row of the table brings the tool to a target")
    place = add_verb(
        group, common, "place", _place,
        does="look up where to let a block go",
        example="nightpick lookup place -0.170 0.1899 --j0-tol 5 --explain",
    )  # fmt: skip
    add_place_question(place)
    _add_explanation(place)
    pick = add_verb(
        group, common, "pick", _pick,
        does="look up where to grip a block",
        example="nightpick lookup pick 0.140 0.200",
    )  # fmt: skip
    add_pick_question(pick)
    _add_explanation(pick)
    add_sweep(group, common)


def _add_explanation(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--explain", action="store_true",
        help="show what each filter left, from the same pass, and what relaxing one bound or two would give",
    )  # fmt: skip
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="draw that as FILE (.svg, .png or .html); means --explain"
    )


def _place(args: argparse.Namespace, settings: Settings) -> int:
    return _answer(args, settings.data_dir, place_request(args, settings))


def _pick(args: argparse.Namespace, settings: Settings) -> int:
    return _answer(args, settings.data_dir, pick_request(args, settings))


def _answer(args: argparse.Namespace, data_dir: Path, request: Request) -> int:
    from lib.lookup import Table, lookup

    warn(request)
    if args.explain or args.figure:
        return _explain(args, Table.open(data_dir, args.table), request)
    result = lookup(Table.open(data_dir, args.table), request)
    _print_answer(args, request, result, {})
    return 0 if result.found else 1


def _explain(args: argparse.Namespace, table: Table, request: Request) -> int:
    from lib.lookup import culprits, explain

    if args.figure:
        from lib.report.figure_file import check_figure_file

        check_figure_file(args.figure)
    result, entries = explain(table, request)
    found = culprits(table, request)
    if args.figure:
        from flows.commands.explain_figure import write_explanation

        write_explanation(args.figure, request, result, len(table), entries)
    explanation = {"funnel": [e.as_json() for e in entries], "culprits": [c.as_json() for c in found]}
    _print_answer(args, request, result, explanation)
    if not args.json:
        from flows.commands.explain_text import print_explanation

        print()
        print_explanation(entries, len(table), found, result)
        if args.figure:
            print(f"\nfigure: {args.figure}")
    return 0 if result.found else 1


def _print_answer(
    args: argparse.Namespace, request: Request, result: LookupResult, more: Mapping[str, object]
) -> None:
    if args.json:
        print_json({**result.as_json(), **more})
    else:
        from flows.commands.lookup_text import answer_text

        print(answer_text(request, result))
