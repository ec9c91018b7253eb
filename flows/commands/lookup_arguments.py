"""The arguments of a lookup question, shared by the verbs that ask one, and the request they make."""

from __future__ import annotations

import argparse
import sys
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

from lib.errors import BadInput
from lib.settings import PickLookup, PlaceLookup, Settings

if TYPE_CHECKING:
    from lib.lookup import PickRequest, PlaceRequest, Request

Bounds = TypeVar("Bounds", PlaceLookup, PickLookup)

# Filters that a question may leave out: those that do not protect hardware.
PLACE_OPTIONAL = ("ee_y_band", "j0_lock", "j1_min", "ref_joints", "ee_y_target")
PICK_OPTIONAL = ("ee_y_band", "j0_lock", "ref_joints")


def add_place_question(parser: argparse.ArgumentParser) -> None:
    """Add what a PLACE question takes."""
    _add_target(parser, nargs="?")
    _add_question(parser, PLACE_OPTIONAL)
    _add_bound(parser, "--ee-y", "ee_y_target_m", "M", "wanted height of the tool tip")
    _add_bound(parser, "--ee-y-tol", "ee_y_tol_m", "M", "half width of the height target")
    for joint in ("j1", "j2", "j4"):
        _add_bound(
            parser, f"--w-{joint}", f"w_{joint}_m_per_deg", "M_PER_DEG", f"what a degree of {joint} costs"
        )


def add_pick_question(parser: argparse.ArgumentParser) -> None:
    """Add what a PICK question takes."""
    _add_target(parser)
    _add_question(parser, PICK_OPTIONAL)


def place_request(args: argparse.Namespace, settings: Settings) -> PlaceRequest:
    """Return the PLACE question that was asked, under the settings' bounds where no flag says otherwise."""
    from lib.lookup import PlaceRequest

    if args.x_m is None or args.z_m is None:
        raise BadInput("no target; expected X Z in metres, like -0.170 0.1899")
    return PlaceRequest(args.x_m, args.z_m, _with_flags(settings.lookup.place, args), _without(args))


def pick_request(args: argparse.Namespace, settings: Settings) -> PickRequest:
    """Return the PICK question that was asked, under the settings' bounds where no flag says otherwise."""
    from lib.lookup import PickRequest

    return PickRequest(args.x_m, args.z_m, _with_flags(settings.lookup.pick, args), _without(args))


def warn(request: Request) -> None:
    """Say on stderr what a settings file would be refused for."""
    for warning in request.warnings:
        print(f"nightpick: warning: {warning}", file=sys.stderr)


def _add_target(parser: argparse.ArgumentParser, **more: Any) -> None:
    parser.add_argument("x_m", type=float, metavar="X", help="target, to the right of the base [m]", **more)
    parser.add_argument("z_m", type=float, metavar="Z", help="target, in front of the base [m]", **more)


def _add_question(parser: argparse.ArgumentParser, optional: tuple[str, ...]) -> None:
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


def _add_bound(parser: argparse.ArgumentParser, flag: str, bound: str, unit: str, meaning: str) -> None:
    parser.add_argument(
        flag, dest=bound, type=float, metavar=unit, help=f"{meaning} (default: the settings')"
    )


def _six_joints(text: str) -> tuple[float, ...]:
    joints = tuple(float(part) for part in text.replace(",", " ").split())
    if len(joints) != 6:
        raise argparse.ArgumentTypeError(
            f"{text!r} has {len(joints)} {'value' if len(joints) == 1 else 'values'}; "
            "expected six joints [deg] in one word, like 36.2,57,20,-12,-86,-30"
        )
    return joints


def _with_flags(bounds: Bounds, args: argparse.Namespace) -> Bounds:
    given = {name: value for name, value in vars(args).items() if hasattr(bounds, name) and value is not None}
    return replace(bounds, **given)


def _without(args: argparse.Namespace) -> frozenset[str]:
    return frozenset(args.without or ())
