"""A table that a batch can work with, in seconds: six base poses for the box, six for the blocks."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from dataclasses import replace
from functools import cache
from pathlib import Path

import numpy as np

from lib.cell import base_request, write_simulated_scan
from lib.robot import load_robot
from lib.scan import ScanOptions, ScanRequest, ScanStore, request_text
from lib.settings import Settings
from lib.table import MergeOptions, merge_scan, pending_scans

# Of the first request's bases those whose tips are nearest to the box's centre and to the blocks'.
BASES = (34, 53, 28, 9, 36, 21, 95, 84, 69, 88, 62, 60)


def give_small_table(data_dir: Path) -> None:
    """Put the table, its index and its kept scan into a data folder that has none."""
    shutil.copytree(_built(), data_dir, dirs_exist_ok=True)


@cache
def _built() -> Path:
    folder = Path(tempfile.mkdtemp(prefix="nightpick-table-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    settings = replace(Settings(), data_dir=folder)
    robot = load_robot(settings.robot)
    request = folder / "requests" / "few.csv"
    request.parent.mkdir()
    few = ScanRequest(np.asarray(base_request().bases)[list(BASES)], exact=False)
    request.write_text(request_text(few), encoding="utf-8")
    scan = folder / "few.csv"
    write_simulated_scan(robot, request, scan, seed=0)
    ScanStore(folder).ingest(scan, ScanOptions(request=request), robot)
    scan.unlink()
    request.rename(request.with_suffix(".done"))
    for pending in pending_scans(settings):
        merge_scan(settings, pending, MergeOptions())
    return folder
