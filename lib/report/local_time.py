"""Times as the reader's clock shows them, with its zone; the UTC that the run log keeps stands beside."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime


@dataclass(frozen=True)
class Clock:
    """One moment, twice."""

    local: str
    utc: str


def clock(moment: datetime) -> Clock:
    """Return a moment that carries its zone as ``22:00 CET`` and ``2026-11-30 21:00:00 UTC``."""
    return Clock(f"{moment.astimezone():%H:%M %Z}", f"{moment.astimezone(UTC):%Y-%m-%d %H:%M:%S} UTC")


def day_and_clock(moment: datetime) -> Clock:
    """Return a moment like ``clock`` with its local day: ``30 November 2026, 22:00 CET``."""
    return Clock(f"{moment.astimezone():%-d %B %Y, %H:%M %Z}", clock(moment).utc)


def duration(seconds: float) -> str:
    """Return a time [s] as people say it: ``0.4 s``, ``29 s``, ``1 min 23 s``, ``2 h 05 min``."""
    if seconds < 10:
        return f"{seconds:.1f} s"
    minutes, rest = divmod(round(seconds), 60)
    if minutes < 60:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes // 60} h {minutes % 60:02d} min"
