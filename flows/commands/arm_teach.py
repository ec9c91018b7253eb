"""`nightpick arm teach NAME`: let a person pose the arm by hand, and keep the pose by name."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from flows.commands.verb import add_verb, print_json
from lib.settings import Settings


def add_teach(group: Any, common: argparse.ArgumentParser) -> None:
    """Add `arm teach`."""
    parser = add_verb(
        group, common, "teach", _teach,
        does="release the joints, let you pose the arm by hand, and keep the pose by name",
        example="nightpick arm teach above-the-stand",
    )  # fmt: skip
    parser.add_argument(
        "name", metavar="NAME", help="what to call the pose; `nightpick arm move NAME` goes there"
    )


def _teach(args: argparse.Namespace, settings: Settings) -> int:
    from flows.commands.arm_text import joints_text, say_if_alone
    from lib.arm import check_name, connect, save_pose
    from lib.errors import Refused
    from lib.runlog import run_log

    check_name(args.name)
    say_if_alone(settings)
    with connect(settings, runlog=run_log(settings.data_dir)) as arm:
        arm.prepare()
        _wait_for_enter("hold the arm with one hand, it will sink; then press Enter to release the joints")
        arm.release()
        try:
            _wait_for_enter(f"pose it as {args.name}, hold it so, and press Enter")
        finally:
            reading = arm.hold()
        verdict = arm.check_pose(reading.joints_deg)
        if not verdict.ok:
            raise Refused(
                f"{args.name} is not kept, the arm could not be sent there ({verdict.rule}): {verdict.says}"
            )
        pose = save_pose(settings.data_dir, args.name, reading.joints_deg)
    if args.json:
        print_json(pose.as_json())
    else:
        print(f"{pose.name}: {joints_text(pose.joints_deg)} deg; `nightpick arm move {pose.name}` goes there")
    return 0


def _wait_for_enter(what: str) -> None:
    from lib.errors import BadInput

    print(what, file=sys.stderr, flush=True)
    if not sys.stdin.readline():
        raise BadInput("arm teach needs a person at its input; press Enter when it asks")
