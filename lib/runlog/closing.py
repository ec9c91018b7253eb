"""Closing finished logs into Parquet while others write and read.

Parquet files are written beside and renamed, then the manifest is renamed into place: that one
rename is the commit. Only then the logs move to the archive. Ten parts of one level are put together
into one of the next, so that years of nights stay a few dozen files; the ten are removed a day later,
when no connection that reads them should be open any more.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import duckdb

from lib.disk import disk_refused
from lib.errors import NightpickError
from lib.runlog import schema
from lib.runlog.fk_file import quoted
from lib.runlog.folder import archive_folder, closed_folder, flush_to_disk, new_stem, open_folder, open_logs
from lib.runlog.log import run_log
from lib.runlog.parts import Part, all_parts, commit, live_parts, manifest_path, parquet_path
from lib.runlog.reading import load_lines, load_records, parquet_rows

PARTS_TOGETHER = 10
READERS_DONE_AFTER_S = 24 * 3600.0


@dataclass(frozen=True)
class Closed:
    """What a call of close_logs did."""

    logs: int
    """Logs closed."""
    rows: int
    """Records they held."""
    left: tuple[str, ...]
    """Names of finished logs left open, for they hold records that this version does not know."""


NOTHING = Closed(0, 0, ())


def close_logs(data_dir: Path) -> Closed:
    """Close this process's own log and every log whose writer is gone; leave those still written.

    May be called by anybody at any time; where another process is closing, does nothing. Killed at
    any moment, it leaves every record in exactly one place, and the next call goes on. Raises
    NightpickError where a file cannot be written or read, with nothing lost.
    """
    run_log(data_dir).close()
    return close_chosen(data_dir, lambda: [log for log in open_logs(data_dir) if is_finished(log)])


def close_chosen(data_dir: Path, choose: Callable[[], list[Path]]) -> Closed:
    """Close the finished logs that ``choose`` names once nobody else closes any; as ``close_logs`` does."""
    if not open_folder(data_dir).exists():
        return NOTHING
    try:
        closed_folder(data_dir).mkdir(exist_ok=True)
        closing = os.open(closed_folder(data_dir) / ".closing", os.O_RDWR | os.O_CREAT, 0o644)
        try:
            return _close_alone(data_dir, choose) if _locked(closing) else NOTHING
        finally:
            os.close(closing)
    except (OSError, duckdb.Error) as error:
        place = f"{closed_folder(data_dir)}: the run log cannot be closed"
        said = disk_refused(error, place) or f"{place}: {str(error).splitlines()[0]}; put back that file"
        raise NightpickError(f"{said}; nothing is lost, the logs stay open") from error


def _close_alone(data_dir: Path, choose: Callable[[], list[Path]]) -> Closed:
    _archive_committed(data_dir)
    _sweep(data_dir)
    logs = choose()
    closed = _close_finished(data_dir, logs) if logs else NOTHING
    _archive_committed(data_dir)
    while _put_together(data_dir):
        pass
    return closed


def is_finished(log: Path) -> bool:
    """Tell whether a log waits to be closed: nobody writes it any more and nobody closed it yet.

    A writer locks its log before it can be seen, so a log without a lock has lost its writer.
    """
    try:
        descriptor = os.open(log, os.O_RDWR)
    except FileNotFoundError:
        return False
    try:
        return _locked(descriptor)
    finally:
        os.close(descriptor)


def _locked(descriptor: int) -> bool:
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _close_finished(data_dir: Path, logs: list[Path]) -> Closed:
    with duckdb.connect() as con:
        schema.create(con, "schema/runlog", "log")
        relations = schema.columns_of(con, "log")
        load_lines(con, logs)
        unknown = _logs_with_unknown(con, relations)
        logs = [log for log in logs if str(log) not in unknown]
        con.execute("DELETE FROM line WHERE list_contains(?, log)", [sorted(unknown)])
        load_records(con, relations)
        name = new_stem()
        rows = _write_relations(
            con, data_dir, name, {relation: f"FROM log.{relation}" for relation in relations}
        )
    if logs:
        commit(data_dir, Part(name, 0, rows, tuple(log.stem for log in logs), ()))
    return Closed(len(logs), sum(rows.values()), tuple(sorted(Path(log).name for log in unknown)))


def _logs_with_unknown(con: duckdb.DuckDBPyConnection, relations: dict[str, schema.Columns]) -> set[str]:
    """Find logs that a newer version wrote: closing them here would drop what is not declared."""
    found = con.execute("SELECT DISTINCT log, relation, unnest(json_keys(record)) FROM line").fetchall()
    return {
        log
        for log, relation, column in found
        if column != "relation" and column not in relations.get(relation, {})
    }


def _write_relations(
    con: duckdb.DuckDBPyConnection, data_dir: Path, part: str, queries: dict[str, str]
) -> dict[str, int]:
    """Write one Parquet file a relation that has rows, each whole and on disk; return the row counts."""
    counts: dict[str, int] = {}
    for relation, query in queries.items():
        row = con.execute(f"SELECT count(*) FROM ({query})").fetchone()
        assert row is not None
        if not row[0]:
            continue
        path = parquet_path(data_dir, relation, part)
        path.parent.mkdir(exist_ok=True)
        beside = path.with_name(f".{path.name}")
        con.execute(f"COPY ({query}) TO {quoted(str(beside))} (FORMAT parquet, COMPRESSION zstd)")
        flush_to_disk(beside)
        beside.replace(path)
        flush_to_disk(path.parent)
        counts[relation] = int(row[0])
    return counts


def _archive_committed(data_dir: Path) -> None:
    """Move the logs that a part stands for out of the open folder."""
    closed = {stem for part in live_parts(data_dir) for stem in part.logs}
    for log in open_logs(data_dir):
        if log.stem in closed:
            archive_folder(data_dir).mkdir(exist_ok=True)
            log.replace(archive_folder(data_dir) / log.name)


def _put_together(data_dir: Path) -> bool:
    """Make one part of ten of the same level; return whether there were ten."""
    by_level: dict[int, list[Part]] = {}
    for part in live_parts(data_dir):
        by_level.setdefault(part.level, []).append(part)
    ten = next((parts[:PARTS_TOGETHER] for parts in by_level.values() if len(parts) >= PARTS_TOGETHER), None)
    if ten is None:
        return False
    name = new_stem()
    queries = {
        relation: parquet_rows(
            parquet_path(data_dir, relation, part.name) for part in ten if relation in part.rows
        )
        for relation in sorted({relation for part in ten for relation in part.rows})
    }
    with duckdb.connect() as con:
        rows = _write_relations(con, data_dir, name, queries)
    # Their logs are in the archive by now, so nothing in the open folder needs hiding any more; what
    # they replaced themselves may still be there and stays hidden also when they are gone.
    older = {old for part in ten for old in part.replaces if manifest_path(data_dir, old).exists()}
    replaces = sorted(older | {part.name for part in ten})
    commit(data_dir, Part(name, ten[0].level + 1, rows, (), tuple(replaces)))
    return True


def _sweep(data_dir: Path) -> None:
    """Remove parts replaced a day ago, and what killed processes left half made."""
    parts = all_parts(data_dir)
    removable = {
        name for part in parts if _is_old(manifest_path(data_dir, part.name)) for name in part.replaces
    }
    kept = {part.name for part in parts} - removable
    for file in closed_folder(data_dir).glob("*/*.parquet"):
        if file.stem not in kept:
            file.unlink()
    for name in removable:
        manifest_path(data_dir, name).unlink(missing_ok=True)
    for beside in closed_folder(data_dir).glob(".*.json"):
        beside.unlink()
    for unnamed in open_folder(data_dir).glob(".*"):
        if _is_old(unnamed):  # a younger one may be a writer's that is about to name it
            unnamed.unlink()


def _is_old(file: Path) -> bool:
    try:
        return time.time() - file.stat().st_mtime > READERS_DONE_AFTER_S
    except FileNotFoundError:  # its writer has just named it
        return False
