"""`nightpick scan list` and `scan set-aside`: where each kept scan stands, and to keep one out of merges."""

from __future__ import annotations

import argparse
from collections.abc import Mapping
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings

SCAN_HELP = "its md5 or the beginning of it, the name it came under, a file with its bytes, or its number"


def add_scan_list(group: Any, common: argparse.ArgumentParser) -> None:
    """Add `list` and `set-aside` to the verbs of `scan`."""
    add_verb(
        group, common, "list", _list,
        does="list the kept scans and where each stands: pending, merged, blocked, set aside or rolled back",
        example="nightpick scan list",
    )  # fmt: skip
    aside = add_verb(
        group, common, "set-aside", _set_aside,
        does="keep a scan out of every merge that does not name it; nothing is deleted",
        example='nightpick scan set-aside 1a2b3c4d --reason "the base was moved during the scan"',
    )  # fmt: skip
    aside.add_argument("scan", metavar="SCAN", help=f"a pending scan: {SCAN_HELP}")
    aside.add_argument("--reason", metavar="TEXT", required=True, help="why, kept with the scan")


def _list(args: argparse.Namespace, settings: Settings) -> None:
    from lib.table import kept_scans

    scans = kept_scans(settings)
    if args.json:
        print_json(scans)
    elif not scans:
        print("no scan is kept yet: `nightpick scan ingest FILE` takes one in")
    else:
        _print_scans(scans)


def _print_scans(scans: list[dict[str, Any]]) -> None:
    from rich.table import Table

    from flows.terminal import wide_text
    from lib.visible import visible

    table = Table(box=None, header_style="bold", pad_edge=False)
    for name in ("scan", "md5", "state", "rows", "read as", "ingested (UTC)", "file"):
        table.add_column(name, justify="right" if name in ("scan", "rows") else "left", no_wrap=True)
    for scan in scans:
        table.add_row(
            str(scan["sequence"]),
            scan["md5"][:8],
            _state(scan),
            f"{scan['rows']:,}",
            f"{scan['angle_unit']}, {scan['length_unit']}",
            f"{scan['ingested_utc']:%Y-%m-%d %H:%M}",
            visible(scan["file"]),
        )
    print(wide_text(table))
    for line in filter(None, map(_what_to_do, scans)):
        print(line)


def _state(scan: Mapping[str, Any]) -> str:
    if scan["state"] == "merged":
        return f"merged, version {scan['version']}"
    if scan["state"] == "rolled back":
        return f"rolled back, version {scan['version']}"
    return str(scan["state"])


def _what_to_do(scan: Mapping[str, Any]) -> str | None:
    from lib.table import merge_command
    from lib.visible import visible

    of_scan = f"scan {scan['sequence']}"
    merge = f"`{merge_command(scan['md5'])}`"
    if scan["state"] == "blocked":
        since = f"{scan['blocked_since_utc']:%Y-%m-%d %H:%M} UTC"
        return (
            f"{of_scan} is blocked by {scan['blocked_by']} since {since}: {merge} audits it again and says "
            "what to do"
        )
    if scan["state"] == "set aside":
        because = visible(str(scan["set_aside_because"]))
        return f"{of_scan} is set aside, because: {because}; {merge} merges it all the same"
    if scan["state"] == "rolled back":
        return f"{of_scan} is in no version in use: {merge} merges it on top of the one that is"
    return None


def _set_aside(args: argparse.Namespace, settings: Settings) -> None:
    from lib.scan import ScanStore, find_scan
    from lib.table import merge_command, set_aside
    from lib.visible import visible

    scan = set_aside(settings, find_scan(ScanStore(settings.data_dir), args.scan), args.reason)
    if args.json:
        print_json(
            {
                "sequence": scan.sequence,
                "md5": scan.md5,
                "file": scan.file,
                "reading": scan.reading,
                "set_aside_at": scan.set_aside_at,
                "set_aside_because": scan.set_aside_because,
            }
        )
        return
    because = visible(str(scan.set_aside_because))
    print(f"set aside: scan {scan.sequence}, {visible(scan.file)}, because: {because}")
    print(f"  its bytes and rows stay kept; `{merge_command(scan.md5)}` merges it all the same")
