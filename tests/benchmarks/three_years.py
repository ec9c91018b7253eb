"""Log a thousand nights, close each, and time what people ask of them.

    .venv/bin/python tests/benchmarks/three_years.py [--nights N] [--folder FOLDER]

A night here is 100 runs' worth: 150 tasks, 600 observations, one merge with its audits and 300 probes.
The files of parts that were put together are among those counted: they stay for a day.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

TASKS, OBSERVATIONS, PROBES = 150, 600, 300
ASKED = (
    "SELECT count(*) FROM night",
    "SELECT name, count(*), avg(value) FROM observation GROUP BY name",
    "SELECT name, avg(value) FROM observation WHERE time_utc > '2028-06-01' GROUP BY name",
    "SELECT date_trunc('month', started_utc), sum(duration_s) FROM task_run GROUP BY ALL",
)


def main() -> None:
    """Write, close and ask."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--nights", type=int, default=1000)
    arguments.add_argument("--folder", type=Path, help="keep the data here")
    args = arguments.parse_args()
    if args.folder:
        run(args.folder, args.nights)
    else:
        with tempfile.TemporaryDirectory() as folder:
            run(Path(folder), args.nights)


def run(data_dir: Path, nights: int) -> None:
    """Write, close, say what it took, and time the questions."""
    write_s, close_s = write_nights(data_dir, nights)
    files = list((data_dir / "runlog" / "closed").rglob("*.parquet"))
    size_mb = sum(file.stat().st_size for file in files) / 1e6
    print(f"{nights} nights: {len(files)} closed files, {size_mb:.0f} MB")
    print(f"  a night: writing {write_s / nights * 1e3:.0f} ms, closing {close_s / nights * 1e3:.0f} ms")
    ask_all(data_dir)


def write_nights(data_dir: Path, nights: int) -> tuple[float, float]:
    """Write and close them; return the seconds spent on each."""
    from lib.runlog import RunLog, close_logs

    write_s = close_s = 0.0
    for night in range(nights):
        started_s = time.perf_counter()
        log = RunLog(data_dir)
        write_night(log, night)
        log.close()
        written_s = time.perf_counter()
        close_logs(data_dir)
        write_s += written_s - started_s
        close_s += time.perf_counter() - written_s
    return write_s, close_s


def write_night(log: object, night: int) -> None:
    """Write one night's records in batches, at the night's own times."""
    from lib.runlog import RunLog

    assert isinstance(log, RunLog)
    start_utc = datetime(2026, 1, 1, 21, tzinfo=UTC) + timedelta(days=night)
    ids = {"night_id": f"left-{night}", "flow_run_id": f"f{night}"}
    log.append("night", night_id=ids["night_id"], arm="left", started_utc=start_utc, state="unfinished")
    log.append("flow_run", **ids, flow="night", started_utc=start_utc, state="unfinished")
    runs = [
        {**ids, "task_run_id": f"{night}-{k}", "task": f"task {k % 9}", "started_utc": start_utc}
        for k in range(TASKS)
    ]
    log.append_all("task_run", [{**run, "state": "unfinished", "time_utc": start_utc} for run in runs])
    log.append_all(
        "task_run",
        [
            {
                "task_run_id": run["task_run_id"],
                "duration_s": k * 0.37,
                "state": "finished",
                "time_utc": start_utc,
            }
            for k, run in enumerate(runs)
        ],
    )
    log.append_all(
        "observation",
        [
            {**ids, "name": f"figure {k % 40}", "value": k / 7, "unit": "m", "time_utc": start_utc}
            for k in range(OBSERVATIONS)
        ],
    )
    merge = {"merge_id": f"m{night}", "time_utc": start_utc}
    effect = {
        "mode": "place",
        "before_fk_row": 1,
        "before_xz_distance_m": 0.0079,
        "before_method": "fk_nearest",
    }
    log.append_all(
        "merge_effect",
        [
            {**merge, **effect, "verdict": "unchanged", "target_x_m": k * 1e-3, "target_z_m": 0.19}
            for k in range(PROBES)
        ],
    )
    log.append_all(
        "merge_audit", [{**merge, "name": f"audit {k}", "ok": True, "figures": {"rows": k}} for k in range(7)]
    )
    log.append("merge", **merge, version=night, promoted=False, state="dry run", rows=night)
    log.append("flow_run", **ids, ended_utc=start_utc + timedelta(hours=8), state="finished")
    log.append("night", night_id=ids["night_id"], ended_utc=start_utc + timedelta(hours=8), state="finished")


def ask_all(data_dir: Path) -> None:
    """Time opening, each statement and each named question, the opening included."""
    from lib.runlog import ask, ask_sql, named_questions

    for asked in (*ASKED, *(question.name for question in named_questions())):
        best_s = float("inf")
        for _ in range(3):
            started_s = time.perf_counter()
            answer = ask_sql(data_dir, asked) if " " in asked else ask(data_dir, asked)
            rows = sum(1 for _ in answer.rows)
            best_s = min(best_s, time.perf_counter() - started_s)
        print(f"  {best_s * 1e3:6.0f} ms  {rows:5d} rows  {asked}")


if __name__ == "__main__":
    main()
