"""Log three years of nights, close each, and time what people ask of them; then ask while a night writes.

    .venv/bin/python tests/benchmarks/three_years.py [--nights N] [--runs N] [--rows place=1] [--folder F]

A folder that is there already is asked, not written again. The rows are those of
tests/lib/runlog/batch_sample.py, as many of each relation as ``--rows`` says one run writes.
"""

from __future__ import annotations

import argparse
import subprocess
import sys
import tempfile
import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

import duckdb  # noqa: E402

from lib.report import write_night_page  # noqa: E402
from lib.runlog import RunLog, ask, ask_sql, close_logs, connect, named_questions  # noqa: E402
from lib.runlog.folder import new_stem  # noqa: E402
from lib.runlog.parts import Part, commit, live_parts, parquet_path  # noqa: E402
from lib.settings import Settings  # noqa: E402
from tests.lib.runlog.batch_sample import A_RUN, ARM, night_id, night_records, started_utc  # noqa: E402

PROBES, AUDITS = 211, 7
TEN = 10
TIMES = 5
STATEMENTS = (
    "SELECT count(*) FROM night",
    "SELECT name, count(*), avg(value) FROM observation GROUP BY name",
    "SELECT name, avg(value) FROM observation WHERE time_utc > '2028-06-01' GROUP BY name",
    "SELECT date_trunc('month', started_utc), sum(duration_s) FROM task_run GROUP BY ALL",
    "SELECT state, count(*) FROM run_state GROUP BY state",
)
BESIDE_S = 60
WRITER = """
import sys, time
from pathlib import Path
sys.path.insert(0, sys.argv[2])
from lib.runlog import RunLog
from tests.lib.runlog.batch_sample import night_records
log = RunLog(Path(sys.argv[1]))
for relation, rows in night_records(int(sys.argv[3]), 1000).items():
    for row in rows:
        log.append(relation, **row)
        time.sleep(0.01)
"""


def main() -> None:
    """Write, close and ask."""
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--nights", type=int, default=1095)
    arguments.add_argument("--runs", type=int, default=100)
    arguments.add_argument("--rows", default="", help="records one run writes: relation=count,...")
    arguments.add_argument("--folder", type=Path, help="keep the data here")
    args = arguments.parse_args()
    told = (part.split("=") for part in args.rows.split(",") if part)
    a_run = {**A_RUN, **{name: int(count) for name, count in told}}
    if args.folder:
        run(args.folder, args.nights, args.runs, a_run)
    else:
        with tempfile.TemporaryDirectory() as folder:
            run(Path(folder), args.nights, args.runs, a_run)


def run(data_dir: Path, nights: int, runs: int, a_run: Mapping[str, int]) -> None:
    """Write and close where nothing is yet, say what it took, then ask: alone, and beside a writer."""
    if not (data_dir / "runlog").exists():
        write_nights(data_dir, nights, runs, a_run)
    files = list((data_dir / "runlog" / "closed").rglob("*.parquet"))
    size_mb = sum(file.stat().st_size for file in files) / 1e6
    print(f"{len(files)} closed files, {size_mb:.0f} MB")
    with connect(data_dir) as con:
        for relation in ("night", *A_RUN, "homing_joint", "merge_effect"):
            print(f"  {relation:20} {con.execute(f'SELECT count(*) FROM recorded.{relation}').fetchone()}")
    ask_all(data_dir)
    time_page(data_dir, nights - 1)
    ask_beside(data_dir, nights)


def write_nights(data_dir: Path, nights: int, runs: int, a_run: Mapping[str, int]) -> None:
    """Write ten nights as a night does, copy them over the years, put together, write the last ones."""
    whole = nights // TEN
    seconds = [_write_and_close(data_dir, night, runs, a_run) for night in range(TEN)]
    started_s = time.perf_counter()
    (template,) = live_parts(data_dir)
    for copy in range(1, whole):
        copy_part(data_dir, template, copy)
    _write_and_close(data_dir, TEN * whole, runs, a_run)  # closing puts together what there are ten of
    print(f"{nights} nights of {runs} runs, records a run: {dict(a_run)}")
    print(f"  copied and put together in {time.perf_counter() - started_s:.0f} s")
    for night in range(TEN * whole + 1, nights):
        seconds.append(_write_and_close(data_dir, night, runs, a_run))
    write_s, close_s = (sorted(column)[len(seconds) // 2] for column in zip(*seconds, strict=True))
    print(f"  a night, median: writing {write_s * 1e3:.0f} ms, closing {close_s * 1e3:.0f} ms")


def _write_and_close(data_dir: Path, night: int, runs: int, a_run: Mapping[str, int]) -> tuple[float, float]:
    started_s = time.perf_counter()
    log = RunLog(data_dir)
    for relation, rows in {**night_records(night, runs, a_run), **merge_records(night)}.items():
        log.append_all(relation, rows)
    log.close()
    written_s = time.perf_counter()
    close_logs(data_dir)
    return written_s - started_s, time.perf_counter() - written_s


def copy_part(data_dir: Path, part: Part, copy: int) -> None:
    """Write a part of ten nights again as the ten nights ``copy`` times ten days later."""
    name = new_stem()
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'UTC'")
        for relation in part.rows:
            source = parquet_path(data_dir, relation, part.name)
            columns = con.execute(f"DESCRIBE FROM '{source}'").fetchall()
            shifted = ", ".join(f"{_shifted(column, kind, copy)} AS {column}" for column, kind, *_ in columns)
            target = parquet_path(data_dir, relation, name)
            written = f"COPY (SELECT {shifted} FROM '{source}') TO '{target}'"
            con.execute(f"{written} (FORMAT parquet, COMPRESSION zstd)")
    commit(data_dir, Part(name, part.level, part.rows, (), ()))


def _shifted(column: str, kind: str, copy: int) -> str:
    days, by = TEN * copy, f"INTERVAL {TEN * copy} DAY"
    if kind == "TIMESTAMP WITH TIME ZONE" or column == "local_date":
        return f"CAST({column} + {by} AS {kind})"
    stem = "left({0}, {1}) || strftime(strptime(substr({0}, {2}), '%Y%m%d_%H%M%S') + {3}, '%Y%m%d_%H%M%S')"
    return {
        "seq": f"seq + {days * 86_400 * 10**9}",
        "revision": f"revision + {days * 1000}",
        "table_version": f"table_version + {days}",
        "version": f"version + {days}",
        "task_run_id": f"md5(task_run_id || '{copy}')",
        "run_stem": stem.format("run_stem", 9, 10, by),
        "images": stem.format("images", 16, 17, by),
        "night_id": "left(night_id, 11) || "
        f"CAST(CAST(substr(night_id, 12, 10) AS DATE) + {by} AS DATE) || '-0'",
        **{name: f"{name} || '-{copy}'" for name in ("flow_run_id", "homing_id", "merge_id", "calibration")},
    }.get(column, f'"{column}"')


def merge_records(night: int) -> dict[str, list[dict[str, Any]]]:
    """Return one merge with its audits and probes, and the night's flow run."""
    at = {"time_utc": started_utc(night)}
    merge = {"merge_id": f"m{night}", **at}
    effect = {
        "mode": "place", "before_fk_row": 1, "before_xz_distance_m": 0.0079, "before_method": "fk_nearest",
        "target_z_m": 0.19, "verdict": "unchanged", "binding_filter": "j0_lock",
    }  # fmt: skip
    flow = {"flow_run_id": f"flow-{night}", "night_id": night_id(night), **at}
    return {
        "merge_effect": [{**merge, **effect, "target_x_m": k * 1e-3} for k in range(PROBES)],
        "merge_audit": [
            {**merge, "name": f"audit {k}", "ok": True, "message": "", "figures": {}} for k in range(AUDITS)
        ],
        "merge": [
            {**merge, "version": night, "promoted": False, "dry_run": False, "state": "blocked",
             "night_id": night_id(night), "added": 0, "duplicates": 0, "duration_s": 4.0, "probes": PROBES,
             "improved": 0, "worse": 0, "unchanged": PROBES, "scan_file": "s.csv", "scan_md5": f"scan{night}"}
        ],
        "flow_run": [
            {**flow, "flow": "night", "started_utc": started_utc(night), "state": "unfinished"},
            {**flow, "ended_utc": started_utc(night) + timedelta(hours=8), "state": "finished"},
        ],
    }  # fmt: skip


def ask_all(data_dir: Path) -> None:
    """Time each statement and each named question, opening the log included.

    On a busy machine the processors' time says what the clock would on an idle one, or more: two share it.
    """
    for asked in (*STATEMENTS, *(question.name for question in named_questions())):
        took_s, cpu_s = [], []
        for _ in range(TIMES):
            began_s = time.process_time()
            took, rows = _asked(data_dir, asked)
            took_s.append(took)
            cpu_s.append(time.process_time() - began_s)
        middle_ms, worst_ms = (1e3 * value for value in (sorted(took_s)[TIMES // 2], max(took_s)))
        cpu_ms = 1e3 * sorted(cpu_s)[TIMES // 2]
        took_text = f"{middle_ms:6.0f} ms, worst {worst_ms:5.0f}, of the processors {cpu_ms:5.0f}"
        print(f"  {took_text}  {rows:6d} rows  {asked}", flush=True)


def _asked(data_dir: Path, asked: str) -> tuple[float, int]:
    started_s = time.perf_counter()
    answer = ask_sql(data_dir, asked) if " " in asked else ask(data_dir, asked)
    rows = sum(1 for _ in answer.rows)
    return time.perf_counter() - started_s, rows


def time_page(data_dir: Path, night: int) -> None:
    """Time the page of the last night."""
    started_s = time.perf_counter()
    page = write_night_page(Settings(data_dir=data_dir, robot=ARM), night_id(night))
    print(
        f"  {(time.perf_counter() - started_s) * 1e3:6.0f} ms  the page, {page.stat().st_size / 1e3:.0f} kB"
    )


def ask_beside(data_dir: Path, night: int) -> None:
    """Ask one question a second while another process appends; say the longest wait."""
    writer = subprocess.Popen([sys.executable, "-c", WRITER, str(data_dir), str(ROOT), str(night)])
    worst_s, asked = 0.0, 0
    names = [question.name for question in named_questions()]
    try:
        until_s = time.monotonic() + BESIDE_S
        while time.monotonic() < until_s and writer.poll() is None:
            took_s, _ = _asked(data_dir, names[asked % len(names)])
            worst_s, asked = max(worst_s, took_s), asked + 1
            time.sleep(max(0.0, 1.0 - took_s))
    finally:
        writer.kill()
        writer.wait()
    print(f"beside a writer: {asked} questions, none failed, the longest took {worst_s * 1e3:.0f} ms")


if __name__ == "__main__":
    main()
