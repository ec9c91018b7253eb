"""Which nights somebody means by a date, by an id, or by nothing at all."""

from __future__ import annotations

from datetime import date
from pathlib import Path

from lib.errors import BadInput
from lib.runlog import connect
from lib.runlog.sql_file import sql_text

# Runs that were imported made no night of ours: they are a page only where asked for.
_IMPORTED = "imported"


def nights_asked(data_dir: Path, asked: str | None) -> list[str]:
    """Return the ids of the nights of a local date or of one id; without either the last night, if any.

    Raises BadInput where nothing of that name was recorded.
    """
    with connect(data_dir) as con:
        nights = con.execute(sql_text("report/nights")).fetchall()
    if asked is None:
        own = [night_id for night_id, _, arm in nights if arm != _IMPORTED]
        return (own or [night_id for night_id, _, _ in nights])[-1:]
    if any(night_id == asked for night_id, _, _ in nights):
        return [asked]
    try:
        day = date.fromisoformat(asked)
    except ValueError:
        raise BadInput(
            f"{asked!r} is no night; expected a date such as 2026-11-30, or an id; "
            "`nightpick ask nights` lists them"
        ) from None
    found = [night_id for night_id, local_date, _ in nights if local_date == day]
    if not found:
        known = f"; the last one was on {nights[-1][1]}" if nights else "; no night has run yet"
        raise BadInput(f"no night on {day}{known}")
    return found
