"""Which versions of the table hold a scan's rows, in use or not."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lib.runlog import fk_file


@dataclass(frozen=True)
class Holding:
    """The versions that a scan went into."""

    versions: tuple[int, ...] = ()
    readings: tuple[int, ...] = ()
    """Which reading of the scan each of them holds."""
    in_use: tuple[int, ...] = ()
    """Those that the current version is or was built on, oldest first."""
    back_to: int = 0
    """The newest ancestor of the current version without the scan; 0 where there is none."""


def holding(data_dir: Path, md5: str) -> Holding:
    """Find the versions that hold a scan's rows, by any of its readings."""
    if not fk_file.path(data_dir).exists():
        return Holding()
    with fk_file.open_read(data_dir) as connection:
        columns = connection.execute("DESCRIBE fk_version").fetchall()
        reading = "scan_reading" if "scan_reading" in {name for name, *_ in columns} else "1"
        found = connection.execute(
            f"SELECT version, coalesce({reading}, 1), coalesce(parent, 0) FROM fk_version WHERE scan_md5 = ? "
            "ORDER BY version",
            [md5],
        ).fetchall()
        current = fk_file.current_version(connection)
        line = fk_file.ancestors(connection, current) if current is not None else []
    in_use = [(version, parent) for version, _, parent in found if version in line]
    return Holding(
        versions=tuple(version for version, _, _ in found),
        readings=tuple(number for _, number, _ in found),
        in_use=tuple(version for version, _ in in_use),
        back_to=in_use[0][1] if in_use else 0,
    )
