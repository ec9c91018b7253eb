"""`nightpick calibrate ...`: how a camera sees and where it stands; where an arm's axes are."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from flows.commands.verb import add_group, add_verb, print_json
from lib.errors import BadInput
from lib.settings import Settings


def add_calibrate(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `calibrate` and its verbs."""
    group = add_group(verbs, common, "calibrate", "a camera's lens and place, an arm's axes")
    camera = add_verb(
        group, common, "camera", _camera,
        does="calibrate a fixed camera from photos of a board on the flange, with the arm's poses; "
        "without poses, place several cameras by photos of a board that lies or is held",
        example="nightpick calibrate camera --images photos/ --poses poses/ "
        "--board charuco:5x7:0.036195:0.018256:DICT_6X6_250",
    )  # fmt: skip
    camera.add_argument("--images", type=Path, required=True, metavar="DIR", help="photos")
    camera.add_argument(
        "--poses", type=Path, metavar="DIR",
        help="the flange's pose in the arm's base for each photo, by the same name: YAML or JSON with "
        "x, y, z [m] and qw, qx, qy, qz",
    )  # fmt: skip
    camera.add_argument(
        "--board", required=True, metavar="BOARD", help="charuco:COLUMNSxROWS:SQUARE_M:MARKER_M:DICTIONARY"
    )
    camera.add_argument(
        "--intrinsics", metavar="FX,FY,CX,CY", help="where the lens begins (default: from the boards)"
    )
    camera.add_argument(
        "--robot", metavar="FILE",
        help="without --poses: the robot file that names the cameras; photos are INSTANT_CAMERA.jpg "
        "(default: the setting robot)",
    )  # fmt: skip
    arm = add_verb(
        group, common, "arm", _arm,
        does="find an arm's axes from many pairs of encoder readings and seen poses; "
        "with its robot file, the origins and offsets of its joints",
        example="nightpick calibrate arm --readings measurements.yaml",
    )  # fmt: skip
    arm.add_argument(
        "--readings", type=Path, required=True, metavar="FILE",
        help="YAML or JSON: pose {x, y, z, qw, qx, qy, qz} and target_joints [rad] or joints_deg, each",
    )  # fmt: skip
    arm.add_argument(
        "--robot", metavar="FILE",
        help="a robot file of the arm: find its joints' origins and offsets (default: its axes from nothing)",
    )  # fmt: skip


def _camera(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.calibrate_text import camera_text, rig_text
    from flows.terminal import status
    from lib.homing.calibrate import BoardSpec, calibrate_photos, place_rig_by_photos
    from lib.homing.session import lenses_of
    from lib.robot import load_machine

    board = BoardSpec.parse(args.board)
    if args.poses is None:
        machine = load_machine(args.robot or settings.robot)
        with status(f"looking at {args.images}"):
            rig = place_rig_by_photos(args.images, board, lenses_of(machine))
        print_json(rig.as_json()) if args.json else print(rig_text(rig))
        return 0 if not rig.unplaced else 1
    with status(f"looking at {args.images}"):
        found = calibrate_photos(args.images, args.poses, board, _intrinsics(args.intrinsics))
    print_json(found.as_json()) if args.json else print(camera_text(found))
    return 0


def _arm(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.calibrate_text import arm_text, robot_text
    from flows.terminal import status
    from lib.homing.calibrate import calibrate_arm, calibrate_robot, read_readings
    from lib.robot import load_machine

    del settings
    readings = read_readings(args.readings)
    if args.robot is not None:
        machine = load_machine(args.robot)
        with status(f"fitting {len(readings)} readings"):
            joints = calibrate_robot(machine, readings)
        print_json(joints.as_json()) if args.json else print(robot_text(joints))
        return 0
    with status(f"fitting {len(readings)} readings"):
        found = calibrate_arm(readings)
    print_json(found.as_json()) if args.json else print(arm_text(found))
    return 0


def _intrinsics(text: str | None) -> Any:
    if text is None:
        return None
    import math

    import numpy as np

    try:
        values = [float(part) for part in text.split(",")]
    except ValueError:
        values = []
    if len(values) != 4 or not all(math.isfinite(v) for v in values) or min(values[:2]) <= 0:
        raise BadInput(f'--intrinsics "{text}"; expected FX,FY,CX,CY in pixels')
    return np.array(values)
