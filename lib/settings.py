"""What a user may set, where it comes from, and that it makes sense.

Read light: a cold lookup pays for tomllib and dataclasses only. Order of precedence: environment
(``NIGHTPICK_DATA_DIR``, ``NIGHTPICK_LOOKUP__PLACE__J0_TOL_DEG``; two underscores go one level
down), then the settings file, then the defaults below. A relative path counts from the settings
file's folder, or from the working directory where there is none.
"""

from __future__ import annotations

import errno
import math
import os
import stat
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from lib.errors import BadInput
from lib.settings_arm import Arm, check_arm
from lib.settings_batch import Batch, check_batch
from lib.settings_cell import Cell, check_cell
from lib.settings_homing import Homing
from lib.settings_motion import Motion, check_motion
from lib.settings_place import Place, check_place
from lib.settings_reading import (
    Joints,
    Located,
    Range,
    environment_tree,
    holds,
    overlay,
    parse_file,
    setting,
)

FILE_NAME = "nightpick.toml"

# One degree that costs more than this in the score is a mixed-up unit, not a preference.
WEIGHT_LIMIT_M_PER_DEG = 0.020


_NOT_BELOW_ZERO = ("_tol_deg", "_tol_m", "_limit_m", "_limit_deg", "_limit_px", "_wait_s", "_share")


@dataclass(frozen=True)
class PlaceLookup:
    """Bounds and weights of the PLACE lookup; each filter's bound in the filter's own unit."""

    ref_joints: Joints | None = setting(
        "Reference pose [deg] the score and the joint filters are measured from.",
        (36.215, 57.0, 20.0, -12.0, -86.0, -30.0),
    )
    ee_y_band_m: Range = setting(
        "Heights of the tool tip at which a block may be let go [m].", (0.085, 0.115)
    )
    ee_y_floor_m: float = setting("Lowest tip height that clears the box rim [m].", 0.085)
    j0_ref_deg: float | None = setting("Centre of the j0 lock [deg]; unset: the reference pose's j0.", None)
    j0_tol_deg: float = setting("Half width of the j0 lock [deg].", 3.0)
    j1_min_deg: float = setting("Smallest j1 [deg].", 55.0)
    ref_tol_deg: float = setting("Every joint within this of the reference pose [deg].", 15.0)
    ee_y_target_m: float | None = setting("Wanted tip height [m]; unset: the band's centre.", None)
    ee_y_tol_m: float = setting("Half width of the height target [m].", 0.015)
    j4_safe_deg: Range = setting("Range of j4 the hardware is safe in [deg].", (-90.0, 60.0))
    w_j1_m_per_deg: float = setting("What one degree of j1 costs [m/deg].", 0.002)
    w_j2_m_per_deg: float = setting("What one degree of j2 costs [m/deg].", 0.001)
    w_j4_m_per_deg: float = setting("What one degree of j4 costs [m/deg].", 0.0002)
    guard_m: float = setting("Farther than this from the target is out of range [m].", 0.030)


@dataclass(frozen=True)
class PickLookup:
    """Bounds of the PICK lookup; joint filters apply only where a reference is given."""

    ref_joints: Joints | None = setting("Reference pose [deg]; unset: no joint filter.", None)
    ee_y_band_m: Range = setting(
        "Heights of the tool tip at which a block can be gripped [m].", (0.010, 0.040)
    )
    j0_ref_deg: float | None = setting("Centre of the j0 lock [deg]; unset: no lock.", None)
    j0_tol_deg: float = setting("Half width of the j0 lock [deg].", 3.0)
    ref_tol_deg: float = setting("Every joint within this of the reference pose [deg].", 15.0)
    j4_safe_deg: Range = setting("Range of j4 the hardware is safe in [deg].", (-90.0, 60.0))
    guard_m: float = setting("Farther than this from the target is out of range [m].", 0.030)


@dataclass(frozen=True)
class Lookup:
    """Both modes of the lookup."""

    place: PlaceLookup = field(default_factory=PlaceLookup)
    pick: PickLookup = field(default_factory=PickLookup)


@dataclass(frozen=True)
class Merge:
    """When an audit says no."""

    conflict_limit_m: float = setting("Two measurements of one pose may differ by this much [m].", 1e-4)
    pick_worse_limit_m: float = setting("A PICK target may get farther by this much [m].", 1e-6)
    place_worse_limit_m: float = setting(
        "A PLACE probe's selected row may get farther by this much [m].", 1e-3
    )
    suspect_distance_m: float = setting("A row farther than this from the chain fit is a suspect [m].", 1e-3)
    suspect_share: float = setting("Share of a scan's rows that may be suspects.", 0.001)
    lock_wait_s: float = setting("How long a second merge waits for the first before it says busy [s].", 10.0)


@dataclass(frozen=True)
class PrefectServer:
    """Where the flows report to."""

    api_url: str | None = setting(
        'Address of a running Prefect server ("http://127.0.0.1:4200/api"); unset: a child server.', None
    )


@dataclass(frozen=True)
class Settings:
    """Everything a user may set, validated."""

    data_dir: Path = setting("Where everything is kept.", Path("data"))
    robot: str = setting(
        'A robot file, "mecharm270", or "none": checks that need kinematics do not apply.', "mecharm270"
    )
    lookup: Lookup = field(default_factory=Lookup)
    merge: Merge = field(default_factory=Merge)
    cell: Cell = field(default_factory=Cell)
    arm: Arm = field(default_factory=Arm)
    homing: Homing = field(default_factory=Homing)
    motion: Motion = field(default_factory=Motion)
    place: Place = field(default_factory=Place)
    batch: Batch = field(default_factory=Batch)
    prefect: PrefectServer = field(default_factory=PrefectServer)


def load(config: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings that hold here.

    Raises BadInput naming the file or variable, the key, what was found and what was expected.
    """
    environment = os.environ if environment is None else environment
    path = settings_file(config, environment)
    file = str(path) if path else "settings"
    variables = environment_tree(environment)
    settings = Settings()
    if path is not None:
        settings = overlay(settings, parse_file(path), file, "")
    settings = overlay(settings, variables, "environment", "")

    def source(key: str) -> str:
        return "environment" if holds(variables, key) else file

    home = path.parent if path is not None else Path.cwd()
    settings = replace(settings, data_dir=_whole_path(settings.data_dir, home, source("data_dir")))
    if settings.robot.endswith(".json"):
        robot = _whole_path(Path(settings.robot), home, source("robot"))
        settings = replace(settings, robot=str(robot))
    _check(settings, source, lambda key: f"{source(key)}: {key}")
    return settings


def settings_file(config: Path | None, environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the settings file that holds here: the one named, else the nearest upwards, else None.

    Raises BadInput where the one named is not there.
    """
    environment = os.environ if environment is None else environment
    named = config or (Path(environment["NIGHTPICK_CONFIG"]) if environment.get("NIGHTPICK_CONFIG") else None)
    if named is not None:
        if not named.exists():
            raise BadInput(f"{named}: no such settings file; `nightpick init --config {named}` writes one")
        return _regular(named.absolute())
    here = Path.cwd()
    found = next((d / FILE_NAME for d in (here, *here.parents) if os.path.lexists(d / FILE_NAME)), None)
    return None if found is None else _regular(found)


def _regular(path: Path) -> Path:
    """Return a settings file's path; raises BadInput for a folder, a device, a link to nothing."""
    if not path.is_file():
        kind = "a folder" if path.is_dir() else "no regular file" if path.exists() else "a link to nothing"
        raise BadInput(
            f"{path}: is {kind}, expected a settings file; rename it or name another with --config"
        )
    return path


def _whole_path(path: Path, home: Path, source: str) -> Path:
    """Return an absolute path: ``~`` is the user's home folder, a relative one counts from ``home``."""
    try:
        return (home / path.expanduser()).absolute()
    except RuntimeError:
        raise BadInput(
            f"{source}: {path}: there is no user {path.parts[0][1:]!r} here; write {home / path} for a "
            "folder of that name"
        ) from None


def _check(settings: Settings, source: Callable[[str], str], located: Located) -> None:
    _check_data_dir(settings.data_dir, source("data_dir"))
    _check_api_url(settings.prefect.api_url, source("prefect.api_url"))
    place = settings.lookup.place
    for name in ("w_j1_m_per_deg", "w_j2_m_per_deg", "w_j4_m_per_deg"):
        weight = getattr(place, name)
        if not 0 <= weight <= WEIGHT_LIMIT_M_PER_DEG:
            raise BadInput(
                f"{located(f'lookup.place.{name}')} = {weight:g}: one degree would cost "
                f"{weight * 1000:g} mm; "
                f"expected 0 to {WEIGHT_LIMIT_M_PER_DEG:g} m/deg (was the weight meant in another unit?)"
            )
    for prefix, group in (
        ("lookup.place", place),
        ("lookup.pick", settings.lookup.pick),
        ("cell", settings.cell),
        ("merge", settings.merge),
        ("homing", settings.homing),
    ):
        for f in fields(group):
            value = getattr(group, f.name)
            shown = list(value) if isinstance(value, tuple) else value
            _check_value(f.name, value, f"{located(f'{prefix}.{f.name}')} = {shown!r}")
    check_arm(settings.arm, located)
    check_cell(settings.cell, located)
    check_motion(settings.motion, located)
    check_place(settings.place, located)
    check_batch(settings.batch, located)


def _check_data_dir(data_dir: Path, source: str) -> None:
    """Refuse a path that DuckDB takes apart, or that no message could show on one line.

    Of a table file's path DuckDB reads what follows a ``?`` as a query and ``\\`` as ``/``, also behind
    a link: it would write beside the folder.
    """
    text = str(data_dir)
    if "?" in text or "\\" in text:
        raise BadInput(
            f"{source}: data_dir = {text!r}: the database cannot keep a file below a folder with ? or \\ in "
            "its name; set data_dir to another folder"
        )
    if any(c < " " or "\x7f" <= c <= "\x9f" or "\ud800" <= c <= "\udfff" for c in text):
        raise BadInput(
            f"{source}: data_dir = {text!r}: holds a control character or one that is not UTF-8; "
            "set data_dir to another folder"
        )
    try:
        is_other = not stat.S_ISDIR(data_dir.stat().st_mode)
    except PermissionError:  # whoever writes there says so
        is_other = False
    except OSError as error:  # a link to nothing, a file where a folder should be, too long a name
        is_other = os.path.lexists(data_dir) or error.errno != errno.ENOENT
    if is_other:
        raise BadInput(
            f"{source}: data_dir = {text!r}: there is no folder there and none can be; "
            "set data_dir to a folder"
        )


def _check_api_url(url: str | None, source: str) -> None:
    if url is None:
        return
    try:
        parts = urlsplit(url)
        good = parts.scheme in ("http", "https") and bool(parts.hostname) and parts.port != 0
        good = good and parts.path.endswith("/api") and not parts.query and not parts.fragment
    except ValueError:  # a port that is no number
        good = False
    if not good:
        raise BadInput(
            f"{source}: prefect.api_url = {url!r}; expected the address of a Prefect server's API, like "
            "http://127.0.0.1:4200/api"
        )


def _check_value(name: str, value: Any, where: str) -> None:
    if (
        isinstance(value, tuple)
        and len(value) == 2
        and "centre" not in name
        and "outer" not in name
        and value[0] >= value[1]
    ):
        raise BadInput(f"{where}; expected a lower and a higher bound")
    if name.endswith(_NOT_BELOW_ZERO) and value < 0:
        raise BadInput(f"{where}; expected zero or more")
    if "ref_joints" in name and value is not None and max(abs(j) for j in value) <= math.tau and any(value):
        raise BadInput(f"{where}; expected degrees, these look like radians")
    lengths_m = value if isinstance(value, tuple) else (value,)
    if name.endswith("_m") and any(m is not None and abs(m) > 2 for m in lengths_m):
        raise BadInput(f"{where}; expected metres, this looks like millimetres")
