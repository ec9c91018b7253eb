"""What a night's page tells, gathered from the run log and the table in one read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from lib.errors import BadInput
from lib.report.batch_facts import BatchFacts, gather_batch
from lib.runlog import connect
from lib.runlog.sql_file import sql_text

Row = Mapping[str, Any]


@dataclass(frozen=True)
class MergeFacts:
    """One merge of the night with its audits and probes."""

    merge: Row
    audits: list[Row]
    probes: list[Row]

    @property
    def first(self) -> bool:
        """Whether there was no table before: what is in reach now is then no improvement."""
        return self.merge["parent"] is None


@dataclass(frozen=True)
class NightFacts:
    """One night."""

    night: Row
    until_utc: datetime
    """When the night ended, or when the page was made."""
    scans: list[Row]
    merges: list[MergeFacts]
    versions: list[Row]
    tasks: list[Row]
    batch: BatchFacts

    @property
    def refused(self) -> list[Row]:
        """The files that were not taken in."""
        return [scan for scan in self.scans if scan["status"] == "refused"]

    @property
    def blocked(self) -> list[MergeFacts]:
        """The merges an audit stopped."""
        return [m for m in self.merges if m.merge["state"] == "blocked"]

    @property
    def current(self) -> Row | None:
        """The table version in use."""
        return next((v for v in self.versions if v["is_current"]), None)


def gather(data_dir: Path, night_id: str) -> NightFacts:
    """Read everything the page of one night shows; raises BadInput where there is no such night."""
    with connect(data_dir) as connection:

        def rows(name: str, **values: object) -> list[Row]:
            answer = connection.execute(sql_text(f"report/{name}"), values or None)
            names = [column[0] for column in answer.description or []]
            return [dict(zip(names, row, strict=True)) for row in answer.fetchall()]

        found = rows("night", night_id=night_id)
        if not found:
            raise BadInput(f"no night {night_id} in the run log; `nightpick ask nights` lists them")
        night = found[0]
        until = night["ended_utc"] or datetime.now(UTC)
        merges = [
            MergeFacts(
                merge,
                rows("audits", merge_id=merge["merge_id"]),
                rows("probes", merge_id=merge["merge_id"]),
            )
            for merge in rows("merges", night_id=night_id)
        ]
        return NightFacts(
            night,
            until,
            rows("scans", night_id=night_id),
            merges,
            rows("versions"),
            rows("tasks", night_id=night_id),
            gather_batch(night, rows),
        )
