"""The morning page: one HTML file that opens anywhere, without a network."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jinja2

from lib.disk import disk, whole_file
from lib.report.batch_section import batch_headline, batch_section, batch_tiles
from lib.report.homing_section import homing_section
from lib.report.local_time import clock, day_and_clock, duration
from lib.report.merge_section import merge_section
from lib.report.night_facts import MergeFacts, NightFacts, Row, gather
from lib.report.probe_map import legend
from lib.report.time_line import time_line
from lib.report.todo import reason, todo_items
from lib.report.worst_section import worst_section
from lib.settings import Settings
from lib.visible import visible

# Older ones are in `nightpick table history`.
VERSIONS_SHOWN = 12


def write_night_page(settings: Settings, night_id: str) -> Path:
    """Write the page of one night to ``reports/<night>.html`` and return its path.

    Raises BadInput where there is no such night, DiskRefused where it cannot be written.
    """
    path = settings.data_dir / "reports" / f"{night_id}.html"
    page = night_page(gather(settings.data_dir, night_id), settings)
    with disk(path.parent):
        path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as beside:
        beside.write_text(page, encoding="utf-8")
    return path


def night_page(facts: NightFacts, settings: Settings) -> str:
    """Return the page's HTML."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("lib.report"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        finalize=_shown,
    )
    current = facts.current
    return environment.get_template("night.html").render(
        title=f"Night of {facts.night['local_date']:%-d %B %Y}",
        arm=facts.night["arm"],
        started=day_and_clock(facts.night["started_utc"]),
        ended=clock(facts.until_utc) if facts.night["ended_utc"] else None,
        took=duration((facts.until_utc - facts.night["started_utc"]).total_seconds()),
        headline=night_headline(facts),
        tiles=_tiles(facts),
        todo=todo_items(facts),
        batch=batch_section(facts.batch, settings),
        worst=worst_section(facts.batch, settings),
        homing=homing_section(facts.batch),
        scans=[_scan(scan) for scan in facts.scans],
        merges=[merge_section(merge) for merge in facts.merges],
        legend=legend(),
        versions=_growth(facts.versions[-VERSIONS_SHOWN:]),
        current=current["version"] if current else None,
        tasks=time_line(facts.tasks),
        made=day_and_clock(datetime.now(UTC)),
        data_dir=settings.data_dir,
    )


def night_headline(facts: NightFacts) -> str:
    """Return the night in one sentence."""
    batch = batch_headline(facts.batch)
    if batch is not None and not facts.scans and not facts.merges:
        return batch
    ingested = sum(scan["status"] == "ingested" for scan in facts.scans)
    published = [m.merge for m in facts.merges if m.merge["state"] == "published"]
    said = f"{_count(ingested, 'scan')} taken in, {_count(sum(m['added'] for m in published), 'row')} added"
    trouble = [
        f"{_count(count, what)} {became}"
        for count, what, became in (
            (len(facts.refused), "scan", "refused"),
            (len(facts.blocked), "merge", "blocked"),
        )
        if count
    ]
    told = f"{said}, {', '.join(trouble)}" if trouble else said
    return f"{batch}; {told}" if batch else told


def _shown(value: Any) -> Any:
    """Make what the template puts in fit to be shown; HTML of our own is a Markup."""
    return visible(value) if type(value) is str else value


def _tiles(facts: NightFacts) -> list[dict[str, str]]:
    batch = batch_tiles(facts.batch)
    if batch and not facts.scans and not facts.merges:  # a night of runs alone
        return [*batch, *_table_tile(facts)]
    published = [m for m in facts.merges if m.merge["state"] == "published"]
    refused = f", {len(facts.refused)} refused" if facts.refused else ""
    blocked = f", {len(facts.blocked)} blocked" if facts.blocked else ""
    return [
        *batch,
        _tile(f"{sum(s['status'] == 'ingested' for s in facts.scans)}", f"scans taken in{refused}"),
        _tile(f"{sum(m.merge['added'] for m in published):,}", "rows added"),
        _tile(f"{len(published)}", f"merges published{blocked}"),
        *_probes_tile(published),
        *_table_tile(facts),
    ]


def _table_tile(facts: NightFacts) -> list[dict[str, str]]:
    current = facts.current
    if current is None:
        return [_tile("-", "no table yet", "bad")]
    return [_tile(f"{current['rows']:,}", f"rows in the table, version {current['version']}")]


def _probes_tile(published: Sequence[MergeFacts]) -> list[dict[str, str]]:
    """Count what got better over a version that was there; a first one is better than nothing."""
    later = [m.merge for m in published if not m.first]
    if later:
        improved, worse = (sum(m[verdict] for m in later) for verdict in ("improved", "worse"))
        tone = "bad" if worse else "good" if improved else ""
        return [_tile(f"{improved}", f"probes improved, {worse} worse", tone)]
    if published:
        reached = sum(p["after_xz_distance_m"] is not None for p in published[-1].probes)
        return [_tile(f"{reached}", f"of {len(published[-1].probes)} probes in reach")]
    return []


def _tile(value: str, label: str, tone: str = "") -> dict[str, str]:
    return {"value": value, "label": label, "tone": tone}


def _scan(scan: Row) -> dict[str, Any]:
    def number(name: str) -> str:
        return "-" if scan[name] is None else f"{scan[name]:,}"

    refused = scan["status"] == "refused"
    return {
        "file": Path(scan["file"]).name,
        "status": scan["status"],
        "tone": {"ingested": "ok", "refused": "no"}.get(scan["status"], "na"),
        "why": reason(scan) if refused else "",
        "numbers": []
        if refused
        else [
            ("rows", number("rows")),
            ("set aside", number("quarantined")),
            ("repeated", number("duplicates_in_file")),
            ("off limits", number("out_of_limits")),
        ],
    }


def _growth(versions: Sequence[Row]) -> list[dict[str, Any]]:
    """Return a bar a version: its parent's rows, then what it added, in per cent of the longest."""
    most = max((v["rows"] for v in versions), default=0) or 1
    return [
        {
            "version": v["version"],
            "before_percent": 100 * (v["rows"] - v["added"]) / most,
            "added_percent": 100 * v["added"] / most,
            "rows": f"{v['rows']:,}",
            "added": f"{v['added']:,}",
            "scan": v["scan_file"],
        }
        for v in versions
    ]


def _count(count: int, what: str) -> str:
    return f"{count:,} {what}" if count == 1 else f"{count:,} {what}s"
