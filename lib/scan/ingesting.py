"""One file offered: kept or refused, and recorded in the run log either way."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path

from lib.robot import Robot
from lib.runlog import run_log
from lib.scan.options import ScanOptions
from lib.scan.refusal import ScanRefused
from lib.scan.result import IngestResult, refused_result
from lib.scan.store import Progress, ScanStore

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
    "reading",
)


def ingest_file(
    data_dir: Path,
    path: Path,
    options: ScanOptions | None = None,
    robot: Robot | None = None,
    progress: Progress = lambda step: None,
) -> tuple[IngestResult, ScanRefused | None]:
    """Offer a file to the store; return what came of it and, where it was refused, the refusal.

    ``progress`` is told each step as it begins. Raises what `ScanStore.ingest` raises but ScanRefused.
    """
    return _recorded(data_dir, lambda: ScanStore(data_dir).ingest(path, options, robot, progress))


def ingest_file_again(
    data_dir: Path, path: Path, options: ScanOptions | None = None, robot: Robot | None = None
) -> tuple[IngestResult, ScanRefused | None]:
    """Have the store read a file anew; return and raise as `ingest_file` does."""
    return _recorded(data_dir, lambda: ScanStore(data_dir).ingest_again(path, options, robot))


def _recorded(data_dir: Path, offer: Callable[[], IngestResult]) -> tuple[IngestResult, ScanRefused | None]:
    started_s = time.perf_counter()
    refused = None
    try:
        result = offer()
    except ScanRefused as error:
        refused, result = error, refused_result(error)
    run_log(data_dir).append(
        "scan_event",
        **{name: getattr(result, name) for name in RECORDED},
        problems=[asdict(problem) for problem in result.problems],
        duration_s=time.perf_counter() - started_s,
    )
    return result, refused
