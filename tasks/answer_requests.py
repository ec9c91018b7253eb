"""The simulated cell: its twin scans what open requests ask for and drops the scans into the inbox."""

from __future__ import annotations

from pathlib import Path

from lib.cell import write_simulated_scan
from lib.disk import disk
from lib.robot import load_robot
from lib.scan import inbox_folder, mark_answered
from lib.settings import Settings
from tasks.evidence import Evidence, evidence_task
from tasks.progress import step


@evidence_task("answer request", run_name="answer {request.name}")
def answer_request(settings: Settings, request: Path, seed: int) -> Evidence[None]:
    """Scan one request with the twin; the same request and seed give the same bytes again."""
    with disk(inbox_folder(settings.data_dir)):
        inbox_folder(settings.data_dir).mkdir(parents=True, exist_ok=True)
    scan = write_simulated_scan(
        load_robot(settings.robot),
        request,
        inbox_folder(settings.data_dir) / f"{request.stem}.csv",
        seed,
        lambda done, rows: step(f"answer {request.name}: {done:,} of {rows:,} poses", done / rows),
    )
    mark_answered(request)
    repeated = scan.rows - scan.distinct_poses
    return Evidence(
        None,
        headline=f"{request.name}: {scan.bases} bases, {scan.rows:,} poses, {repeated:,} of them repeats",
        metrics={
            "bases": (scan.bases, "bases"),
            "poses": (scan.rows, "poses"),
            "distinct_poses": (scan.distinct_poses, "poses"),
        },
    )
