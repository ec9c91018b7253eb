"""The original's aruco_marker_poses.json: marker_id, position_mm or position_m, normal, num_cameras.

Read are a list of such entries, alone or under ``markers``, ``marker_poses`` or ``poses``, and a
mapping of ids to entries; written is ``{"markers": [...]}``.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from lib.errors import BadInput
from lib.homing.lens import Array
from lib.homing.marker_pose import MarkerPose

_UNIT_TOLERANCE = 0.01
_FARTHEST_M = 20.0
"""A marker farther away than this is a unit mixed up."""
_LIST_KEYS = ("markers", "marker_poses", "poses")


def read_marker_poses(path: Path) -> tuple[MarkerPose, ...]:
    """Read a file of marker poses.

    Raises BadInput, one line with the file, the entry, what was found and expected.
    """
    try:
        document = json.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError as error:
        raise BadInput(f"{path}: no such file; expected an aruco_marker_poses.json") from error
    except (OSError, ValueError, RecursionError) as error:
        raise BadInput(f"{path}: not readable as JSON: {error}") from error
    poses = [_pose(entry, f"{path}: entry {place}") for place, entry in _entries(document, path)]
    ids = [pose.id for pose in poses]
    doubled = next((i for i in ids if ids.count(i) > 1), None)
    if doubled is not None:
        raise BadInput(f"{path}: marker {doubled} is there twice; expected each id once")
    return tuple(poses)


def marker_poses_json(poses: Sequence[MarkerPose]) -> dict[str, Any]:
    """Return the document that read_marker_poses reads."""
    return {
        "markers": [
            {
                "marker_id": pose.id,
                "position_mm": (1000.0 * pose.position_m).tolist(),
                "normal": pose.normal.tolist(),
                "num_cameras": pose.num_cameras,
            }
            for pose in poses
        ]
    }


def _entries(document: Any, path: Path) -> list[tuple[str, Any]]:
    if isinstance(document, dict):
        inner = next((document[key] for key in _LIST_KEYS if key in document), document)
        if isinstance(inner, dict):
            return [
                (str(key), {"marker_id": int(key), **entry} if _is_id(key, entry) else entry)
                for key, entry in inner.items()
            ]
        document = inner
    if isinstance(document, list):
        return [(str(i), entry) for i, entry in enumerate(document)]
    raise BadInput(f"{path}: {json.dumps(document)[:40]}; expected a list of marker poses")


def _is_id(key: str, entry: Any) -> bool:
    return key.isascii() and key.isdigit() and isinstance(entry, dict)


def _pose(entry: Any, where: str) -> MarkerPose:
    if not isinstance(entry, dict):
        raise BadInput(f"{where}: expected marker_id, position_mm or position_m, and normal")
    marker_id = entry.get("marker_id")
    if isinstance(marker_id, bool) or not isinstance(marker_id, int) or marker_id < 0:
        raise BadInput(f"{where}: marker_id is {marker_id!r}; expected a number from 0")
    where = f"{where} (marker {marker_id})"
    if "position_mm" in entry:
        position_m = _vector(entry["position_mm"], f"{where}: position_mm") / 1000.0
    elif "position_m" in entry:
        position_m = _vector(entry["position_m"], f"{where}: position_m")
    else:
        raise BadInput(f"{where}: neither position_mm nor position_m; expected one")
    far_m = float(np.linalg.norm(position_m))
    if far_m > _FARTHEST_M:
        raise BadInput(f"{where}: {far_m:g} m away; expected metres in position_m, are these millimetres?")
    normal = _vector(entry.get("normal"), f"{where}: normal")
    length = float(np.linalg.norm(normal))
    if abs(length - 1) > _UNIT_TOLERANCE:
        raise BadInput(f"{where}: normal of length {length:.4g}; expected a unit vector within 1 %")
    cameras = entry.get("num_cameras", 1)
    if isinstance(cameras, bool) or not isinstance(cameras, int) or cameras < 1:
        raise BadInput(f"{where}: num_cameras is {cameras!r}; expected 1 or more")
    return MarkerPose(marker_id, position_m, normal / length, cameras)


def _vector(value: Any, where: str) -> Array:
    good = isinstance(value, list) and len(value) == 3
    if not good or any(isinstance(n, bool) or not isinstance(n, int | float) for n in value):
        raise BadInput(f"{where} is {json.dumps(value)[:40]}; expected three numbers")
    vector = np.array(value, dtype=np.float64)
    if not np.isfinite(vector).all():
        raise BadInput(f"{where} is {value}; expected three finite numbers")
    return vector
