"""What the table's verbs say to a person."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from rich.console import Console
from rich.table import Table as RichTable

from lib.counted import counted
from lib.table import Difference, MergeResult, Version, selected_row
from lib.table.effect import Effect


def merge_text(result: MergeResult) -> str:
    """Say in a few lines what a merge did, each audit on its own."""
    head = {
        "published": f"version {result.version} published",
        "blocked": "BLOCKED, the table is as it was",
        "dry run": f"dry run: version {result.version} would be published",
    }[result.state]
    lines = [
        f"{result.scan_file}: {head}",
        f"  {counted(result.scanned, 'row')} scanned, {result.added:,} added, {result.duplicates:,} known "
        f"already: {counted(result.rows, 'row')}, content md5 {result.content_md5}",
    ]
    for audit in result.audits:
        mark = {True: "ok ", False: "NO ", None: "-  "}[audit.ok]
        accepted = f" (accepted: {audit.accepted_because})" if audit.accepted_because else ""
        lines.append(f"  {mark} {audit.name}: {audit.message}{accepted}")
        if audit.blocks:
            lines += [f"       {finding}" for finding in audit.findings]
    if result.blocked:
        lines += ["  what now:", *(f"       {way}" for way in result.ways_out)]
    return "\n".join(lines)


def print_history(versions: Sequence[Version], current: int | None) -> None:
    """Print the versions as a table, the one in use marked."""
    table = RichTable(box=None, header_style="bold", pad_edge=False)
    for name in ("", "version", "rows", "added", "known", "chain RMS", "merged (UTC)", "content md5", "scan"):
        table.add_column(name, justify="right" if name in ("version", "rows", "added", "known") else "left")
    for v in versions:
        table.add_row(
            ">" if v.version == current else "",
            str(v.version),
            f"{v.rows:,}",
            f"{v.added:,}",
            f"{v.duplicates:,}",
            f"{v.fit.rms_m * 1e3:.4f} mm" if v.fit else "-",
            f"{v.created_at:%Y-%m-%d %H:%M}",
            v.content_md5,
            v.scan_file,
        )
    # Piped, the table keeps its full width: a cut md5 is no md5. A scan may be called "[a].csv".
    console = Console(width=None if sys.stdout.isatty() else 400, markup=False, emoji=False)
    console.print(table)


def difference_text(found: Difference) -> str:
    """Say what one version has over another and what that changes."""
    lines = [
        f"version {found.to.version} has {counted(found.only_to_rows, 'row')} that version "
        f"{found.of.version} has not, and lacks {found.only_of_rows:,}",
        f"  {effect_line(found.effect)}",
    ]
    for change in found.effect.largest:
        lines.append(
            f"  {change.probe.mode} x {change.probe.x_m:+.3f} z {change.probe.z_m:+.3f}: "
            f"{selected_row(change.before)} -> {selected_row(change.after)} ({change.verdict})"
        )
    return "\n".join(lines)


def effect_line(effect: Effect) -> str:
    """Sum up an effect in one line."""
    counts = ", ".join(f"{effect.count(v)} {v}" for v in ("improved", "worse", "unchanged"))
    return f"{counted(len(effect.changes), 'probe')}: {counts}"
