"""Read and ingest a 67,228-row and a full-size scan of the twin, beside pandas.read_csv.

    .venv/bin/python tests/benchmarks/ingest.py [--runs N]

The three ways in turn in this run, each time in a process of its own, so that one machine's mood
hits all and peak memory is each one's own. pandas checks nothing: it is the yardstick, not a rival.
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
from collections.abc import Callable
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

Measured = dict[str, float]


def main() -> None:
    """Simulate the scans once, then time every way in turn."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--runs", type=int, default=5)
    arguments.add_argument("--one", choices=("prepare", *WAYS), help=argparse.SUPPRESS)
    arguments.add_argument("--file", type=Path, help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.one == "prepare":
        prepare(args.file)
    elif args.one:
        print(json.dumps(measure(WAYS[args.one], args.file)))
    else:
        with tempfile.TemporaryDirectory() as folder:
            # In a child: a process starts with its parent's peak memory as its own.
            in_a_child("prepare", Path(folder))
            for file in sorted(Path(folder).glob("*.csv"), key=lambda file: file.stat().st_size):
                compare(file, args.runs)


def prepare(folder: Path) -> None:
    """Write the twin's scan of the published four bases, and of the first full-size request."""
    import numpy as np

    from lib.cell import base_request, write_simulated_scan
    from lib.robot import load_robot
    from lib.scan import ScanRequest, request_text

    bases = [[36.215, 57, 20, -7, -86, -30], [36.215, 57, 20, -17, -86, -30]]
    bases += [[31.215, 57, 20, -17, -86, -30], [31.215, 57, 20, -22, -86, -30]]
    for name, request in {"night": ScanRequest(np.array(bases), exact=False), "base": base_request()}.items():
        asked = folder / f"{name}.bases"
        asked.write_text(request_text(request))
        write_simulated_scan(load_robot("mecharm270"), asked, folder / f"{name}.csv", 0)
        (folder / f"{name}.request.csv").unlink()


def compare(file: Path, runs: int) -> None:
    """Time every way on one file, in turn, and print medians, peaks and ratios."""
    found: dict[str, list[Measured]] = {way: [] for way in WAYS}
    for _ in range(runs):
        for way, measured in found.items():
            measured.append(json.loads(in_a_child(way, file)))
    rows, size_mb = found["read_scan"][0]["rows"], file.stat().st_size / 1e6
    print(f"{file.name}: {rows:,.0f} rows, {size_mb:,.1f} MB")
    for way, measured in found.items():
        seconds = [m["seconds"] for m in measured]
        ratios = [m["seconds"] / p["seconds"] for m, p in zip(measured, found["pandas"], strict=True)]
        print(
            f"  {way:10} {statistics.median(seconds):6.2f} s ({min(seconds):.2f} to {max(seconds):.2f}), "
            f"{statistics.median(m['cpu_s'] for m in measured):6.2f} s of CPU, "
            f"{statistics.median(ratios):5.2f} times pandas, "
            f"peak {max(m['peak_mib'] for m in measured):,.0f} MiB"
        )


def in_a_child(way: str, file: Path) -> str:
    """Run one way in a fresh process and return what it prints."""
    command = [sys.executable, __file__, "--one", way, "--file", str(file)]
    return subprocess.run(command, check=True, capture_output=True, text=True).stdout


def measure(way: Callable[[Path], tuple[float, float, int]], file: Path) -> Measured:
    """Time one way in this process."""
    seconds, cpu_s, rows = way(file)
    peak_mib = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return {"seconds": seconds, "cpu_s": cpu_s, "rows": rows, "peak_mib": peak_mib}


def timed(work: Callable[[], int]) -> tuple[float, float, int]:
    """Return the wall clock's and the processors' seconds, and the rows."""
    started_s, started_cpu_s = time.perf_counter(), time.process_time()
    rows = work()
    return time.perf_counter() - started_s, time.process_time() - started_cpu_s, rows


def with_pandas(file: Path) -> tuple[float, float, int]:
    """Let pandas parse the file, as everybody does."""
    import pandas as pd

    return timed(lambda: len(pd.read_csv(file)))


def with_read_scan(file: Path) -> tuple[float, float, int]:
    """Read and check the file."""
    from lib.scan import read_scan

    return timed(lambda: len(read_scan(file).points))


def with_ingest(file: Path) -> tuple[float, float, int]:
    """Read, check, count, hash and keep the file."""
    from lib.robot import load_robot
    from lib.scan import ScanStore

    robot = load_robot("mecharm270")
    data_dir = Path(tempfile.mkdtemp(dir=file.parent))
    try:
        return timed(lambda: ScanStore(data_dir).ingest(file, None, robot).rows)
    finally:
        shutil.rmtree(data_dir)


WAYS = {"pandas": with_pandas, "read_scan": with_read_scan, "ingest": with_ingest}


if __name__ == "__main__":
    main()
