"""Pairs of encoder readings and seen poses, as metrology writes them: YAML or JSON.

A mapping or a list of entries {pose: {x, y, z, qw, qx, qy, qz}, target_joints: [rad, ...]};
``joints_rad`` and ``joints_deg`` are taken too.
"""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import BadInput
from lib.homing.calibrate.arm_calibration import Reading
from lib.homing.calibrate.pose_file import pose_of, read_document
from lib.homing.lens import Array

_JOINTS = {"target_joints": 1.0, "joints_rad": 1.0, "joints_deg": math.pi / 180}
_LARGEST_RAD = 4 * math.tau


def read_readings(path: Path) -> list[Reading]:
    """Read all pairs, in the file's order; raises BadInput with the entry, what was found and expected."""
    document = read_document(path)
    if isinstance(document, list):
        document = dict(enumerate(document))
    if not isinstance(document, dict) or not document:
        raise BadInput(f"{path}: expected readings, each with pose and target_joints")
    readings = [_reading(entry, f"{path}: reading {key}") for key, entry in document.items()]
    counts = {len(r.joints_rad) for r in readings}
    if len(counts) > 1:
        raise BadInput(
            f"{path}: readings of {' and '.join(map(str, sorted(counts)))} joints; expected one number"
        )
    return readings


def _reading(entry: Any, where: str) -> Reading:
    if not isinstance(entry, dict) or "pose" not in entry:
        raise BadInput(f"{where}: expected pose and target_joints")
    name = next((name for name in _JOINTS if name in entry), None)
    if name is None:
        raise BadInput(f"{where}: no {', '.join(_JOINTS)}; expected one")
    return Reading(_joints(entry[name], _JOINTS[name], f"{where}: {name}"), pose_of(entry["pose"], where))


def _joints(values: Any, factor: float, where: str) -> Array:
    numbers = isinstance(values, list) and all(
        isinstance(v, int | float) and not isinstance(v, bool) and math.isfinite(v) for v in values
    )
    if not numbers or not values:
        raise BadInput(f"{where} is {str(values)[:60]}; expected numbers")
    joints = factor * np.array(values, dtype=float)
    if np.abs(joints).max() > _LARGEST_RAD:
        raise BadInput(f"{where}: {values}; expected radians, these look like degrees")
    return joints
