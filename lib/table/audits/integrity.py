"""Nothing that was there changed, and what was added adds up."""

from __future__ import annotations

from lib.counted import counted
from lib.table.audits.audit import Audit, Figure


def prefix(stored_md5: str | None, recomputed_md5: str | None, rows: int) -> Audit:
    """The parent's rows in the staged file still hash to what the parent's version says."""
    if stored_md5 is None:
        return Audit("prefix", True, "first version, there is no parent to change", {"parent_rows": 0})
    figures: dict[str, Figure] = {
        "parent_rows": rows,
        "stored_md5": stored_md5,
        "recomputed_md5": recomputed_md5,
    }
    if stored_md5 == recomputed_md5:
        return Audit("prefix", True, f"the parent's {counted(rows, 'row', ('is', 'are'))} untouched", figures)
    return Audit(
        "prefix",
        False,
        f"the parent's {counted(rows, 'row', ('hashes', 'hash'))} to {recomputed_md5}, its version says "
        f"{stored_md5}: the table file is damaged, `nightpick table verify` finds where",
        figures,
    )


def count(parent_rows: int, scanned: int, duplicates: int, rows: int) -> Audit:
    """Parent + scan - duplicates = new, counted in the staged file after writing."""
    expected = parent_rows + scanned - duplicates
    figures: dict[str, Figure] = {
        "parent_rows": parent_rows,
        "scanned": scanned,
        "duplicates": duplicates,
        "rows": rows,
    }
    sum_text = f"{parent_rows:,} + {scanned:,} - {counted(duplicates, 'duplicate')}"
    if rows == expected:
        return Audit("count", True, f"{sum_text} = {counted(rows, 'row')}", figures)
    return Audit(
        "count", False, f"{sum_text} = {expected:,}, but the staged table has {counted(rows, 'row')}", figures
    )
