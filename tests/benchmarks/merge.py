"""Merge a 67,228-row scan with all audits into a full-size table, beside pandas' concat + drop_duplicates.

    .venv/bin/python tests/benchmarks/merge.py [--times N] [--runs N]

Both in turn in this run, each in a process of its own, so that one machine's mood hits both and peak
memory is each one's own. ``--times 10`` repeats the base scan's grid ten times over other bases.
"""

from __future__ import annotations

import argparse
import json
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import replace
from pathlib import Path

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))


def main() -> None:
    """Prepare the table once, then time both ways in turn."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--times", type=int, default=1, help="size of the table in base scans")
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--one", choices=("prepare", "nightpick", "pandas"), help=argparse.SUPPRESS)
    arguments.add_argument("--folder", type=Path, help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.one == "prepare":
        prepare(args.folder, args.times)
        return
    if args.one:
        seconds, busy_seconds, rows = {"nightpick": time_merge, "pandas": time_pandas}[args.one](args.folder)
        peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
        print(json.dumps({"seconds": seconds, "busy": busy_seconds, "rows": rows, "peak_mib": peak_mib}))
        return
    with tempfile.TemporaryDirectory() as folder:
        # In a child: a process starts with its parent's peak memory as its own.
        command = [sys.executable, __file__, "--one", "prepare", "--times", str(args.times)]
        subprocess.run([*command, "--folder", folder], check=True)
        found: dict[str, list[dict[str, float]]] = {"nightpick": [], "pandas": []}
        for _ in range(args.runs):
            for way, measured in found.items():
                measured.append(run_one(way, Path(folder)))
        report(found)


def prepare(folder: Path, times: int) -> None:
    """Make a table of ``times`` base scans and keep the published four bases' scan pending."""
    from lib.cell import base_request, write_first_requests, write_simulated_scan
    from lib.robot import load_robot
    from lib.scan import ScanRequest, ScanStore, request_text
    from lib.settings import Settings
    from lib.table import MergeOptions, merge_scan, pending_scans

    robot = load_robot("mecharm270")
    assert robot is not None
    settings = replace(Settings(), data_dir=folder / "data")
    store = ScanStore(settings.data_dir)
    bases = base_request().bases
    for k in range(times):
        moved = ScanRequest(np.round(bases + 0.37 * k, 3), exact=False)
        asked, path = folder / "bases.csv", folder / f"base{k}.csv"
        asked.write_text(request_text(moved))
        write_simulated_scan(robot, asked, path, 0)
        store.ingest(path, robot=robot)
        path.unlink()
    for scan in pending_scans(settings):
        result = merge_scan(settings, scan, MergeOptions(accept_worse=1_000))
        assert result is not None and result.promoted
    write_first_requests(folder / "requests")
    write_simulated_scan(robot, folder / "requests" / "place-low-z.csv", folder / "scan.csv", 0)
    store.ingest(folder / "scan.csv", robot=robot)
    shutil.copy(folder / "data" / "fk.duckdb", folder / "before.duckdb")


def run_one(way: str, folder: Path) -> dict[str, float]:
    """Time one way in a fresh process."""
    command = [sys.executable, __file__, "--one", way, "--folder", str(folder)]
    answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
    return dict(json.loads(answer.splitlines()[-1]))


def time_merge(folder: Path) -> tuple[float, float, int]:
    """Merge the pending scan with all audits, publication included."""
    from lib.lookup.index import renew
    from lib.settings import Settings
    from lib.table import merge_scan, pending_scans

    shutil.copy(folder / "before.duckdb", folder / "data" / "fk.duckdb")
    settings = replace(Settings(), data_dir=folder / "data")
    renew(settings.data_dir)  # the index as the merge before left it: of this very file
    started, busy = time.perf_counter(), time.process_time()
    (scan,) = pending_scans(settings)
    result = merge_scan(settings, scan)
    seconds, busy_seconds = time.perf_counter() - started, time.process_time() - busy
    assert result is not None and result.promoted
    return seconds, busy_seconds, result.rows


def time_pandas(folder: Path) -> tuple[float, float, int]:
    """Concatenate and drop duplicates, both frames already in memory."""
    import pandas as pd

    from lib.lookup import Table
    from lib.scan import COLUMNS, ScanStore

    shutil.copy(folder / "before.duckdb", folder / "data" / "fk.duckdb")
    table = pd.DataFrame(np.array(Table.open(folder / "data").points), columns=list(COLUMNS))
    store = ScanStore(folder / "data")
    scan = pd.DataFrame(store.points(store.kept()[-1].md5)[0], columns=list(COLUMNS))
    started, busy = time.perf_counter(), time.process_time()
    merged = pd.concat([table, scan]).drop_duplicates()
    return time.perf_counter() - started, time.process_time() - busy, len(merged)


def report(found: dict[str, list[dict[str, float]]]) -> None:
    """Print medians, peaks and the ratio run by run."""
    for way, measured in found.items():
        seconds = [m["seconds"] for m in measured]
        busy = statistics.median(m["busy"] for m in measured)
        print(
            f"{way:10} {statistics.median(seconds):6.2f} s ({min(seconds):.2f} to {max(seconds):.2f}), "
            f"{busy:.2f} s of processor time, {measured[0]['rows']:,.0f} rows, "
            f"peak {max(m['peak_mib'] for m in measured):,.0f} MiB"
        )
    ratios = [a["seconds"] / b["seconds"] for a, b in zip(found["nightpick"], found["pandas"], strict=True)]
    print(
        f"nightpick / pandas: median {statistics.median(ratios):.2f} ({min(ratios):.2f} to {max(ratios):.2f})"
    )


if __name__ == "__main__":
    main()
