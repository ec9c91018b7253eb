"""Versions side by side: the list, the difference of two, and going back to one."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from lib.lookup import Table
from lib.lookup.index import renew
from lib.runlog import fk_file
from lib.settings import Settings
from lib.table.effect import Effect, compare
from lib.table.staged import merge_lock, staged_table
from lib.table.version import Version, read_version, read_versions, set_current

# What a rollback calls the table before its first version.
NO_VERSION = 0


def history(data_dir: Path) -> tuple[list[Version], int | None]:
    """Return every version, oldest first, and the number of the one in use."""
    with fk_file.open_read(data_dir) as connection:
        return read_versions(connection), fk_file.current_version(connection)


def current_version(data_dir: Path) -> Version | None:
    """Return the version in use, or None while there is no table."""
    if not fk_file.path(data_dir).exists():
        return None
    versions, current = history(data_dir)
    return next((v for v in versions if v.version == current), None)


def rollback(settings: Settings, number: int) -> tuple[int | None, int]:
    """Use version ``number``, older or newer, from now on; return (version before, version now).

    0 is the table before its first version: none is in use then. Nothing is deleted. Raises BadInput for
    a version there is not, Busy while a merge runs, DiskRefused where the disk does not take it.
    """
    data_dir = settings.data_dir
    with fk_file.open_read(data_dir) as connection:
        if number != NO_VERSION:
            read_version(connection, number)
    with merge_lock(data_dir, settings.merge.lock_wait_s):
        with staged_table(data_dir) as staged:
            before = fk_file.current_version(staged.connection)
            if (before or NO_VERSION) != number:
                set_current(staged.connection, number or None)
                staged.publish()
        if (before or NO_VERSION) != number != NO_VERSION:
            renew(data_dir)
    return before, number


@dataclass(frozen=True)
class Difference:
    """What version ``to`` has that version ``of`` has not, and the other way round."""

    of: Version
    to: Version
    only_of_rows: int
    only_to_rows: int
    effect: Effect
    """The probes looked up in ``of`` (before) and in ``to`` (after)."""

    def as_json(self) -> dict[str, object]:
        """Return what `table diff --json` prints."""
        return {
            "of": self.of.as_json(),
            "to": self.to.as_json(),
            "only_of_rows": self.only_of_rows,
            "only_to_rows": self.only_to_rows,
            "effect": self.effect.as_json(),
        }


def difference(settings: Settings, of: int, to: int) -> Difference:
    """Compare two versions by their rows and by what the lookup selects; raises BadInput for no version."""
    with fk_file.open_read(settings.data_dir) as connection:
        versions = {v.version: v for v in read_versions(connection)}
        old, new = read_version(connection, of), read_version(connection, to)
        old_line = set(fk_file.ancestors(connection, of))
        new_line = set(fk_file.ancestors(connection, to))
    tables = [Table.open(settings.data_dir, version) for version in (of, to)]
    return Difference(
        old,
        new,
        sum(versions[v].added for v in old_line - new_line),
        sum(versions[v].added for v in new_line - old_line),
        compare(settings, *tables),
    )
