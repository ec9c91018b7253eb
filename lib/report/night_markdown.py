"""A night told in Markdown, for the UI: what needs a look, the batch, scans, merges, where the page is."""

from __future__ import annotations

from pathlib import Path

from lib.report.batch_facts import BatchFacts
from lib.report.batch_section import comparison
from lib.report.batch_words import NOT_SEEN, mm, outcome
from lib.report.markdown import bullets, code, plain, table
from lib.report.night_facts import gather
from lib.report.night_page import night_headline
from lib.report.nights_figure import night_names
from lib.report.todo import todo_items
from lib.report.what_to_do import Todo


def night_markdown(data_dir: Path, night_id: str, page: Path) -> str:
    """Return the report of one night. Raises BadInput where there is no such night."""
    facts = gather(data_dir, night_id)
    todo = todo_items(facts)
    parts = [f"## {night_headline(facts)}"]
    if todo:
        parts += ["### What needs a look", bullets(map(_todo, todo))]
    parts += _batch(facts.batch)
    if facts.scans:
        scans = ((plain(Path(s["file"]).name), s["status"], f"{s['rows']:,}") for s in facts.scans)
        parts += ["### Scans", table(("file", "", "rows"), scans, right=(2,))]
    if facts.merges:
        merges = (
            (plain(m["scan_file"]), m["state"], m["version"], f"{m['added']:,}", m["improved"], m["worse"])
            for m in (facts.merge for facts in facts.merges)
        )
        head = ("scan", "", "version", "rows added", "probes improved", "worse")
        parts += ["### Merges", table(head, merges, right=(2, 3, 4, 5))]
    # A browser does not open file:// from a page of a server, so the path is there to be copied.
    parts += ["### The page", code(str(page))]
    return "\n\n".join(parts) + "\n"


def _batch(facts: BatchFacts) -> list[str]:
    """Tell yesterday beside today, cell by cell, and the worst runs; the figures are on the page."""
    if facts.tonight is None:
        return []
    before = night_names([facts.yesterday])[0] if facts.yesterday else "no night before"
    lines = ((label, plain(now), plain(then)) for label, now, then in comparison(facts))
    cells = (
        (plain(cell["memory_cell"]), f"{cell['placed']} of {cell['runs']}", mm(cell["median_mm"], NOT_SEEN))
        for cell in facts.cells
    )
    worst = (f"run {run['run_number']}: {plain(outcome(run))}" for run in facts.worst)
    return [
        "### The batch",
        table(("", "tonight", before), lines, right=(1, 2)),
        table(("memory cell", "placed", "median distance"), cells, right=(1, 2)),
        "### The worst runs",
        bullets(worst),
    ]


def _todo(item: Todo) -> str:
    command = f" {code(item.command)}" if item.command else ""
    return f"**{plain(item.what)}**: {plain(item.why)}{command}"
