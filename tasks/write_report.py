"""Write the page of a night."""

from __future__ import annotations

from pathlib import Path

from lib.report import night_markdown, write_night_page
from lib.settings import Settings
from tasks.artifacts import Markdown
from tasks.evidence import Evidence, evidence_task


@evidence_task("write report", asset="nightpick://morning-page")
def write_report(settings: Settings, night_id: str) -> Evidence[Path]:
    """Write the morning page of one night from the run log and the table; show its gist in the UI."""
    page = write_night_page(settings, night_id)
    gist = night_markdown(settings.data_dir, night_id, page)
    return Evidence(
        page,
        headline=f"the page of {night_id} is {page}",
        metrics={"page_size": (page.stat().st_size / 1024, "KiB")},
        artifacts=(Markdown("night-report", gist, f"Night {night_id}"),),
    )
