"""`nightpick scan simulate`: what Unity does with a scan request, in the twin."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings


def add_simulate(group: Any, common: argparse.ArgumentParser) -> None:
    """Add `simulate` to the verbs of `scan`."""
    parser = add_verb(
        group,
        common,
        "simulate",
        _simulate,
        does="scan base poses in the twin and write the scan file",
        example="nightpick scan simulate data/requests/base.csv data/inbox/base.csv",
    )
    parser.add_argument(
        "bases",
        type=Path,
        metavar="BASES.csv",
        help="the scan request, one pose a line, six joints in degrees",
    )
    parser.add_argument(
        "out", type=Path, metavar="OUT.csv", help="the scan file; a copy of the request is put beside it"
    )


def _simulate(args: argparse.Namespace, settings: Settings) -> int:
    from flows.terminal import progress_bar
    from lib.cell import write_simulated_scan
    from lib.counted import counted
    from lib.robot import load_robot

    robot = load_robot(settings.robot)
    with progress_bar(f"scanning {args.bases}") as progress:
        scan = write_simulated_scan(robot, args.bases, args.out, settings.cell.seed, progress)
    if args.json:
        print_json(scan.as_json())
        return 0
    twice = scan.rows - scan.distinct_poses
    repeated = f"; {twice / scan.rows:.0%} of them measure a pose again" if twice else ""
    print(
        f"wrote {scan.file}: {counted(scan.rows, 'row')} of {counted(scan.distinct_poses, 'different pose')} "
        f"for the {counted(scan.bases, 'pose')} of the request{repeated}"
    )
    print(f"  request kept beside it: {scan.request}")
    return 0
