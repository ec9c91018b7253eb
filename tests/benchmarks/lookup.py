"""Time the lookup beside the script people use: np.loadtxt, then boolean masks over the whole array.

    .venv/bin/python tests/benchmarks/lookup.py [--times N] [--data FOLDER] [--questions N]

Makes a table of one base scan (1.66 million rows) in a temporary folder and prints one table of figures.
``--times 10`` makes ten scans of it, each over other bases, and shows how the lookup grows from the first
version to the last; making them takes minutes. ``--data`` measures on a folder that is there already (its
index is removed and built again). Two ways are timed in turn, so that one machine's mood hits both.
"""

from __future__ import annotations

import argparse
import os
import resource
import shutil
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from lib.lookup import PickRequest, PlaceRequest, Request, Table, lookup, lookup_many  # noqa: E402
from lib.settings import PickLookup, PlaceLookup  # noqa: E402
from tests.lib.lookup.original import select  # noqa: E402

Draw = Callable[[np.random.Generator], Request]
TARGET = (-0.170, 0.1899)
MANY = 10_000


def place_as_set(random: np.random.Generator) -> Request:
    """A PLACE target anywhere in the box, the settings' bounds."""
    return PlaceRequest(random.uniform(-0.22, -0.12), random.uniform(0.14, 0.24))


def place_any_bounds(random: np.random.Generator) -> Request:
    """The same under bounds that nobody asked by before."""
    low_m = random.uniform(0.055, 0.085)
    bounds = PlaceLookup(
        ee_y_band_m=(low_m, low_m + random.uniform(0.02, 0.06)),
        j0_tol_deg=random.uniform(1.0, 15.0),
        j1_min_deg=random.uniform(45.0, 60.0),
        ref_tol_deg=random.uniform(5.0, 20.0),
        ee_y_tol_m=random.uniform(0.001, 0.020),
        j4_safe_deg=(random.uniform(-95.0, -80.0), 60.0),
    )
    return PlaceRequest(random.uniform(-0.22, -0.12), random.uniform(0.14, 0.24), bounds)


def pick_as_set(random: np.random.Generator) -> Request:
    """A PICK target anywhere in the area, the settings' bounds."""
    return PickRequest(random.uniform(0.10, 0.18), random.uniform(0.15, 0.24))


def pick_any_bounds(random: np.random.Generator) -> Request:
    """The same under bounds that nobody asked by before."""
    low_m = random.uniform(0.0, 0.03)
    bounds = PickLookup(
        ee_y_band_m=(low_m, low_m + random.uniform(0.01, 0.04)),
        j4_safe_deg=(random.uniform(-95.0, -80.0), 60.0),
    )
    return PickRequest(random.uniform(0.10, 0.18), random.uniform(0.15, 0.24), bounds)


KINDS: dict[str, Draw] = {
    "place, bounds as set": place_as_set,
    "place, random bounds": place_any_bounds,
    "pick, bounds as set": pick_as_set,
    "pick, random bounds": pick_any_bounds,
}


def main() -> None:
    """Make or find the table, then measure part by part, each in a process of its own."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--times", type=int, default=1, help="size of the table in base scans")
    arguments.add_argument("--data", type=Path, help="data folder to measure on")
    arguments.add_argument("--questions", type=int, default=15, help="asked of the masks, of each kind")
    arguments.add_argument("--one", choices=PARTS, help=argparse.SUPPRESS)
    args = arguments.parse_args()
    if args.one:
        PARTS[args.one](args.data, args.questions)
        return
    with tempfile.TemporaryDirectory() as folder:
        data_dir = args.data or Path(folder) / "data"
        if args.data is None:
            command = [sys.executable, str(ROOT / "tests/benchmarks/merge.py"), "--one", "prepare"]
            subprocess.run([*command, "--times", str(args.times), "--folder", folder], check=True)
        for part in ("build", "warm", "many", "growth"):
            command = [sys.executable, __file__, "--one", part, "--data", str(data_dir)]
            subprocess.run([*command, "--questions", str(args.questions)], check=True)
        measure_cold(data_dir, Path(folder))


def measure_build(data_dir: Path, _: int) -> None:
    """Build the index of the current version from the table."""
    shutil.rmtree(data_dir / "index", ignore_errors=True)
    started = time.perf_counter()
    rows = len(Table.open(data_dir))
    build_s = time.perf_counter() - started
    size_bytes = sum(path.stat().st_size for path in (data_dir / "index").iterdir())
    show("index", f"{rows:,} rows built in {build_s:.2f} s, {size_bytes / 2**20:,.0f} MiB")
    started = time.perf_counter()
    Table.open(data_dir)
    show("index opened", f"{(time.perf_counter() - started) * 1e3:.1f} ms")


def measure_warm(data_dir: Path, questions: int) -> None:
    """Ask by masks over a row-major array, as np.loadtxt gives it, and by the index, in turn."""
    table = Table.open(data_dir)
    order = np.argsort(table.fk_rows)
    points, numbers = np.ascontiguousarray(table.points[order]), table.fk_rows[order]
    for kind, draw in KINDS.items():
        random = np.random.default_rng(0)
        for _ in range(200):
            lookup(table, draw(random))
        masks_ms, ours_ms = [], []
        for _ in range(questions):
            request = draw(random)
            expected, spent_ms = timed(select, points, request)
            masks_ms.append(spent_ms)
            found = lookup(table, request)
            assert found.method == expected.method
            assert found.fk_row == (None if expected.row is None else numbers[expected.row])
            for _ in range(40):
                ours_ms.append(timed(lookup, table, draw(random))[1])
        ratio = statistics.median(masks_ms) / statistics.median(ours_ms)
        show(
            kind,
            f"masks {told(masks_ms)}, index {told(ours_ms)}: {ratio:,.0f} times faster "
            f"({np.percentile(masks_ms, 95) / np.percentile(ours_ms, 95):,.0f} at p95)",
        )


def measure_many(data_dir: Path, _: int) -> None:
    """Ask ten thousand questions in one call."""
    table = Table.open(data_dir)
    for kind, draw in KINDS.items():
        random = np.random.default_rng(1)
        requests = [draw(random) for _ in range(MANY)]
        busy_s = time.process_time()
        found, spent_ms = timed(lookup_many, table, requests)
        busy_s = time.process_time() - busy_s
        rows = sum(result.found for result in found)
        show(
            f"lookup_many, {kind}",
            f"{MANY:,} in {spent_ms / 1e3:.2f} s ({busy_s:.2f} s of processor time), {rows:,} of them found",
        )
    show("peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


def measure_growth(data_dir: Path, _: int) -> None:
    """Compare the first version's lookups with the last one's, in turn, all rows in memory.

    By processor time: what else the machine does meanwhile would hit the longer of two alike ones more.
    """
    tables = {"first": Table.open(data_dir, 1), "last": Table.open(data_dir)}
    if tables["last"].version == 1:
        return
    for table in tables.values():
        table.blocks.load_all()
    for kind, draw in KINDS.items():
        spent_ms: dict[str, list[float]] = {name: [] for name in tables}
        random = np.random.default_rng(2)
        for k in range(600):
            request = draw(random)
            for name, table in tables.items():
                started = time.thread_time()
                lookup(table, request)
                if k >= 200:
                    spent_ms[name].append((time.thread_time() - started) * 1e3)
        first_ms, last_ms = (statistics.median(spent_ms[name]) for name in tables)
        show(
            f"growth, {kind}",
            f"{len(tables['first']):,} rows p50 {first_ms:.3f} ms, {len(tables['last']):,} rows p50 "
            f"{last_ms:.3f} ms: {last_ms / first_ms:.2f} times",
        )
    show("peak memory", f"{resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024:,.0f} MiB")


def measure_cold(data_dir: Path, folder: Path) -> None:
    """Time whole processes, start to answer, in turn."""
    csv = folder / "table.csv"
    command = [sys.executable, __file__, "--data"]
    subprocess.run(
        [*command, str(data_dir), "--one", "write"], env={**os.environ, "CSV": str(csv)}, check=True
    )
    ways = {
        "np.loadtxt and masks": [*command, str(csv), "--one", "script"],
        "nightpick lookup": [
            sys.executable,
            "-m",
            "flows.cli",
            "lookup",
            "place",
            *map(str, TARGET),
            "--json",
        ],
    }
    spent_s: dict[str, list[float]] = {way: [] for way in ways}
    environment = {**os.environ, "NIGHTPICK_DATA_DIR": str(data_dir)}
    for _ in range(3):
        for way, words in ways.items():
            started = time.perf_counter()
            subprocess.run(words, cwd=ROOT, env=environment, check=True, capture_output=True)
            spent_s[way].append(time.perf_counter() - started)
    script_s, ours_s = (statistics.median(spent) for spent in spent_s.values())
    show(
        "cold process",
        f"np.loadtxt and masks {script_s:.2f} s, nightpick lookup {ours_s:.2f} s: "
        f"{script_s / ours_s:,.0f} times faster",
    )


def write_csv(data_dir: Path, _: int) -> None:
    """Write the table as the script reads it."""
    from lib.table import export

    export(data_dir, [Path(os.environ["CSV"])], version=1)


def run_script(csv: Path, _: int) -> None:
    """What people do: read everything, mask everything, print one row."""
    points = np.loadtxt(csv, delimiter=",", skiprows=1)
    print(select(points, PlaceRequest(*TARGET)).row)


def timed(ask: Callable[..., Any], *question: Any) -> tuple[Any, float]:
    """Return an answer and what it took [ms]."""
    started = time.perf_counter()
    answer = ask(*question)
    return answer, (time.perf_counter() - started) * 1e3


def told(spent_ms: list[float]) -> str:
    """Return median and 95th percentile."""
    return f"p50 {statistics.median(spent_ms):.3f} ms p95 {np.percentile(spent_ms, 95):.3f} ms"


def show(what: str, figures: str) -> None:
    """Print one line of the table."""
    print(f"{what:36} {figures}", flush=True)


PARTS: dict[str, Callable[[Path, int], None]] = {
    "build": measure_build,
    "warm": measure_warm,
    "many": measure_many,
    "growth": measure_growth,
    "write": write_csv,
    "script": run_script,
}

if __name__ == "__main__":
    main()
