"""What must be in place before a night: each finding is fine, or says what to do. Changes nothing."""

from __future__ import annotations

import os
import platform
import re
import shutil
import sys
import tempfile
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from importlib.metadata import PackageNotFoundError, requires, version
from pathlib import Path

from lib.doctor_arm import last_homing, reached_arm
from lib.errors import NightpickError
from lib.settings import Settings

# A full-size table, its staged copy, a scan and its kept copy, a night's log: about 1 GB.
FREE_LEAST_BYTES = 2_000_000_000
PYTHON_LEAST = (3, 11)


@dataclass(frozen=True)
class Finding:
    """One line of the doctor."""

    name: str
    ok: bool
    found: str
    todo: str = ""
    """What to do where it is not ok."""
    stops_a_night: bool = True
    """Whether no night may begin before that is done."""

    def as_json(self) -> dict[str, object]:
        """Return what `doctor --json` prints of it."""
        return {"name": self.name, "ok": self.ok, "found": self.found, "todo": self.todo}


def examine(settings: Settings, settings_file: Path | None) -> Iterator[Finding]:
    """Yield the findings one by one, the quick ones first."""
    yield _python()
    yield _packages()
    yield Finding("settings", True, str(settings_file) if settings_file else "no file, the defaults hold")
    yield _data_dir(settings.data_dir)
    yield _free_space(settings.data_dir)
    yield _reading("robot", "correct the setting robot", lambda: _robot(settings))
    yield _reading("table", "look at it with `nightpick table verify`", lambda: _table(settings))
    yield _reading("scans", "", lambda: _scans(settings))
    yield _kept_files("kept scans", lambda: _damaged_scans(settings))
    yield _kept_files("run log", lambda: _damaged_log(settings))
    yield _of_the_arm("arm", "a night without it leaves its runs out", lambda: reached_arm(settings))
    yield _of_the_arm("homing", "look at its pictures, then `nightpick home`", lambda: last_homing(settings))


def _python() -> Finding:
    found = f"{platform.python_version()} at {sys.executable}"
    least = ".".join(map(str, PYTHON_LEAST))
    return Finding("python", sys.version_info >= PYTHON_LEAST, found, f"use Python {least} or newer")


def _packages() -> Finding:
    have, missing = [], []
    for requirement in requires("nightpick") or []:
        name = re.split(r"[^A-Za-z0-9._-]", requirement, maxsplit=1)[0]
        try:
            have.append(f"{name} {version(name)}")
        except PackageNotFoundError:
            missing.append(name)
    if missing:
        return Finding("packages", False, f"missing: {', '.join(missing)}", "run `make setup`")
    return Finding("packages", True, ", ".join(have))


def _data_dir(data_dir: Path) -> Finding:
    todo = "give yourself the right to write there, or set data_dir to a folder of yours"
    existing = next(folder for folder in (data_dir, *data_dir.parents) if folder.exists())
    if not existing.is_dir():
        return Finding("data folder", False, f"{existing} is a file", "set data_dir to a folder")
    try:
        with tempfile.NamedTemporaryFile(dir=existing, prefix=".nightpick-") as probe:
            probe.write(b"written")
            probe.flush()
            os.fsync(probe.fileno())
    except OSError as error:
        return Finding("data folder", False, f"{existing}: not writable: {error.strerror}", todo)
    new = "" if existing == data_dir else ", will be made"
    return Finding("data folder", True, f"{data_dir}{new}, writable")


def _free_space(data_dir: Path) -> Finding:
    existing = next(folder for folder in (data_dir, *data_dir.parents) if folder.exists())
    free_bytes = shutil.disk_usage(existing).free
    return Finding(
        "free space",
        free_bytes >= FREE_LEAST_BYTES,
        f"{free_bytes / 1e9:.1f} GB",
        f"make room: a full-size table and its merge want {FREE_LEAST_BYTES / 1e9:.0f} GB",
    )


def _robot(settings: Settings) -> str:
    from lib.robot import load_robot

    robot = load_robot(settings.robot)
    return "none: checks that need kinematics do not apply" if robot is None else f"{robot.name}, 6 joints"


def _table(settings: Settings) -> str:
    from lib.runlog import fk_file

    if not fk_file.path(settings.data_dir).exists():
        return "none yet, the first merge makes it"
    with fk_file.open_read(settings.data_dir) as con:
        current = fk_file.current_version(con)
        if current is None:
            return "no version yet"
        return f"version {current}, {fk_file.version_rows(con, current):,} rows"


def _scans(settings: Settings) -> str:
    from lib.scan import ScanStore, waiting_scans
    from lib.table import pending_scans

    kept, pending = len(ScanStore(settings.data_dir).kept()), len(pending_scans(settings))
    return f"{kept} kept, {pending} not merged yet, {len(waiting_scans(settings.data_dir))} in the inbox"


def _damaged_scans(settings: Settings) -> list[str]:
    from lib.scan import ScanStore, damaged_raw_files

    return damaged_raw_files(ScanStore(settings.data_dir))


def _damaged_log(settings: Settings) -> list[str]:
    from lib.runlog import damaged_parts

    return [str(file) for file in damaged_parts(settings.data_dir)]


def _kept_files(name: str, look: Callable[[], list[str]]) -> Finding:
    """Report files that tell of the past: a night adds to them and needs none, so it may begin."""
    try:
        damaged = look()
    except NightpickError as error:
        damaged = [str(error)]
    if not damaged:
        return Finding(name, True, "all files whole")
    more = f", and {len(damaged) - 1} more files" if len(damaged) > 1 else ""
    return Finding(name, False, f"{damaged[0]}{more}", stops_a_night=False)


def _of_the_arm(name: str, todo: str, look: Callable[[], str]) -> Finding:
    """Report the arm's part: scans are taken in and merged also by a night that moves nothing."""
    return replace(_reading(name, todo, look), stops_a_night=False)


def _reading(name: str, todo: str, look: Callable[[], str]) -> Finding:
    """Turn an error a user can meet into a finding: its line says what to do."""
    try:
        return Finding(name, True, look())
    except NightpickError as error:
        return Finding(name, False, str(error), todo)
