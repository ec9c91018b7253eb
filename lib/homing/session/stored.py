"""Stored captures as marker poses, to tune on: files of poses, and folders of photos."""

from __future__ import annotations

from pathlib import Path

from lib.errors import BadInput
from lib.homing.detection import detect
from lib.homing.marker_pose import MarkerPose, marker_poses
from lib.homing.marker_pose_file import read_marker_poses
from lib.homing.placing import place_cameras
from lib.homing.session.capture import PICTURES, Capture, captures_in, lenses_of
from lib.robot import Machine

_POSES = "aruco_marker_poses*.json"


def stored_captures(machine: Machine, folder: Path) -> list[tuple[MarkerPose, ...]]:
    """Return every capture of a folder and the folders in it as marker poses, in the order of their names.

    Raises BadInput where there is none.
    """
    if not folder.is_dir():
        raise BadInput(f"{folder}: no such folder; expected one with {_POSES} files or folders of photos")
    found = [read_marker_poses(file) for file in sorted(folder.rglob(_POSES))]
    seen = {file.parent for file in folder.rglob(_POSES)}
    with_photos = sorted({p.parent for p in folder.rglob("*") if p.suffix.lower() in PICTURES} - seen)
    for inner in with_photos:
        found += [_poses(machine, capture) for capture in captures_in(machine, inner)]
    if not found:
        raise BadInput(f"{folder}: no capture in it; expected {_POSES} files or folders of photos")
    return found


def _poses(machine: Machine, capture: Capture) -> tuple[MarkerPose, ...]:
    lenses = lenses_of(machine)
    views = detect(capture.images, machine.dictionary, lenses).views
    placing = place_cameras(machine, lenses, views)
    views = placing.views_of_placed(views)
    return marker_poses(machine, [p.camera for p in placing.placed], views)
