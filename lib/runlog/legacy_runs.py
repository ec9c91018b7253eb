"""Taking in the runs of a batch that was logged before, each once."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path

from lib.runlog.connect import connect
from lib.runlog.legacy_log import read_legacy_log, run_number, started_utc
from lib.runlog.log import run_log


@dataclass(frozen=True)
class Imported:
    """What became of a legacy log."""

    file: str
    imported: tuple[str, ...]
    """Runs that are new."""
    known: tuple[str, ...]
    """Runs that were there already, and stayed as they were."""

    def as_json(self) -> dict[str, object]:
        """Return the document that `nightpick import-runs --json` prints."""
        return {"file": self.file, "imported": list(self.imported), "known": list(self.known)}


def import_runs(data_dir: Path, path: Path) -> Imported:
    """Record the runs of a legacy log that are not there yet; the others stay as they are.

    The time in a run_stem is taken as this machine's local time. Raises BadInput with line, column and
    what was found; then nothing is recorded.
    """
    rows = list(read_legacy_log(path))
    with connect(data_dir) as con:
        there = {stem for (stem,) in con.execute("SELECT run_stem FROM run").fetchall()}
    new = [row for row in rows if row["run_stem"] not in there]
    log = run_log(data_dir)
    started = {str(row["run_stem"]): started_utc(str(row["run_stem"])) for row in new}
    nights: dict[str, datetime] = {}
    for at in started.values():
        nights[_night_id(at)] = min(at, nights.get(_night_id(at), at))
    log.append_all("place", [{**row, "night_id": _night_id(started[str(row["run_stem"])])} for row in new])
    log.append_all("night", [_night(night_id, at) for night_id, at in nights.items()])
    log.append_all("run", [_run(stem, at) for stem, at in started.items()])  # last: it makes the rest count
    known = tuple(str(row["run_stem"]) for row in rows if row["run_stem"] in there)
    return Imported(path.name, tuple(started), known)


def _run(stem: str, at: datetime) -> dict[str, object]:
    return {
        "run_stem": stem,
        "run_number": run_number(stem),
        "state": "imported",
        "started_utc": at,
        "night_id": _night_id(at),
    }


def _night(night_id: str, at: datetime) -> dict[str, object]:
    return {
        "night_id": night_id,
        "arm": "imported",
        "local_date": at.astimezone().date(),
        "sequence": 0,
        "started_utc": at,
        "state": "imported",
    }


def _night_id(at: datetime) -> str:
    return f"imported-{at.astimezone():%Y-%m-%d}"
