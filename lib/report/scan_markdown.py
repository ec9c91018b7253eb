"""A scan told in Markdown: what was taken in, or why it was refused and where."""

from __future__ import annotations

from pathlib import Path

from lib.counted import counted
from lib.report.markdown import bullets, code, plain, table
from lib.scan import IngestResult, ScanRefused


def scan_markdown(result: IngestResult) -> str:
    """Return the report of a scan that was taken in, or was known already."""
    rows = [
        ("rows", _count(result.rows)),
        ("asked for", _count(result.expected_rows)),
        ("set aside", _count(result.quarantined)),
        ("repeated in the file", _count(result.duplicates_in_file)),
        ("outside the joint limits", _count(result.out_of_limits)),
    ]
    return (
        f"## {plain(Path(result.file).name)}: {result.status}, {counted(result.rows, 'row')}\n\n"
        f"{table(('', 'count'), rows, right=(1,))}\n\n"
        f"md5 of the file `{result.md5}`, of its content `{result.content_md5}`.\n"
        + (f"\n{bullets(map(plain, result.notes))}\n" if result.notes else "")
    )


def refusal_markdown(refused: ScanRefused) -> str:
    """Return the report of a refusal: every problem's place, as many as are shown."""
    rows = [
        (
            p.line if p.line is not None else "-",
            plain(p.column or "-"),
            code(p.found) if p.found else "-",
            plain(p.rule),
        )
        for p in refused.problems
    ]
    more = refused.problem_count - len(refused.problems)
    return (
        f"## {plain(Path(refused.file).name)} refused, problems: {refused.problem_count:,}\n\n"
        f"{table(('line', 'column', 'found', 'rule'), rows, right=(0,))}\n\n"
        + (f"… and {more:,} more.\n\n" if more else "")
        + f"What to do: {plain(refused.advice)}. The file stays in the inbox until it is mended or removed.\n"
    )


def _count(value: int | None) -> str:
    return "not known" if value is None else f"{value:,}"
