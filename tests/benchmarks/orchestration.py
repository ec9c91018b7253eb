"""What Prefect and the evidence cost a batch: wall time beside the runs' own, per run and per task.

    .venv/bin/python tests/benchmarks/orchestration.py [--runs 50] [--time-scale 50]

The cell's clock runs as fast as it may, so what is not the run itself is orchestration: task starts and ends,
run-log rows, artifacts, the next block. The last line holds it against a run at the real clock.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from pathlib import Path

from lib.runlog import connect
from tests.small_table import give_small_table

ROOT = Path(__file__).parents[2]
COST = """
WITH ended AS (SELECT * FROM run WHERE state <> 'unfinished'),
own AS (
    SELECT sum(value) AS run_s FROM observation WHERE name = 'run_duration'
),
span AS (
    SELECT
        epoch(max(ended_utc) - min(started_utc)) AS wall_s,
        count(*) AS runs
    FROM ended
),
tasks AS (
    SELECT count(*) AS tasks FROM task_run WHERE task IN ('place block', 'lay out block')
)
SELECT runs, wall_s, run_s, tasks FROM span, own, tasks
"""


def main() -> None:
    """Run the batches and print the table."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--runs", type=int, default=50)
    arguments.add_argument("--time-scale", type=float, default=50.0)
    args = arguments.parse_args()
    runs, wall_s, run_s, tasks = _batch(args.runs, args.time_scale)
    _, _, real_s, _ = _batch(1, 1.0)
    overhead_s = (wall_s - run_s) / runs
    print(f"{runs} runs at {args.time_scale:g} times the clock: {wall_s:.1f} s, the runs' own {run_s:.1f} s")
    print(f"orchestration: {1e3 * overhead_s:.0f} ms a run, {1e3 * (wall_s - run_s) / tasks:.0f} ms a task")
    print(f"a run at the real clock: {real_s:.1f} s; orchestration: {100 * overhead_s / real_s:.2f} % of it")


def _batch(runs: int, time_scale: float) -> tuple[int, float, float, int]:
    with tempfile.TemporaryDirectory() as folder:
        data_dir = Path(folder) / "data"
        give_small_table(data_dir)
        environment = {
            **os.environ,
            "PYTHONPATH": str(ROOT),
            "NIGHTPICK_DATA_DIR": str(data_dir),
            "NIGHTPICK_CELL__TIME_SCALE": str(time_scale),
            "NIGHTPICK_BATCH__CONSECUTIVE_FAILURES": "1000",
        }
        command = [sys.executable, "-m", "flows.cli", "batch", "--runs", str(runs)]
        subprocess.run(command, env=environment, cwd=folder, check=False, stdout=subprocess.DEVNULL)
        with connect(data_dir) as con:
            row = con.execute(COST).fetchone()
    assert row is not None
    return int(row[0]), float(row[1]), float(row[2]), int(row[3])


if __name__ == "__main__":
    main()
