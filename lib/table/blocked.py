"""A scan that an audit stopped is not audited again on the same grounds: the answer is known.

What a verdict rests on has a hash, kept in the run log with the verdict: the scan's rows, the version
to merge them into, the robot, the settings and what was accepted. Where any of it changed, or the log
is gone, the scan is audited anew.
"""

from __future__ import annotations

import hashlib
import json
from dataclasses import asdict, dataclass
from datetime import UTC, datetime

from lib.robot import load_robot
from lib.runlog import connect, sql_text
from lib.scan import KeptScan, shown
from lib.settings import Settings
from lib.table.acceptance import Failed, ways_out
from lib.table.history import current_version
from lib.table.result import MergeOptions
from lib.table.version import Version


@dataclass(frozen=True)
class BlockedBefore:
    """A verdict that still holds."""

    scan: KeptScan
    since_utc: datetime
    nights: int
    """Nights that met it, from the one that found it."""
    failed: tuple[Failed, ...]

    @property
    def names(self) -> str:
        """The audits that said no."""
        return " and ".join(audit.name for audit in self.failed)

    @property
    def ways_out(self) -> str:
        """What a person can do about it, in one line."""
        return ", ".join(ways_out(self.scan.md5, self.failed))

    def __str__(self) -> str:
        """Say in one line that nothing changed, and what a person can do."""
        nights = f", {self.nights} night{'s' if self.nights != 1 else ''}" if self.nights else ""
        since = f"{self.since_utc.astimezone(UTC):%Y-%m-%d %H:%M} UTC"
        return (
            f"{shown(self.scan.file)} blocked as before by {self.names}, since {since}{nights}: "
            f"{self.ways_out}"
        )


def blocked_before(
    settings: Settings, scan: KeptScan, options: MergeOptions | None = None
) -> BlockedBefore | None:
    """Return the verdict that a merge of the scan would come to again; None where it must be audited."""
    robot = load_robot(settings.robot)
    parent = current_version(settings.data_dir)
    grounds = grounds_of(settings, scan, options or MergeOptions(), robot.file_md5 if robot else None, parent)
    with connect(settings.data_dir) as connection:
        found = connection.execute(sql_text("resume/blocked_before"), {"grounds": grounds}).fetchone()
    if found is None:
        return None
    since_utc, nights, failed = found
    return BlockedBefore(
        scan,
        since_utc,
        nights,
        tuple(Failed(audit["name"], json.loads(audit["figures"])) for audit in failed),
    )


def grounds_of(
    settings: Settings,
    scan: KeptScan,
    options: MergeOptions,
    robot_md5: str | None,
    parent: Version | None,
) -> str:
    """Return the md5 of all that the audits of a scan go by."""
    grounds = {
        "scan": [scan.md5, scan.reading, scan.content_md5],
        "parent": [parent.version, parent.content_md5] if parent else None,
        "robot": robot_md5,
        "settings": [asdict(part) for part in (settings.merge, settings.lookup, settings.cell)],
        "options": [options.must_improve, options.accept_worse, sorted(options.accepted)],
    }
    return hashlib.md5(json.dumps(grounds, sort_keys=True, default=str).encode()).hexdigest()
