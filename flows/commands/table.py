"""`nightpick table ...`: merge, look back, prove, go back, export."""

from __future__ import annotations

import argparse
from collections import Counter
from pathlib import Path
from typing import Any

from flows.commands.diff_map import add_diff_map
from flows.commands.merge import add_merge
from flows.commands.plan_scan import add_plan_scan
from flows.commands.table_map import add_map
from flows.commands.verb import add_group, add_verb, print_json
from lib.counted import counted
from lib.errors import BadInput, CheckFailed
from lib.settings import Settings


def add_table(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `table` and its verbs."""
    group = add_group(verbs, common, "table", "merge scans into the table, look back, prove it, export it")
    add_merge(group, common)
    add_verb(
        group, common, "history", _history,
        does="list the versions", example="nightpick table history",
    )  # fmt: skip
    diff = add_verb(
        group, common, "diff", _diff,
        does="say what version M has that version N has not, and what it changes for the probes",
        example="nightpick table diff 1 2",
    )  # fmt: skip
    diff.add_argument(
        "of", type=int, metavar="N", help="the version to compare with, as `table history` lists it"
    )
    diff.add_argument("to", type=int, metavar="M", help="the version to look at, older or newer")
    add_diff_map(diff)
    add_verb(
        group, common, "verify", _verify,
        does="recompute every version's content md5", example="nightpick table verify",
    )  # fmt: skip
    rollback = add_verb(
        group, common, "rollback", _rollback,
        does="use version N from now on; nothing is deleted", example="nightpick table rollback 1",
    )  # fmt: skip
    rollback.add_argument(
        "version", type=int, metavar="N",
        help="the version, as `table history` lists it; 0: none, as before the first merge",
    )  # fmt: skip
    export = add_verb(
        group, common, "export", _export,
        does="write the table as .csv, .parquet or .npz, each proved by md5 after writing",
        example="nightpick table export fk.csv backup/fk.parquet",
    )  # fmt: skip
    export.add_argument(
        "paths", type=Path, nargs="+", metavar="PATH", help="files to write; the ending says the format"
    )
    export.add_argument("--table", type=int, metavar="N", help="the version (default: the current one)")
    add_map(group, common)
    add_plan_scan(group, common)
    where = add_verb(
        group, common, "where", _where,
        does="say where a row comes from", example="nightpick table where 1667047",
    )  # fmt: skip
    where.add_argument("row", type=_row_number, metavar="ROW", help="a row number, with or without fk_row_")


def _row_number(text: str) -> int:
    return int(text.removeprefix("fk_row_"))


def _history(args: argparse.Namespace, settings: Settings) -> None:
    from lib.table import history

    versions, current = history(settings.data_dir)
    if args.json:
        print_json([{**v.as_json(), "current": v.version == current} for v in versions])
        return
    from flows.commands.table_text import print_history

    print_history(versions, current)


def _diff(args: argparse.Namespace, settings: Settings) -> None:
    from lib.table import difference

    drawn = None
    if args.map is not None:
        from flows.commands.diff_map import draw_diff_map

        drawn = draw_diff_map(args, settings)
    found = difference(settings, args.of, args.to)
    if args.json:
        print_json(found.as_json() | ({} if drawn is None else {"map": drawn.as_json()}))
        return
    from flows.commands.table_text import difference_text

    print(difference_text(found))
    if drawn is not None:
        print(drawn)


def _verify(args: argparse.Namespace, settings: Settings) -> int:
    from flows.terminal import status
    from lib.table import verify

    with status("recomputing every version's content md5") as say:
        found = verify(settings.data_dir, say)
    if args.json:
        print_json(found.as_json())
        return 0 if found.ok else 1
    for check in found.checks:
        verdict = "ok" if check.ok else f"DAMAGED, recomputed {check.recomputed_md5}"
        print(f"version {check.version}: {counted(check.rows, 'row')}, {check.stored_md5} {verdict}")
    for line in found.scans:
        print(f"DAMAGED {line}")
    if not found.table_ok:
        places = "; ".join(found.damage[:10]) or "no row differs from its kept scan"
        raise CheckFailed(
            f"the table is not what it was: {places}; merge the kept scans into a fresh data folder"
        )
    if found.scans:
        raise CheckFailed(f"the table is whole, {len(found.scans)} files of the kept scans are not")
    return 0


def _rollback(args: argparse.Namespace, settings: Settings) -> None:
    from lib.table import rollback

    before, now = rollback(settings, args.version)
    if args.json:
        print_json({"before": before, "current": now})
    else:
        print(f"{_version(now)} is in use (before: {_version(before)}); nothing was deleted")
        print("  scans that only other versions hold are listed by `nightpick scan list`")


def _version(number: int | None) -> str:
    return f"version {number}" if number else "no version"


def _export(args: argparse.Namespace, settings: Settings) -> int:
    from lib.table import export

    written = export(settings.data_dir, [path.absolute() for path in args.paths], args.table)
    failed = [e for e in written if e.error is not None]
    if args.json:
        print_json([e.as_json() for e in written])
    for e in written:
        if e.error is None and not args.json:
            md5s = f"content md5 {e.content_md5}, file md5 {e.file_md5}"
            print(f"{e.path}: {counted(e.rows, 'row')} of version {e.version}, {md5s}")
    if failed:
        whole = len(written) - len(failed)
        told = Counter(str(e.error) for e in failed)  # of one folder there is one thing to say
        said = "; ".join(f"{error} ({n} files)" if n > 1 else error for error, n in told.items())
        raise BadInput(f"{said} ({whole} of {len(written)} written and proved)")
    return 0


def _where(args: argparse.Namespace, settings: Settings) -> None:
    from lib.table import where

    found = where(settings.data_dir, args.row)
    if args.json:
        print_json(found.as_json())
        return
    values = ", ".join(f"{name} {value:g}" for name, value in found.point.items())
    print(f"fk_row {found.fk_row}: {values}")
    print(f"line {found.line} of {found.scan_file} (md5 {found.scan_md5})")
    used = "" if found.in_current else "; the version in use does not hold it"
    print(f"added by version {found.version}, merged {found.merged_at:%Y-%m-%d %H:%M} UTC{used}")
