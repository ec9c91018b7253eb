"""Take one scan of the inbox in, or refuse it with the reason."""

from __future__ import annotations

from pathlib import Path

from lib.counted import counted
from lib.report import refusal_markdown, scan_markdown
from lib.robot import load_robot
from lib.scan import ScanStore, ingest_file, move_to_done
from lib.settings import Settings
from tasks.artifacts import Markdown
from tasks.evidence import Evidence, evidence_task
from tasks.progress import step

# Which share of the time is over when a step begins, measured on 1.66 million rows.
BEGINS_AT = {
    "take the bytes": 0.0,
    "read the rows": 0.07,
    "count and hash the rows": 0.57,
    "keep them": 0.71,
}


@evidence_task("ingest scan", run_name="ingest {file.name}")
def ingest_scan(settings: Settings, file: Path) -> Evidence[None]:
    """Keep a scan and move it to ``inbox/done/``; a refused one stays where it is."""
    result, refused = ingest_file(
        settings.data_dir,
        file,
        robot=load_robot(settings.robot),
        progress=lambda at: step(f"ingest {file.name}: {at}", BEGINS_AT.get(at)),
    )
    metrics = {
        "rows": (result.rows, "rows"),
        "duplicates_in_file": (result.duplicates_in_file, "rows"),
        "problems": (result.problem_count, "lines"),
    }
    if refused is not None:
        report = Markdown("scan-report", refusal_markdown(refused), f"{file.name}: refused")
        said = f"{file.name} refused: {refused}"
        return Evidence(None, headline=said, metrics=metrics, artifacts=(report,), refusal=said)
    store = ScanStore(settings.data_dir)
    kept = next(scan for scan in store.kept() if scan.md5 == result.md5)
    move_to_done(file, store.raw_path(kept), kept.md5)
    return Evidence(
        None,
        headline="; ".join(
            [f"{file.name}: {counted(result.rows, 'row')}, {result.status}", *result.notes[-1:]]
        ),
        metrics=metrics,
        artifacts=(Markdown("scan-report", scan_markdown(result), f"{file.name}: {result.status}"),),
    )
