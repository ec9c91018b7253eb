"""`nightpick scan ...`: take scan files in, see where they stand, or have the twin make one."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, TextIO

from flows.commands.scan_list import add_scan_list
from flows.commands.simulate import add_simulate
from flows.commands.verb import add_group, add_verb, print_json
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.scan import IngestResult, ScanOptions, ScanRefused


def add_scan(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `scan` and its verbs."""
    group = add_group(verbs, common, "scan", "read and keep the twin's scans, see where each stands")
    ingest = add_verb(
        group, common, "ingest", _ingest,
        does="read scan files and keep them, or refuse them with every problem's line and column",
        example=(
            "nightpick scan ingest night.csv --request bases.csv\n"
            "         nightpick scan ingest night.csv --again --length-unit mm"
        ),
    )  # fmt: skip
    ingest.add_argument("files", type=Path, nargs="+", metavar="FILE", help="CSV (also gzip) or Parquet")
    ingest.add_argument(
        "--request", type=Path, metavar="BASES.csv",
        help="the scan request it answers (default: X.request.csv beside X.csv)",
    )  # fmt: skip
    ingest.add_argument("--quarantine", action="store_true", help="set bad rows aside, keep the good ones")
    ingest.add_argument(
        "--partial", action="store_true", help="accept fewer or more rows than the request asks for"
    )
    ingest.add_argument(
        "--again", action="store_true",
        help="read a kept file anew, with the options given now; the earlier reading stays kept beside it",
    )  # fmt: skip
    ingest.add_argument("--angle-unit", choices=("deg", "rad"), help="the file's unit of angle")
    ingest.add_argument("--length-unit", choices=("m", "mm"), help="the file's unit of length")
    ingest.add_argument(
        "--columns", metavar="NAMES",
        help="q1=j0,q2=j1,... renames columns; without any '=': the order of a file that has no header",
    )  # fmt: skip
    add_scan_list(group, common)
    add_simulate(group, common)


def _ingest(args: argparse.Namespace, settings: Settings) -> int:
    from flows.terminal import status
    from lib.robot import load_robot
    from lib.scan import ingest_file, ingest_file_again

    options = _options(args)
    robot = load_robot(settings.robot)
    offer = ingest_file_again if args.again else ingest_file
    results = []
    exit_code = 0
    for file in args.files:
        with status(f"reading {file}"):
            result, refused = offer(settings.data_dir, file, options, robot)
        results.append(result.as_json())
        if refused is not None:
            exit_code = max(exit_code, refused.exit_code)
        if not args.json:
            _say(result, refused)
    if args.json:
        print_json(results)
    return exit_code


def _options(args: argparse.Namespace) -> ScanOptions:
    from lib.scan import ScanOptions, parse_columns

    columns, order = parse_columns(args.columns) if args.columns is not None else (None, ())
    return ScanOptions(
        angle_unit=args.angle_unit,
        length_unit=args.length_unit,
        columns=columns,
        column_order=order,
        quarantine=args.quarantine,
        partial=args.partial,
        request=args.request,
    )


def _say(result: IngestResult, refused: ScanRefused | None) -> None:
    if refused is not None:
        print(f"nightpick: refused: {refused}", file=sys.stderr)
        _say_problems(result, sys.stderr)
        return
    from lib.counted import counted
    from lib.scan import shown

    expected = f" of {result.expected_rows:,} expected" if result.expected_rows is not None else ""
    counts = (
        f"{counted(result.rows, 'row')}{expected}, {result.duplicates_in_file:,} repeated in the file, "
        f"{result.quarantined:,} set aside"
    )
    outside = f", {result.out_of_limits:,} outside the robot's limits" if result.out_of_limits else ""
    print(f"{result.status}: {shown(result.file, limit=300)}: scan {result.sequence}, {counts}{outside}")
    print(f"  md5 {result.md5}, content md5 {result.content_md5}")
    for note in result.notes:
        print(f"  note: {note}")
    if result.quarantined:
        _say_problems(result, sys.stdout)


def _say_problems(result: IngestResult, stream: TextIO) -> None:
    """List the first problems; a single one of a refusal is in its line already."""
    if result.status == "refused" and result.problem_count == 1:
        return
    for problem in result.problems:
        print(f"  {problem}", file=stream)
    if result.problem_count > len(result.problems):
        print(f"  ... {result.problem_count:,} problems in all", file=stream)
