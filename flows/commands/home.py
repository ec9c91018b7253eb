"""`nightpick home`: where the arm really is, by its cameras, by photos, or by marker poses."""

from __future__ import annotations

import argparse
import json
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from flows.commands.verb import add_verb, print_json
from lib.errors import BadInput
from lib.settings import Settings

if TYPE_CHECKING:
    from lib.homing.session import HomingRequest, HomingRun
    from lib.robot import Machine


def add_home(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `home`."""
    parser = add_verb(
        verbs, common, "home", _home,
        does="find where the arm really is: by the simulated cell's cameras, by photos, or by marker poses",
        example="nightpick home --images photos/ --robot robot.json --show-only",
    )  # fmt: skip
    source = parser.add_mutually_exclusive_group()
    source.add_argument(
        "--images", type=Path, metavar="DIR",
        help="photos, one a camera by the robot file's source patterns; folders in it are captures in turn",
    )  # fmt: skip
    source.add_argument(
        "--marker-poses", type=Path, metavar="FILE",
        help="an aruco_marker_poses.json: marker_id, position_mm or position_m, normal, num_cameras",
    )  # fmt: skip
    source.add_argument(
        "--tune", type=Path, metavar="DIR",
        help="home nothing: rank Huber widths and normal weights by stored captures",
    )  # fmt: skip
    parser.add_argument(
        "--robot", metavar="FILE", help="the robot file, or a packaged robot (default: the setting robot)"
    )
    parser.add_argument(
        "--method", metavar="M",
        help="pixel_ba, hybrid, global_ba, sequential_fk or sequential_vector (default: the robot file's)",
    )  # fmt: skip
    parser.add_argument(
        "--from-state", type=Path, metavar="F",
        help="a state to begin from, flat or wrapped; it may be partial",
    )  # fmt: skip
    parser.add_argument(
        "--show-only", action="store_true", help="send nothing to the arm and leave the robot file as it is"
    )


def _home(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.home_text import run_text
    from lib.report.homings import write_homing_reports
    from lib.robot import load_machine

    name = args.robot or settings.robot
    if name == "none":
        raise BadInput("robot = none: homing needs a robot file; name one with --robot")
    machine = load_machine(name)
    if args.tune is not None:
        return _tune(args, machine)
    request = _request(args, machine)
    run, homed = _run(args, settings, machine, request)
    reports = write_homing_reports(run)
    if args.json:
        print_json({**run.as_json(), "homed": homed, "chain_figure": str(reports.chain)})
    else:
        print(run_text(run, homed))
        print(f"pictures: {run.files.folder}")
    return 0 if homed is not False and not run.alarms else 1


def _run(
    args: argparse.Namespace, settings: Settings, machine: Machine, request: HomingRequest
) -> tuple[HomingRun, bool | None]:
    """Return the homing and whether the arm now counts as homed; None where no arm was asked."""
    from flows.terminal import status
    from lib.homing import read_marker_poses
    from lib.homing.session import captures_in, run_homing

    tell = _teller(args)
    if args.marker_poses is not None:
        poses = read_marker_poses(args.marker_poses)
        return run_homing(settings, machine, poses, request, tell), None
    if args.images is not None:
        captures = captures_in(machine, args.images)
        with status(f"looking at {args.images}"):
            return run_homing(settings, machine, captures, request, tell), None
    return _run_at_the_cell(settings, machine, request, tell)


def _run_at_the_cell(
    settings: Settings, machine: Machine, request: HomingRequest, tell: Callable[[Any], None]
) -> tuple[HomingRun, bool | None]:
    from flows.terminal import status
    from lib.arm import connect
    from lib.homing.session import film_cell, hand_over, run_homing
    from lib.robot import load_robot
    from lib.runlog import run_log

    robot = load_robot(settings.robot)
    if robot is None or robot.file_md5 != machine.file_md5:
        raise BadInput(
            f"{machine.file}: the cell's arm is {settings.robot}; expected --images or --marker-poses"
        )
    with connect(settings, robot, run_log(settings.data_dir)) as arm:
        with status("filming the arm"):
            capture = film_cell(settings, arm)
        with status("finding its joints"):
            run = run_homing(settings, machine, [capture], request, tell)
        if request.show_only:
            return run, None
        return run, hand_over(arm, run).refusal is None


def _request(args: argparse.Namespace, machine: Machine) -> HomingRequest:
    from lib.errors import one_of
    from lib.homing import seed_of
    from lib.homing.session import HomingRequest
    from lib.robot import METHODS

    if args.method is not None and args.method not in METHODS:
        raise BadInput(f'--method "{args.method}": not known; expected {one_of(METHODS)}')
    seed = None
    if args.from_state is not None:
        try:
            document = json.loads(args.from_state.read_text(encoding="utf-8"))
        except FileNotFoundError:
            raise BadInput(f"{args.from_state}: no such file; expected a state to begin from") from None
        except (OSError, ValueError, RecursionError) as error:
            raise BadInput(f"{args.from_state}: not readable as JSON: {error}") from error
        seed = seed_of(machine, document, str(args.from_state))
    return HomingRequest(args.method, seed, args.from_state and str(args.from_state), args.show_only)


def _teller(args: argparse.Namespace) -> Callable[[Any], None]:
    """Return what says each joint as it is found, on stderr."""
    import sys

    def tell(joint: Any) -> None:
        if not args.json:
            print(f"{joint.name} = {joint.value:.2f} {joint.unit} ({joint.method})", file=sys.stderr)

    return tell


def _tune(args: argparse.Namespace, machine: Machine) -> int:
    from flows.commands.home_text import tuning_text
    from flows.terminal import status
    from lib.homing.session import stored_captures
    from lib.homing.tuning import tune

    with status(f"reading {args.tune}"):
        captures = stored_captures(machine, args.tune)
    with status(f"foretelling the markers of {len(captures)} captures"):
        rows = tune(machine, captures)
    if args.json:
        print_json([row.as_json() for row in rows])
    else:
        print(tuning_text(rows, machine))
    return 0
