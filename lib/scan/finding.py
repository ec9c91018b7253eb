"""Which kept scan people mean: by md5, by the name it came under, by the file itself, by its number."""

from __future__ import annotations

from pathlib import Path

from lib.errors import BadInput
from lib.scan.inbox import file_md5
from lib.scan.kept import KeptScan
from lib.scan.refusal import shown
from lib.scan.store import ScanStore

# Fewer digits may be a number or a name.
_FEWEST_DIGITS = 4


def find_scan(store: ScanStore, text: str) -> KeptScan:
    """Return the kept scan that a text names.

    It may be the beginning of an md5 (four digits or more), the name the scan came under, a path to a
    file with its bytes, or its number. Raises BadInput where it names none, or several.
    """
    kept = store.kept()
    found = [scan for scan in kept if _is_meant(scan, text)]
    if len(found) != 1 and Path(text).is_file():  # of several of one name, the one with these bytes
        md5 = file_md5(Path(text))
        found = [scan for scan in kept if scan.md5 == md5] or found
    if not found:
        raise BadInput(f"no kept scan is {shown(text, 200)!r}; `nightpick scan list` lists them")
    if len(found) > 1:
        several = ", ".join(f"{scan.short_md5} ({shown(scan.file)})" for scan in found)
        raise BadInput(f"{shown(text, 200)!r} may be {len(found)} scans: {several}; name one by its md5")
    return found[0]


def _is_meant(scan: KeptScan, text: str) -> bool:
    is_md5 = len(text) >= _FEWEST_DIGITS and scan.md5.startswith(text.lower())
    return is_md5 or text in (scan.file, str(scan.sequence))
