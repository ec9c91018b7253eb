"""What a user may set, where it comes from, and that it makes sense.

Read light: a cold lookup pays for tomllib and dataclasses only. Order of precedence: environment
(``NIGHTPICK_DATA_DIR``, ``NIGHTPICK_LOOKUP__PLACE__J0_TOL_DEG``; two underscores go one level
down), then the settings file, then the defaults below. A relative path counts from the settings
file's folder, or from the working directory where there is none.
"""

from __future__ import annotations

import math
import os
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any

from lib.errors import BadInput
from lib.settings_arm import Arm
from lib.settings_cell import Cell
from lib.settings_motion import Motion, check_motion
from lib.settings_place import Place, check_place
from lib.settings_reading import Joints, Range, environment_tree, overlay, parse_file, setting

FILE_NAME = "nightpick.toml"

# One degree that costs more than this in the score is a mixed-up unit, not a preference.
WEIGHT_LIMIT_M_PER_DEG = 0.020


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
    motion: Motion = field(default_factory=Motion)
    place: Place = field(default_factory=Place)
    prefect: PrefectServer = field(default_factory=PrefectServer)


def load(config: Path | None = None, environment: Mapping[str, str] | None = None) -> Settings:
    """Read the settings that hold here.

    Raises BadInput naming the file or variable, the key, what was found and what was expected.
    """
    environment = os.environ if environment is None else environment
    path = settings_file(config, environment)
    settings = Settings()
    if path is not None:
        settings = overlay(settings, parse_file(path), str(path), "")
    settings = overlay(settings, environment_tree(environment), "environment", "")
    home = path.parent if path is not None else Path.cwd()
    settings = replace(settings, data_dir=(home / settings.data_dir).absolute())
    if settings.robot.endswith(".json"):
        settings = replace(settings, robot=str((home / settings.robot).absolute()))
    _check(settings, str(path) if path else "settings")
    return settings


def settings_file(config: Path | None, environment: Mapping[str, str] | None = None) -> Path | None:
    """Return the settings file that holds here: the one named, else the nearest upwards, else None.

    Raises BadInput where the one named is not there.
    """
    environment = os.environ if environment is None else environment
    named = config or (Path(environment["NIGHTPICK_CONFIG"]) if environment.get("NIGHTPICK_CONFIG") else None)
    if named is not None:
        if not named.is_file():
            raise BadInput(f"{named}: no such settings file; `nightpick init --config {named}` writes one")
        return named.absolute()
    here = Path.cwd()
    return next((d / FILE_NAME for d in (here, *here.parents) if (d / FILE_NAME).is_file()), None)


def _check(settings: Settings, source: str) -> None:
    place = settings.lookup.place
    for name in ("w_j1_m_per_deg", "w_j2_m_per_deg", "w_j4_m_per_deg"):
        weight = getattr(place, name)
        if not 0 <= weight <= WEIGHT_LIMIT_M_PER_DEG:
            raise BadInput(
                f"{source}: lookup.place.{name} = {weight:g}: one degree would cost {weight * 1000:g} mm; "
                f"expected 0 to {WEIGHT_LIMIT_M_PER_DEG:g} m/deg (was the weight meant in another unit?)"
            )
    for prefix, group in (
        ("lookup.place", place),
        ("lookup.pick", settings.lookup.pick),
        ("cell", settings.cell),
        ("merge", settings.merge),
    ):
        _check_group(source, prefix, group)
    check_motion(settings.motion, source)
    check_place(settings.place, source)


def _check_group(source: str, prefix: str, group: Any) -> None:
    for f in fields(group):
        value = getattr(group, f.name)
        where = f"{source}: {prefix}.{f.name} = {value!r}"
        if (
            isinstance(value, tuple)
            and len(value) == 2
            and "centre" not in f.name
            and "outer" not in f.name
            and value[0] >= value[1]
        ):
            raise BadInput(f"{where}; expected a lower and a higher bound")
        if f.name.endswith(("_tol_deg", "_tol_m", "_limit_m", "_wait_s", "_share")) and value < 0:
            raise BadInput(f"{where}; expected zero or more")
        if (
            "ref_joints" in f.name
            and value is not None
            and max(abs(j) for j in value) <= math.tau
            and any(value)
        ):
            raise BadInput(f"{where}; expected degrees, these look like radians")
        if f.name.endswith("_m") and isinstance(value, float) and abs(value) > 2:
            raise BadInput(f"{where}; expected metres, this looks like millimetres")
