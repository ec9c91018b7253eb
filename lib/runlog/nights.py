"""Which night it is: by date when scheduled, by number when by hand; an unfinished one comes first."""

from __future__ import annotations

import fcntl
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

from lib.disk import disk
from lib.errors import Busy, Refused
from lib.runlog.connect import connect
from lib.runlog.log import run_log
from lib.runlog.sql_file import sql_text


@dataclass(frozen=True)
class Night:
    """One night of one arm; ``sequence`` is 0 for the scheduled one, from 1 for those started by hand."""

    arm: str
    local_date: date
    sequence: int
    started_utc: datetime
    state: str = "unfinished"
    runs: int | None = None
    """How many pick-place runs were asked of it; None where an older record does not say."""
    kind: str = "night"
    """``night``, or ``batch``, which leaves scans and table alone."""

    @property
    def night_id(self) -> str:
        """The id everything of the night is recorded under, and the name of its page."""
        return f"{self.arm}-{self.local_date:%Y-%m-%d}-{self.sequence}"


@dataclass(frozen=True)
class Schedule:
    """When a scheduled night should start, and how long [h] after that it still may."""

    start: datetime
    window_h: float


@contextmanager
def holding_arm(data_dir: Path, arm: str) -> Iterator[None]:
    """Hold an arm for the length of a block; raises Busy where another night holds it.

    The lock is the operating system's, so it goes with the process however that ends.
    """
    path = data_dir / f"{arm}.night.lock"
    with disk(data_dir):
        data_dir.mkdir(parents=True, exist_ok=True)
        held = path.open("a")
    with held as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise Busy(
                f"a night already runs for arm {arm} ({path} is held); wait for its end, or "
                "stop it: Ctrl-C where it runs, or `nightpick arm stop`, which ends whoever drives the arm"
            ) from None
        yield


def due_nights(
    data_dir: Path,
    arm: str,
    now: datetime,
    schedule: Schedule | None = None,
    *,
    runs: int | None = None,
    kind: str = "night",
) -> list[Night]:
    """Return the nights to run now, in order: unfinished ones, then the one asked for.

    ``runs`` and ``kind`` are what is asked of a new one; an unfinished one keeps its own. Without a
    schedule a night was asked for by hand: it finishes what is unfinished, and only where nothing is
    does it make a new night. With one, ``schedule.start`` names the night by its local
    date; raises Refused where that night was run already or its window is over. ``now`` and
    ``schedule.start`` carry their time zone; call inside ``holding_arm``.
    """
    known = _nights(data_dir, arm)
    unfinished = [night for night in known if night.state == "unfinished"]
    if schedule is None:
        return unfinished or [_by_hand(known, arm, now, runs, kind)]
    asked = Night(arm, schedule.start.astimezone().date(), 0, now.astimezone(UTC), runs=runs, kind=kind)
    if any(night.night_id == asked.night_id for night in unfinished):
        return unfinished
    if any(night.night_id == asked.night_id for night in known):
        raise Refused(f"night {asked.night_id} has been run; start another by hand: `nightpick night`")
    end = schedule.start + timedelta(hours=schedule.window_h)
    if now > end:
        raise Refused(
            f"night {asked.night_id} was due at {schedule.start:%Y-%m-%d %H:%M} and its window closed at "
            f"{end:%H:%M}; start one by hand: `nightpick night`"
        )
    return [*unfinished, asked]


def record_night(data_dir: Path, night: Night, state: str, **values: object) -> None:
    """Record a night's state: ``unfinished``, ``finished``, ``attention`` (a stage said no) or ``failed``.

    ``values`` are further columns, such as ``ended_utc``, ``error`` and ``report_path``.
    """
    run_log(data_dir).append(
        "night",
        night_id=night.night_id,
        arm=night.arm,
        local_date=night.local_date,
        sequence=night.sequence,
        started_utc=night.started_utc,
        state=state,
        runs=night.runs,
        kind=night.kind,
        **values,
    )


def _by_hand(known: list[Night], arm: str, now: datetime, runs: int | None, kind: str) -> Night:
    today = now.astimezone().date()
    taken = [night.sequence for night in known if night.local_date == today]
    return Night(arm, today, max(taken, default=0) + 1, now.astimezone(UTC), runs=runs, kind=kind)


def _nights(data_dir: Path, arm: str) -> list[Night]:
    with connect(data_dir) as connection:
        rows = connection.execute(sql_text("resume/nights"), {"arm": arm}).fetchall()
    return [
        Night(arm, local_date, sequence, start, state, runs, kind or "night")
        for _, _, local_date, sequence, start, state, runs, kind in rows
    ]
