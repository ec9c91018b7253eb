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
    from lib.lookup import Request


def add_lookup(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `lookup` and its verbs."""
    group = add_group(verbs, common, "lookup", "ask which row of the table brings the tool to a target")
    place = add_verb(
        group, common, "place", _place,
        does="look up where to let a block go",
        example="nightpick lookup place -0.170 0.1899 --j0-tol 5 --explain",
    )  # fmt: skip
    add_place_question(place)
    place.add_argument(
        "--from-images", type=Path, metavar="DIR",
        help="measure block and box on the photos in DIR, one a camera, and look up the aim that would have "
        "brought the block to the box's centre; X Z is then the aim it was placed by (default: of the latest "
        "placement); nothing moves",
    )  # fmt: skip
    _add_more(place)
    pick = add_verb(
        group, common, "pick", _pick,
        does="look up where to grip a block",
        example="nightpick lookup pick 0.140 0.200",
    )  # fmt: skip
    add_pick_question(pick)
    _add_more(pick)
    add_sweep(group, common)


def _add_more(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--explain", action="store_true",
        help="show what each filter left, from the same pass, and what relaxing one bound or two would give",
    )  # fmt: skip
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="draw that as FILE (.svg, .png or .html); means --explain"
    )
    parser.add_argument(
        "--refine", action="store_true",
        help="also predict the pose that closes the residual, by a small step inside the same filters",
    )  # fmt: skip


def _place(args: argparse.Namespace, settings: Settings) -> int:
    if args.from_images is None:
        return _answer(args, settings, place_request(args, settings))
    from lib.place import diagnose

    given = None if args.x_m is None else (args.x_m, args.z_m)
    found = diagnose(settings, args.from_images, given)
    args.x_m, args.z_m = found.new_aim_m
    if not args.json:
        print(found.text())
    return _answer(args, settings, place_request(args, settings), {"diagnosis": found.as_json()})


def _pick(args: argparse.Namespace, settings: Settings) -> int:
    return _answer(args, settings, pick_request(args, settings))


def _answer(
    args: argparse.Namespace, settings: Settings, request: Request, more: Mapping[str, object] = {}
) -> int:
    from lib.lookup import Table, lookup

    warn(request)
    if args.figure:
        from lib.report.figures import check_figure_file

        check_figure_file(args.figure)
    table = Table.open(settings.data_dir, args.table)
    result = lookup(table, request)
    document = {**result.as_json(), **more}
    lines = []
    if args.refine:
        from flows.commands.refine_text import refinement_text
        from lib.lookup.refine import refine
        from lib.table import known_chain

        refined = refine(table, request, result, known_chain(settings, table.version))
        document["refined"] = refined.as_json()
        lines.append(refinement_text(refined))
    if args.explain or args.figure:
        from flows.commands.explaining import explanation

        told = explanation(table, request, result, args.figure)
        document |= told.as_json()
        lines.append(told.text())
    if args.json:
        print_json(document)
    else:
        from flows.commands.lookup_text import answer_text

        print("\n".join([answer_text(request, result), *lines]))
    return 0 if result.found else 1
