"""Merge one kept scan into the table, behind its audits."""

from __future__ import annotations

from lib import table
from lib.report import (
    blocked_before_markdown,
    effect_markdown,
    explain_worst_probe,
    merge_headline,
    merge_markdown,
)
from lib.scan import KeptScan
from lib.settings import Settings
from tasks.artifacts import Figure, Markdown
from tasks.evidence import Evidence, evidence_task
from tasks.progress import step

# Which share of the time is over when a step begins, measured on 1.66 million rows.
BEGINS_AT = {
    "append the new rows": 0.02,
    "read the staged table back": 0.25,
    "compare lookups before and after": 0.47,
    "fit the chain": 0.7,
    "publish": 0.93,
}


@evidence_task("merge scan", run_name="merge {scan.file}", asset="nightpick://table")
def merge_scan(settings: Settings, scan: KeptScan) -> Evidence[None]:
    """Merge a scan; a failed audit fails the task with its evidence, the table is then as it was.

    One that was blocked is audited again only where something changed that the audits go by.
    """
    before = table.blocked_before(settings, scan)
    if before is not None:
        said = str(before)
        report = Markdown("merge-report", blocked_before_markdown(before), f"{scan.file}: blocked as before")
        return Evidence(None, headline=said, artifacts=(report,), refusal=said)
    result = table.merge_scan(
        settings, scan, progress=lambda at: step(f"merge {scan.file}: {at}", BEGINS_AT.get(at))
    )
    if result is None:
        return Evidence(None, headline=f"{scan.file}: another process merged it meanwhile")
    effect = result.effect
    return Evidence(
        None,
        headline=merge_headline(result),
        metrics={
            "rows_scanned": (result.scanned, "rows"),
            "rows_added": (result.added, "rows"),
            "rows_duplicate": (result.duplicates, "rows"),
            "rows_in_table": (result.rows, "rows"),
            "probes_improved": (effect.count("improved"), "probes"),
            "probes_worse": (effect.count("worse"), "probes"),
            "probes_unchanged": (effect.count("unchanged"), "probes"),
        },
        artifacts=(
            Markdown("merge-report", merge_markdown(result), f"{scan.file}: {result.state}"),
            _effect_report(settings, result),
        ),
        refusal=merge_headline(result) if result.blocked else None,
    )


def _effect_report(settings: Settings, result: table.MergeResult) -> Markdown:
    """Tell what the merge changes, and explain the worst of what it does not, with the figure."""
    text, said = effect_markdown(result), f"{result.scan_file}: {result.state}"
    worst = explain_worst_probe(settings, result, settings.data_dir / "reports" / "figures")
    if worst is None:
        return Markdown("effect-report", text, said)
    return Markdown("effect-report", text + worst.markdown(), said, Figure(worst.figure, worst.said))
