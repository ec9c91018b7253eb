"""`nightpick table merge`: every pending scan, or the one that is named, behind its audits."""

from __future__ import annotations

import argparse
import shlex
import sys
from typing import TYPE_CHECKING, Any

from flows.command_parser import zero_or_more
from flows.commands.scan_list import SCAN_HELP
from flows.commands.verb import add_verb, print_json
from lib.errors import BadInput
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.scan import KeptScan
    from lib.table import MergeOptions, MergeResult

# More are not read in one line; `scan list` has them all.
_LISTED_SCANS = 5


def add_merge(group: Any, common: argparse.ArgumentParser) -> None:
    """Add `merge` to the verbs of `table`."""
    merge = add_verb(
        group, common, "merge", _merge,
        does="merge every pending scan, one version each, behind its audits",
        example=(
            "nightpick table merge --dry-run\n"
            "         nightpick table merge --scan 1a2b3c4d --accept-audit self_consistency "
            '--reason "a longer tool from today on"'
        ),
    )  # fmt: skip
    merge.add_argument(
        "--scan", metavar="SCAN",
        help=f"merge this scan alone, also one that was set aside or rolled back: {SCAN_HELP}",
    )  # fmt: skip
    merge.add_argument("--dry-run", action="store_true", help="do all but publish")
    merge.add_argument("--must-improve", action="store_true", help="block a merge that improves no probe")
    merge.add_argument(
        "--accept-worse", type=zero_or_more, default=0, metavar="N", help="this many worse probes are known"
    )
    merge.add_argument(
        "--accept-audit", action="append", default=[], metavar="NAME",
        help="let this audit of the scan fail; needs --reason, may be given several times",
    )  # fmt: skip
    merge.add_argument("--reason", metavar="TEXT", help="why, kept with the version")


def _merge(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.table_text import merge_text
    from flows.terminal import status
    from lib.scan import ScanDamaged
    from lib.table import merge_scan

    options = _options(args)
    results = []
    damaged: list[str] = []
    for scan in _chosen(args, settings):
        try:
            with status(f"merging {scan.file}") as say:
                result = merge_scan(settings, scan, options, say)
        except ScanDamaged as error:
            damaged.append(f"{scan.file} is not merged: {error}")
            print(f"nightpick: {damaged[-1]}", file=sys.stderr)
            continue
        if result is not None:
            results.append(result)
            if not args.json:
                print(merge_text(result))
    if args.json:
        print_json({**_document(settings, results), "damaged": damaged})
    elif not results and not damaged:
        print(_nothing_merged(args, settings))
    return 1 if damaged or any(result.blocked for result in results) else 0


def _options(args: argparse.Namespace) -> MergeOptions:
    from lib.table import MergeOptions

    if bool(args.accept_audit) != bool(args.reason):
        raise BadInput("--accept-audit and --reason go together: name the audit and say why it may fail")
    return MergeOptions(
        dry_run=args.dry_run,
        must_improve=args.must_improve,
        accept_worse=args.accept_worse,
        accepted={name.replace("-", "_"): args.reason for name in args.accept_audit},
        named=args.scan is not None,
    )


def _chosen(args: argparse.Namespace, settings: Settings) -> list[KeptScan]:
    """Return the scans to merge; raises BadInput where what is accepted could be meant for several."""
    from lib.scan import ScanStore, find_scan
    from lib.table import pending_scans

    if args.scan is not None:
        return [find_scan(ScanStore(settings.data_dir), args.scan)]
    pending = pending_scans(settings)
    if len(pending) > 1 and (args.accept_audit or args.accept_worse):
        raise BadInput(
            f"{len(pending)} scans are pending, and what is accepted of one is not accepted of the others; "
            f"name it with --scan: {_commands(args, pending)}"
        )
    return pending


def _commands(args: argparse.Namespace, pending: list[KeptScan]) -> str:
    """Write what was typed once for each scan."""
    from lib.scan import shown

    words = [f"--accept-audit {shlex.quote(name)}" for name in args.accept_audit]
    words += [f"--accept-worse {args.accept_worse}"] if args.accept_worse else []
    words += [f"--reason {shlex.quote(args.reason)}"] if args.reason else []
    words += [f"--{name}" for name in ("must-improve", "dry-run") if getattr(args, name.replace("-", "_"))]
    commands = [
        f"{shown(scan.file)}: `nightpick table merge --scan {scan.short_md5} {' '.join(words)}`"
        for scan in pending[:_LISTED_SCANS]
    ]
    if len(pending) > _LISTED_SCANS:
        commands.append(f"and {len(pending) - _LISTED_SCANS} more, see `nightpick scan list`")
    return "; ".join(commands)


def _document(settings: Settings, results: list[MergeResult]) -> dict[str, object]:
    """Return what a machine reads: one merge's own fields, or of several those of the last one published.

    Where several were tried and none was published, the table as it is. ``promoted`` says that all were;
    ``merges`` has each.
    """
    from lib.table import current_version, nothing_merged

    documents = [result.as_json() for result in results]
    if len(results) == 1:
        return {**documents[0], "merges": documents}
    published = [result for result in results if result.promoted]
    told = published[-1].as_json() if published else nothing_merged(current_version(settings.data_dir))
    return {
        **told,
        "promoted": bool(results) and len(published) == len(results),
        "dry_run": any(result.dry_run for result in results),
        "merges": documents,
    }


def _nothing_merged(args: argparse.Namespace, settings: Settings) -> str:
    from lib.scan import ScanStore, find_scan, holding, shown

    if args.scan is None:
        return "nothing to merge: no kept scan is pending; `nightpick scan list` tells where each stands"
    scan = find_scan(ScanStore(settings.data_dir), args.scan)
    held = holding(settings.data_dir, scan.md5)
    where = f"is in version {held.in_use[0]}, which is in use" if held.in_use else "was changed meanwhile"
    return f"nothing to merge: {shown(scan.file)} {where}"
