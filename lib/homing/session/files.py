"""What a homing leaves as files: its state, its marker poses, its pictures."""

from __future__ import annotations

import json
import math
import os
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import cv2

from lib.homing.marker_pose_file import marker_poses_json
from lib.homing.result import Homing
from lib.homing.session.capture import Capture


@dataclass(frozen=True)
class HomingFiles:
    """Where they are."""

    folder: Path
    state: Path
    """robot_state.json in the original's form: movements, and the flat state."""
    marker_poses: Path
    """aruco_marker_poses.json, which `home --marker-poses` reads."""

    def as_json(self) -> dict[str, str]:
        """Return the paths by what they are."""
        return {"folder": str(self.folder), "state": str(self.state), "marker_poses": str(self.marker_poses)}


def homings_folder(data_dir: Path) -> Path:
    """Return where homings are kept."""
    return data_dir / "homing"


def new_folder(data_dir: Path) -> tuple[str, Path]:
    """Make a new homing's folder; its name, the homing's id, is the time it began."""
    root = homings_folder(data_dir)
    root.mkdir(parents=True, exist_ok=True)
    stem = datetime.now().astimezone().strftime("homing_%Y%m%d_%H%M%S")
    for number in range(1, 1000):
        name = stem if number == 1 else f"{stem}_{number}"
        try:
            (root / name).mkdir()
        except FileExistsError:
            continue
        return name, root / name
    raise FileExistsError(f"{root}: a thousand homings within one second")


def write_files(folder: Path, homing: Homing, captures: Sequence[Capture]) -> HomingFiles:
    """Write state, marker poses and the last capture's pictures."""
    state, poses = folder / "robot_state.json", folder / "aruco_marker_poses.json"
    write_json(state, homing.as_json())
    write_json(poses, marker_poses_json(homing.marker_poses))
    for name, image in captures[-1].images.items() if captures else ():
        _write(folder / f"{name}.png", cv2.imencode(".png", image)[1].tobytes())
    return HomingFiles(folder, state, poses)


def write_json(path: Path, document: dict[str, Any]) -> None:
    """Write a JSON document, whole or not at all; infinities and NaN become null."""
    text = json.dumps(_finite(document), indent=1, allow_nan=False)
    _write(path, (text + "\n").encode())


def _finite(value: Any) -> Any:
    if isinstance(value, float):
        return value if math.isfinite(value) else None
    if isinstance(value, dict):
        return {str(key): _finite(item) for key, item in value.items()}
    if isinstance(value, list | tuple):
        return [_finite(item) for item in value]
    return value


def _write(path: Path, content: bytes) -> None:
    part = path.with_name(f".{path.name}.{os.getpid()}.part")
    with part.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    part.replace(path)
