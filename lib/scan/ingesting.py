"""One file offered: kept or refused, and recorded in the run log either way."""

from __future__ import annotations

import time
from dataclasses import asdict
from pathlib import Path

from lib.robot import Robot
from lib.runlog import run_log
from lib.scan.options import ScanOptions
from lib.scan.refusal import ScanRefused
from lib.scan.result import IngestResult, refused_result
from lib.scan.store import ScanStore

RECORDED = (
    "file",
    "md5",
    "status",
    "rows",
    "expected_rows",
    "quarantined",
    "duplicates_in_file",
    "out_of_limits",
    "content_md5",
    "problem_count",
)


def ingest_file(
    data_dir: Path, path: Path, options: ScanOptions | None = None, robot: Robot | None = None
) -> tuple[IngestResult, ScanRefused | None]:
    """Offer a file to the store; return what came of it and, where it was refused, the refusal.

    Raises what `ScanStore.ingest` raises but ScanRefused.
    """
    started_s = time.perf_counter()
    refused = None
    try:
        result = ScanStore(data_dir).ingest(path, options, robot)
    except ScanRefused as error:
        refused, result = error, refused_result(error)
    run_log(data_dir).append(
        "scan_event",
        **{name: getattr(result, name) for name in RECORDED},
        problems=[asdict(problem) for problem in result.problems],
        duration_s=time.perf_counter() - started_s,
    )
    return result, refused
