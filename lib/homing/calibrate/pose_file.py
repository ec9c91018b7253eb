"""Arm poses as files: one a photo, x, y, z in metres and a quaternion qw, qx, qy, qz by name."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import yaml

from lib.errors import BadInput
from lib.homing.calibrate.hand_eye import Pose
from lib.homing.rotations import rotation_of_quaternion

_NAMES = ("x", "y", "z", "qw", "qx", "qy", "qz")
_FARTHEST_M = 20.0
_UNIT_TOLERANCE = 0.01


def read_pose(path: Path) -> Pose:
    """Read a pose from a YAML or JSON file; raises BadInput with the file, what was found and expected."""
    return pose_of(read_document(path), str(path))


def read_document(path: Path) -> Any:
    """Read a YAML or JSON file; raises BadInput with the file and the place."""
    try:
        text = path.read_text(encoding="utf-8")
        return json.loads(text) if path.suffix == ".json" else yaml.safe_load(text)
    except FileNotFoundError as error:
        raise BadInput(f"{path}: no such file") from error
    except (OSError, ValueError, RecursionError, yaml.YAMLError) as error:
        raise BadInput(f"{path}: not readable: {' '.join(str(error).split())}") from error


def pose_of(document: Any, where: str) -> Pose:
    """Return the pose a mapping names; raises BadInput beginning with ``where``."""
    if not isinstance(document, dict):
        raise BadInput(f"{where}: expected {', '.join(_NAMES)}")
    missing = [name for name in _NAMES if name not in document]
    if missing:
        raise BadInput(f"{where}: {', '.join(missing)} missing; expected {', '.join(_NAMES)}")
    values = [document[name] for name in _NAMES]
    for name, value in zip(_NAMES, values, strict=True):
        if isinstance(value, bool) or not isinstance(value, int | float) or not abs(value) < 1e9:
            raise BadInput(f"{where}: {name} is {value!r}; expected a number")
    place_m, quaternion = np.array(values[:3], dtype=float), np.array(values[3:], dtype=float)
    if float(np.linalg.norm(place_m)) > _FARTHEST_M:
        raise BadInput(f"{where}: {values[:3]}; expected metres, are these millimetres?")
    length = float(np.linalg.norm(quaternion))
    if abs(length - 1) > _UNIT_TOLERANCE:
        raise BadInput(f"{where}: quaternion of length {length:.4g}; expected 1 within 1 %")
    return Pose(rotation_of_quaternion(quaternion), place_m)
