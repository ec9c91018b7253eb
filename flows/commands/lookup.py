"""`nightpick lookup place X Z` and `nightpick lookup pick X Z`: one pose, and why."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

from flows.commands.verb import add_group, add_verb, print_json
from lib.settings import PickLookup, PlaceLookup, Settings

if TYPE_CHECKING:
    from lib.lookup import LookupResult, Request, Table

Bounds = TypeVar("Bounds", PlaceLookup, PickLookup)

# Filters that a question may leave out: those that do not protect hardware.
PLACE_OPTIONAL = ("ee_y_band", "j0_lock", "j1_min", "ref_joints", "ee_y_target")
PICK_OPTIONAL = ("ee_y_band", "j0_lock", "ref_joints")


def add_lookup(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `lookup` and its verbs."""
    group = add_group(verbs, common, "lookup", "ask which row of the table brings the tool to a target")
    place = add_verb(
        group, common, "place", _place,
        does="look up where to let a block go",
        example="nightpick lookup place -0.170 0.1899 --j0-tol 5 --explain",
    )  # fmt: skip
    _add_question(place, PLACE_OPTIONAL)
    _add_bound(place, "--ee-y", "ee_y_target_m", "M", "wanted height of the tool tip")
    _add_bound(place, "--ee-y-tol", "ee_y_tol_m", "M", "half width of the height target")
    for joint in ("j1", "j2", "j4"):
        _add_bound(
            place, f"--w-{joint}", f"w_{joint}_m_per_deg", "M_PER_DEG", f"what a degree of {joint} costs"
        )
    pick = add_verb(
        group, common, "pick", _pick,
        does="look up where to grip a block",
        example="nightpick lookup pick 0.140 0.200",
    )  # fmt: skip
    _add_question(pick, PICK_OPTIONAL)


def _add_question(parser: argparse.ArgumentParser, optional: tuple[str, ...]) -> None:
    parser.add_argument("x_m", type=float, metavar="X", help="target, to the right of the base [m]")
    parser.add_argument("z_m", type=float, metavar="Z", help="target, in front of the base [m]")
    parser.add_argument(
        "--ref-joints", dest="ref_joints", type=_six_joints, metavar="J0,...,J5", help="reference pose [deg]"
    )
    _add_bound(parser, "--j0-ref", "j0_ref_deg", "DEG", "centre of the j0 lock")
    _add_bound(parser, "--j0-tol", "j0_tol_deg", "DEG", "half width of the j0 lock")
    for name in optional:
        parser.add_argument(
            f"--no-{name.replace('_', '-')}", dest="without", action="append_const", const=name,
            help=f"leave the filter {name} out",
        )  # fmt: skip
    parser.add_argument("--table", type=int, metavar="N", help="table version (default: the current one)")
    parser.add_argument(
        "--explain", action="store_true",
        help="show what each filter left, from the same pass, and what relaxing one bound or two would give",
    )  # fmt: skip
    parser.add_argument(
        "--figure", type=Path, metavar="FILE", help="draw that as FILE (.svg, .png or .html); means --explain"
    )


def _add_bound(parser: argparse.ArgumentParser, flag: str, bound: str, unit: str, meaning: str) -> None:
    parser.add_argument(
        flag, dest=bound, type=float, metavar=unit, help=f"{meaning} (default: the settings')"
    )


def _six_joints(text: str) -> tuple[float, ...]:
    joints = tuple(float(part) for part in text.replace(",", " ").split())
    if len(joints) != 6:
        raise argparse.ArgumentTypeError(f"{text!r} has {len(joints)} values; expected six joints [deg]")
    return joints


def _place(args: argparse.Namespace, settings: Settings) -> int:
    from lib.lookup import PlaceRequest

    bounds = _with_flags(settings.lookup.place, args)
    return _answer(args, settings.data_dir, PlaceRequest(args.x_m, args.z_m, bounds, _without(args)))


def _pick(args: argparse.Namespace, settings: Settings) -> int:
    from lib.lookup import PickRequest

    bounds = _with_flags(settings.lookup.pick, args)
    return _answer(args, settings.data_dir, PickRequest(args.x_m, args.z_m, bounds, _without(args)))


def _with_flags(bounds: Bounds, args: argparse.Namespace) -> Bounds:
    given = {name: value for name, value in vars(args).items() if hasattr(bounds, name) and value is not None}
    return replace(bounds, **given)


def _without(args: argparse.Namespace) -> frozenset[str]:
    return frozenset(args.without or ())


def _answer(args: argparse.Namespace, data_dir: Path, request: Request) -> int:
    from lib.lookup import Table, lookup

    for warning in request.warnings:
        print(f"nightpick: warning: {warning}", file=sys.stderr)
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
