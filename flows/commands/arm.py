"""`nightpick arm ...`: a person's hand on the arm, all of it through the safety gate."""

from __future__ import annotations

import argparse
from typing import Any

from flows.commands.arm_emulate import add_emulate
from flows.commands.arm_teach import add_teach
from flows.commands.arm_watch import add_watch
from flows.commands.verb import add_group, add_verb, print_json
from lib.settings import Settings

HOME_DEG = [0.0, 0.0, 0.0, 0.0, 0.0, 0.0]


def add_arm(verbs: Any, common: argparse.ArgumentParser) -> None:
    """Add `arm` and its verbs."""
    group = add_group(verbs, common, "arm", "look at the arm and move it, through the safety gate")
    add_verb(
        group, common, "status", _status,
        does="say where the arm stands and how it is; moves nothing",
        example="nightpick arm status",
    )  # fmt: skip
    home = add_verb(
        group, common, "home", _home,
        does="go to the zero pose, slowly until the arm has been homed",
        example="nightpick arm home",
    )  # fmt: skip
    move = add_verb(
        group, common, "move", _move,
        does="go to six joint values in degrees, or to a taught pose",
        example="nightpick arm move 40 50 -20 0 -42 0 --speed 20",
    )  # fmt: skip
    move.add_argument(
        "target", nargs="+", metavar="J1..J6", help="six joint values [deg], or the name of a taught pose"
    )
    for parser in (home, move):
        parser.add_argument(
            "--speed", type=int, metavar="N",
            help="1 to 100 (default: the setting arm.speed, and at most 20 until the arm has been homed)",
        )  # fmt: skip
    add_verb(
        group, common, "stop", _stop,
        does="stop the arm, whoever drives it",
        example="nightpick arm stop",
    )  # fmt: skip
    add_watch(group, common)
    add_teach(group, common)
    add_emulate(group, common)


def _status(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.arm_text import say_if_alone, status_json, status_text
    from lib.arm import looking
    from lib.runlog import run_log

    say_if_alone(settings)
    with looking(settings, runlog=run_log(settings.data_dir)) as arm:
        health = arm.health()
        arm.recall()
        reading = arm.read() if health.powered else None
        if args.json:
            print_json(status_json(arm, health, reading))
        else:
            print(status_text(arm, health, reading))
    return 0


def _home(args: argparse.Namespace, settings: Settings) -> int:
    return _go(args, settings, HOME_DEG)


def _move(args: argparse.Namespace, settings: Settings) -> int:
    return _go(args, settings, _target(args.target, settings))


def _target(words: list[str], settings: Settings) -> list[float]:
    from lib.arm import taught_pose
    from lib.errors import BadInput

    if len(words) == 1 and words[0][:1].isalpha() and words[0].lower() not in ("nan", "inf", "infinity"):
        return list(taught_pose(settings.data_dir, words[0]).joints_deg)
    try:
        values = [float(word) for word in words]
    except ValueError:
        raise BadInput(f"{' '.join(words)}: expected six joint values [deg], or one taught pose") from None
    if len(values) != len(HOME_DEG):
        raise BadInput(
            f"{len(values)} joint values; expected six, J1 to J6 [deg], or the name of a taught pose"
        )
    return values


def _go(args: argparse.Namespace, settings: Settings, target_deg: list[float]) -> int:
    from flows.commands.arm_text import moved_text, say_if_alone
    from lib.arm import connect
    from lib.runlog import run_log

    say_if_alone(settings)
    with connect(settings, runlog=run_log(settings.data_dir)) as arm:
        moved = arm.move(target_deg, args.speed)
        if args.json:
            print_json({"arm": arm.name, **moved.as_json()})
        else:
            print(moved_text(moved))
    return 0


def _stop(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.arm_text import stopped_text
    from lib.arm import stop_arm

    stopped = stop_arm(settings)
    if args.json:
        print_json(stopped.as_json())
    else:
        print(stopped_text(stopped))
    return 0
