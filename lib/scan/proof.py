"""Prove that the kept scans are what was ingested: their raw bytes by md5, their rows by content md5."""

from __future__ import annotations

from collections.abc import Callable

from lib.errors import Damaged
from lib.scan.inbox import file_md5
from lib.scan.kept import KeptScan
from lib.scan.refusal import shown
from lib.scan.store import ScanStore

Progress = Callable[[str], None]


def damaged_raw_files(store: ScanStore, progress: Progress = lambda _: None) -> list[str]:
    """Return a line for each raw file that is gone, unreadable or altered: where, what, what to do."""
    found = []
    for scan in store.kept():
        progress(scan.file)
        said = _raw_damage(store, scan)
        if said:
            found.append(
                f"{store.raw_path(scan)}: {said}; put back a copy of {shown(scan.file)}, md5 {scan.md5}"
            )
    return found


def damaged_rows(store: ScanStore, progress: Progress = lambda _: None) -> list[str]:
    """Return a line for each reading whose rows or lines set aside are gone, unreadable or altered."""
    found = []
    for scan in store.readings():
        progress(scan.file)
        for look in (store.points, store.count_rejects):
            try:
                look(scan.key)
            except Damaged as error:
                found.append(str(error))
    return found


def _raw_damage(store: ScanStore, scan: KeptScan) -> str | None:
    try:
        md5 = file_md5(store.raw_path(scan))
    except FileNotFoundError:
        return "the raw scan is gone"
    except OSError as error:
        return f"the raw scan cannot be read: {error.strerror}"
    return None if md5 == scan.md5 else f"the raw scan was altered, its md5 is {md5}"
