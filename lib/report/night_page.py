"""The morning page: one HTML file that opens anywhere, without a network."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import jinja2

from lib.report.bars import table_growth, task_bars
from lib.report.night_facts import MergeFacts, NightFacts, Row, gather
from lib.report.probe_map import ProbeCell, probe_map


def write_night_page(data_dir: Path, night_id: str) -> Path:
    """Write the page of one night to ``reports/<night>.html`` and return its path.

    Raises BadInput where there is no such night.
    """
    path = data_dir / "reports" / f"{night_id}.html"
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}.{os.getpid()}")
    beside.write_text(night_page(gather(data_dir, night_id), data_dir), encoding="utf-8")
    beside.replace(path)
    return path


def night_page(facts: NightFacts, data_dir: Path) -> str:
    """Return the page's HTML."""
    environment = jinja2.Environment(
        loader=jinja2.PackageLoader("lib.report"), autoescape=True, undefined=jinja2.StrictUndefined
    )
    current = facts.current
    return environment.get_template("night.html").render(
        title=f"Night of {facts.night['local_date']:%-d %B %Y}",
        subtitle=_subtitle(facts),
        tiles=_tiles(facts),
        todo=todo_lines(facts),
        scans=[_scan(scan) for scan in facts.scans],
        merges=[_merge(merge) for merge in facts.merges],
        growth=table_growth([(v["version"], v["rows"], v["added"]) for v in facts.versions[-12:]])
        if facts.versions
        else "",
        current=current["version"] if current else None,
        task_bars=task_bars(
            [(t["task"], t["started_utc"], t["duration_s"], t["error"] is not None) for t in facts.tasks]
        )
        if facts.tasks
        else "",
        made=f"{datetime.now(UTC):%Y-%m-%d %H:%M}",
        data_dir=data_dir,
    )


def _subtitle(facts: NightFacts) -> str:
    night = facts.night
    minutes, seconds = divmod(round((facts.until_utc - night["started_utc"]).total_seconds()), 60)
    state = "" if night["ended_utc"] else ", not ended yet"
    return (
        f"Arm {night['arm']}, started {night['started_utc'].astimezone(UTC):%Y-%m-%d %H:%M} UTC, "
        f"{f'{minutes} min ' if minutes else ''}{seconds} s{state}"
    )


def _tiles(facts: NightFacts) -> list[dict[str, Any]]:
    published = [m.merge for m in facts.merges if m.merge["state"] == "published"]
    improved = sum(m["improved"] for m in published)
    worse = sum(m["worse"] for m in published)
    current = facts.current
    return [
        {
            "value": f"{sum(s['status'] == 'ingested' for s in facts.scans)}",
            "label": "scans taken in" + (f", {len(facts.refused)} refused" if facts.refused else ""),
            "tone": "",
        },
        {"value": f"{sum(m['added'] for m in published):,}", "label": "rows added", "tone": ""},
        {
            "value": f"{len(published)}",
            "label": "merges published" + (f", {len(facts.blocked)} blocked" if facts.blocked else ""),
            "tone": "",
        },
        {
            "value": f"{improved}",
            "label": f"probes improved, {worse} worse",
            "tone": "bad" if worse else "good" if improved else "",
        },
        {
            "value": f"{current['rows']:,}" if current else "-",
            "label": f"rows in the table, version {current['version']}" if current else "no table yet",
            "tone": "" if current else "bad",
        },
    ]


def todo_lines(facts: NightFacts) -> list[str]:
    """Return what a person should look at or do after a night, a line each."""
    items = []
    if facts.night["error"]:
        items.append(f"The night ended early: {facts.night['error']}")
    for scan in facts.refused:
        items.append(
            f"{Path(scan['file']).name} was refused: {_why(scan)}. Mend or remove it from the inbox."
        )
    for merge in facts.blocked:
        failed = next(a for a in merge.audits if a["ok"] is False and a["accepted_because"] is None)
        items.append(
            f"{merge.merge['scan_file']} is kept but not merged: {failed['message']}. "
            f"Scan again, or accept it: nightpick table merge --accept-audit {failed['name']} --reason ..."
        )
    for task in facts.tasks:
        if task["error"]:
            items.append(f"Task {task['task']} failed: {task['error']}")
    if facts.current is None:
        items.append("There is no table yet: put a scan into the inbox, or `nightpick scan ingest FILE`.")
    return items


def _why(scan: Row) -> str:
    problems = scan["problems"]
    problems = json.loads(problems) if isinstance(problems, str) else problems or []
    if not problems:
        return ""
    first = problems[0]
    place = ", ".join(f"{name} {first[name]}" for name in ("line", "column") if first.get(name) is not None)
    more = f" (and {scan['problem_count'] - 1:,} more)" if (scan["problem_count"] or 0) > 1 else ""
    return f"{place + ': ' if place else ''}{first['rule']}{more}"


def _scan(scan: Row) -> dict[str, Any]:
    def number(name: str) -> str:
        return "-" if scan[name] is None else f"{scan[name]:,}"

    return {
        "file": Path(scan["file"]).name,
        "status": scan["status"],
        "tone": {"ingested": "ok", "refused": "no"}.get(scan["status"], "na"),
        "why": _why(scan) if scan["status"] == "refused" else "",
        "rows": number("rows"),
        "quarantined": number("quarantined"),
        "duplicates": number("duplicates_in_file"),
        "out_of_limits": number("out_of_limits"),
    }


def _merge(facts: MergeFacts) -> dict[str, Any]:
    merge = facts.merge
    outcome = {
        "published": (
            f"version {merge['version']}, {merge['added']:,} rows added, {merge['duplicates']:,} known"
        ),
        "blocked": "blocked, the table is as it was",
        "dry run": "dry run, nothing published",
    }[merge["state"]]
    return {
        "headline": f"{merge['scan_file']}: {outcome} ({merge['duration_s']:.1f} s)",
        "audits": [_audit(audit) for audit in facts.audits],
        "maps": [_map(mode, facts.probes) for mode in ("place", "pick") if _changed(mode, facts.probes)],
    }


def _audit(audit: Row) -> dict[str, str]:
    mark, tone = {True: ("✓", "ok"), False: ("✗", "no"), None: ("·", "na")}[audit["ok"]]
    accepted = f" (accepted: {audit['accepted_because']})" if audit["accepted_because"] else ""
    return {
        "mark": mark,
        "tone": tone,
        "name": audit["name"].replace("_", " "),
        "message": audit["message"] + accepted,
    }


def _changed(mode: str, probes: list[Row]) -> bool:
    return any(p["mode"] == mode and p["verdict"] != "unchanged" for p in probes)


def _map(mode: str, probes: list[Row]) -> dict[str, str]:
    cells = [
        ProbeCell(
            p["target_x_m"],
            p["target_z_m"],
            _mm(p["before_xz_distance_m"]),
            _mm(p["after_xz_distance_m"]),
            p["verdict"],
        )
        for p in probes
        if p["mode"] == mode
    ]
    unreached = sum(c.after_mm is None for c in cells)
    caption = f"{len(cells)} {mode.upper()} probes, {unreached} out of reach (crosses)"
    if any(c.before_mm is not None for c in cells):
        counts = {v: sum(c.verdict == v for c in cells) for v in ("improved", "worse")}
        caption += f"; {counts['improved']} improved (green), {counts['worse']} worse (red)"
    return {"svg": probe_map(mode, cells), "caption": caption + "."}


def _mm(distance_m: float | None) -> float | None:
    return None if distance_m is None else distance_m * 1e3
