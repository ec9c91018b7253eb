"""A night told in Markdown, for the UI: what needs a look, scans, merges, where the page is."""

from __future__ import annotations

from pathlib import Path

from lib.report.markdown import bullets, table
from lib.report.night_facts import NightFacts, gather
from lib.report.night_page import todo_lines


def night_markdown(data_dir: Path, night_id: str, page: Path) -> str:
    """Return the report of one night. Raises BadInput where there is no such night."""
    facts = gather(data_dir, night_id)
    todo = todo_lines(facts)
    parts = [f"## {night_headline(facts)}"]
    if todo:
        parts += ["### What needs a look", bullets(todo)]
    if facts.scans:
        scans = ((Path(s["file"]).name, s["status"], f"{s['rows']:,}") for s in facts.scans)
        parts += ["### Scans", table(("file", "", "rows"), scans, right=(2,))]
    if facts.merges:
        merges = (
            (m["scan_file"], m["state"], m["version"], f"{m['added']:,}", m["improved"], m["worse"])
            for m in (facts.merge for facts in facts.merges)
        )
        head = ("scan", "", "version", "rows added", "probes improved", "worse")
        parts += ["### Merges", table(head, merges, right=(2, 3, 4, 5))]
    # A browser does not open file:// from a page of a server, so the path is there to be copied.
    parts += ["### The page", f"`{page}`"]
    return "\n\n".join(parts) + "\n"


def night_headline(facts: NightFacts) -> str:
    """Return the night in one sentence."""
    ingested = sum(scan["status"] == "ingested" for scan in facts.scans)
    published = [m.merge for m in facts.merges if m.merge["state"] == "published"]
    said = f"{ingested} scans taken in, {sum(m['added'] for m in published):,} rows added"
    trouble = [
        f"{count} {what}"
        for count, what in ((len(facts.refused), "scans refused"), (len(facts.blocked), "merges blocked"))
        if count
    ]
    return f"{said}, {', '.join(trouble)}" if trouble else said
