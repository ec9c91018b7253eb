"""Poses that a person has shown the arm, kept by name: the right answer shown is quicker than computed."""

from __future__ import annotations

import json
import os
import re
from dataclasses import asdict, dataclass
from pathlib import Path

from lib.arm.plausible import Angles
from lib.arm.since_power_on import now_utc
from lib.errors import BadInput

_NAME = re.compile(r"[A-Za-z][A-Za-z0-9_-]{0,39}")


@dataclass(frozen=True)
class Pose:
    """One taught pose."""

    name: str
    joints_deg: Angles
    """True joints, J1 to J6 [deg]."""
    taught_utc: str

    def as_json(self) -> dict[str, object]:
        """Return what `nightpick arm teach --json` prints."""
        return asdict(self)


def check_name(name: str) -> None:
    """Raise BadInput for a name that could not be a file's or would be mistaken for a number."""
    if not _NAME.fullmatch(name):
        raise BadInput(f"pose {name!r}: expected a letter, then up to 39 letters, digits, - or _")


def save_pose(data_dir: Path, name: str, joints_deg: Angles) -> Pose:
    """Keep a pose under a name; an older one of that name is replaced. Raises BadInput for the name."""
    check_name(name)
    pose = Pose(name, joints_deg, now_utc())
    path = _path(data_dir, name)
    path.parent.mkdir(parents=True, exist_ok=True)
    beside = path.with_name(f".{path.name}-{os.getpid()}")
    with beside.open("w", encoding="utf-8") as file:
        json.dump(pose.as_json(), file)
        file.flush()
        os.fsync(file.fileno())
    beside.replace(path)
    return pose


def taught_pose(data_dir: Path, name: str) -> Pose:
    """Return a taught pose; raises BadInput, naming those there are, where it is not one."""
    check_name(name)
    path = _path(data_dir, name)
    try:
        kept = json.loads(path.read_text(encoding="utf-8"))
        joints_deg = tuple(float(value) for value in kept["joints_deg"])
        if len(joints_deg) != 6:
            raise ValueError("expected six joints")
        return Pose(kept["name"], joints_deg, kept["taught_utc"])
    except FileNotFoundError:
        known = ", ".join(pose_names(data_dir)) or "none yet"
        raise BadInput(
            f"pose {name!r} was never taught; there are: {known}; `nightpick arm teach {name}`"
        ) from None
    except (ValueError, KeyError, TypeError) as error:
        raise BadInput(f"{path}: not a taught pose: {error}; teach it again") from error


def pose_names(data_dir: Path) -> list[str]:
    """Return the names of the taught poses."""
    return sorted(path.stem for path in (data_dir / "arm" / "poses").glob("*.json"))


def _path(data_dir: Path, name: str) -> Path:
    return data_dir / "arm" / "poses" / f"{name}.json"
