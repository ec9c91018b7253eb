"""What the page says of one merge: its headline, its audits with what failed first, its maps."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from lib.report.local_time import duration
from lib.report.night_facts import MergeFacts, Row
from lib.report.probe_map import ProbeCell, is_worth_a_map, probe_map, reach_sentence


def merge_section(facts: MergeFacts) -> dict[str, Any]:
    """Return what the template shows of a merge."""
    merge = facts.merge
    known = f", {merge['duplicates']:,} known already" if merge["duplicates"] else ""
    outcome = {
        "published": f"version {merge['version']}, {merge['added']:,} rows added{known}",
        "blocked": "blocked, the table is as it was",
        "dry run": "dry run, nothing published",
    }[merge["state"]]
    audits = sorted(facts.audits, key=lambda audit: audit["ok"] is not False)
    cells = {mode: _cells(mode, facts.probes) for mode in ("place", "pick")}
    panels = [panel for mode in cells for panel in _panels(mode, cells[mode], facts.first)]
    return {
        "file": merge["scan_file"],
        "outcome": outcome,
        "took": duration(merge["duration_s"]),
        "tone": {"published": "ok", "blocked": "no"}.get(merge["state"], "na"),
        "audits": [_audit(audit) for audit in audits],
        "panels": panels,
        "notes": [note for mode in cells if (note := _note(mode, cells[mode], facts.first))],
    }


def _audit(audit: Row) -> dict[str, str]:
    mark, tone = {True: ("✓", "ok"), False: ("✗", "no"), None: ("·", "na")}[audit["ok"]]
    accepted = f" (accepted: {audit['accepted_because']})" if audit["accepted_because"] else ""
    return {
        "mark": mark,
        "tone": tone,
        "name": audit["name"],
        "message": audit["message"] + accepted,
    }


def _cells(mode: str, probes: Sequence[Row]) -> list[ProbeCell]:
    return [
        ProbeCell(
            p["target_x_m"],
            p["target_z_m"],
            _mm(p["before_xz_distance_m"]),
            _mm(p["after_xz_distance_m"]),
            p["verdict"],
            p["binding_filter"],
        )
        for p in probes
        if p["mode"] == mode
    ]


def _panels(mode: str, cells: Sequence[ProbeCell], first: bool) -> list[dict[str, str]]:
    """Return the maps of a mode: before and after where something changed, only now for a first version."""
    if not (first or _has_changed(cells)) or not is_worth_a_map(cells):
        return []
    moments = [("now", False)] if first else [("before", True), ("after", False)]
    return [
        {
            "title": f"{mode.upper()} {name}",
            "svg": probe_map(f"{mode.upper()} {name}", cells, before=before, framed=not (before or first)),
            "caption": _caption(cells, before, first),
        }
        for name, before in moments
    ]


def _caption(cells: Sequence[ProbeCell], before: bool, first: bool) -> str:
    said = reach_sentence(cells, before=before)
    if before or first:
        return f"{said}."
    counts = {verdict: sum(cell.verdict == verdict for cell in cells) for verdict in ("improved", "worse")}
    worse = f", {counts['worse']} worse (red, dashed)" if counts["worse"] else ", none worse"
    return f"{said}; {counts['improved']} improved (green frame){worse}."


def _note(mode: str, cells: Sequence[ProbeCell], first: bool) -> str | None:
    """Say in words what no map shows: nothing changed, or everything has one colour."""
    if not cells or ((first or _has_changed(cells)) and is_worth_a_map(cells)):
        return None
    unchanged = "" if first or _has_changed(cells) else "nothing changed. "
    return f"{mode.upper()}: {unchanged}{reach_sentence(cells, before=False)}."


def _has_changed(cells: Sequence[ProbeCell]) -> bool:
    return any(cell.verdict != "unchanged" for cell in cells)


def _mm(distance_m: float | None) -> float | None:
    return None if distance_m is None else distance_m * 1e3
