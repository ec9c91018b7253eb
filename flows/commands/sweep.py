"""`nightpick lookup sweep`: a table of lookups, with any bound or the target varied over a grid."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING, Any

from flows.commands.lookup_arguments import (
    add_pick_question,
    add_place_question,
    pick_request,
    place_request,
    warn,
)
from flows.commands.verb import add_group, add_verb, print_json
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.lookup import Request


def add_sweep(lookup: Any, common: argparse.ArgumentParser) -> None:
    """Add `sweep` to the verbs of `lookup`."""
    group = add_group(lookup, common, "sweep", "look up over a grid of bounds and targets")
    place = add_verb(
        group, common, "place", _place,
        does="look PLACE up at every node of a grid",
        example="nightpick lookup sweep place -0.170 0.200 --vary j0_tol=3,5,8,15 --vary z=0.180:0.200:0.005",
    )  # fmt: skip
    add_place_question(place)
    _add_vary(place)
    pick = add_verb(
        group, common, "pick", _pick,
        does="look PICK up at every node of a grid",
        example="nightpick lookup sweep pick 0.140 0.200 --vary x=0.10:0.18:0.02",
    )  # fmt: skip
    add_pick_question(pick)
    _add_vary(pick)


def _add_vary(parser: argparse.ArgumentParser) -> None:
    parser.add_argument(
        "--vary", action="append", required=True, metavar="NAME=VALUES",
        help="x, z or a bound by its short name, like j0_tol, ee_y_tol, ee_y_band_low, w_j1; values as 3,5,8 "
        "or from:to:step [m, deg, m/deg]; several span the full grid, the first outermost",
    )  # fmt: skip


def _place(args: argparse.Namespace, settings: Settings) -> None:
    _sweep(args, settings, place_request(args, settings))


def _pick(args: argparse.Namespace, settings: Settings) -> None:
    _sweep(args, settings, pick_request(args, settings))


def _sweep(args: argparse.Namespace, settings: Settings, request: Request) -> None:
    from flows.terminal import progress_bar
    from lib.lookup import Table, read_axis, sweep

    axes = [read_axis(text) for text in args.vary]
    warn(request)
    table = Table.open(settings.data_dir, args.table)
    with progress_bar("looking up") as progress:
        points = sweep(table, request, axes, progress)
    if args.json:
        print_json([point.as_json() for point in points])
        return
    from flows.commands.sweep_text import print_sweep

    print_sweep(points)
