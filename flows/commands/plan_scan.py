"""`nightpick table plan-scan`: what to ask the twin for next, and what it would be asked twice."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.verb import add_verb, print_json
from lib.errors import BadInput
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.lookup import Request


def add_plan_scan(table: Any, common: argparse.ArgumentParser) -> None:
    """Add `plan-scan` to the verbs of `table`."""
    parser = add_verb(
        table, common, "plan-scan", _plan_scan,
        does="plan base poses for the targets that are missed only for want of points",
        example="nightpick table plan-scan data/requests/more.csv --worse-than 0.005",
    )  # fmt: skip
    parser.add_argument(
        "out", type=Path, nargs="?", metavar="OUT.csv", help="write the scan request (default: only say it)"
    )
    parser.add_argument(
        "--target", dest="targets", action="append", nargs=2, type=float, metavar=("X", "Z"),
        help="a target [m], several times for more (default: the standard probes)",
    )  # fmt: skip
    parser.add_argument(
        "--mode", choices=("place", "pick"), help="mode of the targets (default: place), or of the probes"
    )
    parser.add_argument(
        "--worse-than", dest="worse_than_m", type=float, default=0.005, metavar="M",
        help="a target is missed when the selected row is farther than this [m] (default: 0.005)",
    )  # fmt: skip
    parser.add_argument(
        "--exact",
        action="store_true",
        help="ask for the very poses, one row each, instead of a grid around each",
    )
    parser.add_argument(
        "--bases", type=Path, metavar="BASES.csv",
        help="plan nothing: count what the table has already of this request, foretell what it would change",
    )  # fmt: skip
    parser.add_argument("--table", type=int, metavar="N", help="table version (default: the current one)")


def _plan_scan(args: argparse.Namespace, settings: Settings) -> None:
    if args.bases is not None:
        _count(args, settings)
        return
    from flows.commands.plan_scan_text import plan_text
    from flows.terminal import progress_bar
    from lib.lookup import Table
    from lib.table import foretell_merge, known_chain, plan_scan

    if not args.worse_than_m >= 0:
        raise BadInput(f"--worse-than {args.worse_than_m:g}; expected metres, zero or more, like 0.005")
    requests = _requests(args, settings)
    table = Table.open(settings.data_dir, args.table)
    chain = known_chain(settings, table.version)
    with progress_bar(f"planning for {len(requests)} targets") as progress:
        plan = plan_scan(table, chain, requests, args.worse_than_m, args.exact, progress)
        merge = foretell_merge(settings, table, plan.added) if plan.added else None
    if args.out is not None and plan.request is not None:
        from lib.scan import write_request

        write_request(args.out, plan.request)
    written = args.out if plan.request is not None else None
    if args.json:
        merge_json = None if merge is None else merge.as_json()
        print_json({**plan.as_json(), "merge": merge_json, "file": None if written is None else str(written)})
    else:
        print(plan_text(plan, merge, chain.why_not, written))


def _requests(args: argparse.Namespace, settings: Settings) -> list[Request]:
    from lib.lookup import PickRequest, PlaceRequest
    from lib.table import standard_probes

    if args.targets:
        wanted = [(args.mode or "place", x_m, z_m) for x_m, z_m in args.targets]
    else:
        probes = standard_probes(settings)
        wanted = [(p.mode, p.x_m, p.z_m) for p in probes if args.mode in (None, p.mode)]
    return [
        PlaceRequest(x_m, z_m, settings.lookup.place)
        if mode == "place"
        else PickRequest(x_m, z_m, settings.lookup.pick)
        for mode, x_m, z_m in wanted
    ]


def _count(args: argparse.Namespace, settings: Settings) -> None:
    from flows.commands.plan_scan_text import request_text
    from lib.lookup import Table
    from lib.scan import count_poses, read_request
    from lib.table import foretell_merge, foretold_scan, known_chain

    request = read_request(args.bases)
    table = Table.open(settings.data_dir, args.table)
    counts = count_poses(request, table.points[:, 3:])
    why_not = (chain := known_chain(settings, table.version)).why_not
    merge = None if why_not else foretell_merge(settings, table, [foretold_scan(chain, request)])
    if args.json:
        merge_json = None if merge is None else merge.as_json()
        print_json({"file": str(args.bases), **counts.as_json(), "merge": merge_json})
    else:
        print(request_text(args.bases, counts, merge, why_not))
